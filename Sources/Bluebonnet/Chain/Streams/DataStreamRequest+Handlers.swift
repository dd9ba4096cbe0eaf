public import Foundation
import FoundationNetworking

extension DataStreamRequest {
    /// Adds a handler that gets the pieces of the body as they come.
    ///
    /// The first handler resumes the request, as that of a ``DataRequest`` does. Each gets the whole body, and a handler
    /// that is added when something has come gets the rest.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs; nil, the default, for the manager's ``SessionManager/completionQueue``.
    ///   - stream: Called with each piece, and with the end.
    /// - Returns: The request.
    @discardableResult
    public func responseStream(
        on queue: DispatchQueue? = nil, stream: @escaping Handler<Data, Never>
    ) -> Self {
        handle(SerializedValues(.passthrough, .chunk), queue, failure: { _ in nil }, stream)
    }

    /// Adds a handler that gets texts of UTF-8; a character that the network cuts is in the next one.
    ///
    /// - Parameters:
    ///   - queue: Where the handler runs; nil, the default, for the manager's ``SessionManager/completionQueue``.
    ///   - stream: Called with each text, and with the end. Bytes that are no UTF-8 are U+FFFD.
    /// - Returns: The request.
    @discardableResult
    public func responseStreamString(
        on queue: DispatchQueue? = nil, stream: @escaping Handler<String, Never>
    ) -> Self {
        handle(TextValues(), queue, failure: { _ in nil }, stream)
    }

    /// Adds a handler that gets decoded values, one a line unless told otherwise.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - queue: Where the handler runs; nil, the default, for the manager's ``SessionManager/completionQueue``.
    ///   - decoder: The decoder; default `JSONDecoder()`.
    ///   - preprocessor: Changes each frame first.
    ///   - framing: Where one value ends and the next begins; default ``StreamFraming/lines``.
    ///   - stream: Called with each value or its error, and with the end.
    /// - Returns: The request.
    @discardableResult
    public func responseStreamDecodable<T: Decodable & Sendable>(
        of type: T.Type = T.self,
        on queue: DispatchQueue? = nil,
        using decoder: any DataDecoder = JSONDecoder(),
        preprocessor: any DataPreprocessor = .passthrough,
        framing: StreamFraming = .lines,
        stream: @escaping Handler<T, AFError>
    ) -> Self {
        responseStream(
            using: DecodableStreamSerializer<T>(decoder: decoder, dataPreprocessor: preprocessor),
            on: queue, framing: framing, stream: stream)
    }

    /// Adds a handler that gets serialized values, one a piece unless told otherwise.
    ///
    /// - Parameters:
    ///   - serializer: Makes the values.
    ///   - queue: Where the handler runs; nil, the default, for the manager's ``SessionManager/completionQueue``.
    ///   - framing: Where one value ends and the next begins; default ``StreamFraming/chunk``.
    ///   - stream: Called with each value or its error, and with the end.
    /// - Returns: The request.
    @discardableResult
    public func responseStream<Serializer: DataStreamSerializer>(
        using serializer: Serializer,
        on queue: DispatchQueue? = nil,
        framing: StreamFraming = .chunk,
        stream: @escaping Handler<Serializer.SerializedObject, AFError>
    ) -> Self {
        handle(SerializedValues(serializer, framing), queue, failure: { $0 }, stream)
    }

    private func handle<Values: StreamValues & Sendable, Failure: Error>(
        _ values: Values, _ queue: DispatchQueue?,
        failure: @escaping @Sendable (BluebonnetError) -> Failure?,
        _ handler: @escaping Handler<Values.Value, Failure>
    ) -> Self {
        let consumer = ValueConsumer(
            values, of: self, endsOnFailure: endsOnFailure, failure: failure
        ) { [delegate] stream in
            await delegate.result(on: queue) {
                do {
                    try handler(stream)
                    return nil
                } catch {
                    return error
                }
            }
        }
        add(consumer)
        return self
    }
}

extension DataStreamRequest {
    /// Whether something that is no value ends the stream.
    var endsOnFailure: Bool { delegate.state.withLock { $0.streams.endsOnFailure } }
}

extension TaskDelegate {
    /// Waits for what a closure returns on a queue of the chain's closures.
    fileprivate func result(
        on queue: DispatchQueue?, _ closure: @escaping @Sendable () -> (any Error)?
    ) async -> (any Error)? {
        // Unsafe only in that it is not counted: it is resumed where the closure has returned.
        await withUnsafeContinuation { continuation in
            call(on: queue) { continuation.resume(returning: closure()) }
        }
    }
}
