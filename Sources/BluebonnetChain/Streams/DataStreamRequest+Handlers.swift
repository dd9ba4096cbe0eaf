public import Bluebonnet

extension DataStreamRequest {
    /// Adds a handler that receives the pieces of the body as they arrive.
    ///
    /// The first handler resumes the request, as with a ``DataRequest``. Each handler receives the
    /// whole body. A handler that is added after pieces have arrived receives the rest.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler is called. If it is nil, the default, the
    ///     manager's ``/Bluebonnet/SessionManager/completionQueue`` is used.
    ///   - stream: Called with each piece, and with the end of the request.
    /// - Returns: The request.
    @discardableResult
    public func responseStream(
        on queue: DispatchQueue? = nil, stream: @escaping Handler<Data, Never>
    ) -> Self {
        handle(SerializedValues(.passthrough, .chunk), queue, failure: { _ in nil }, stream)
    }

    /// Adds a handler that receives UTF-8 text.
    ///
    /// A character that is split between two pieces is part of the second text.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the handler is called. If it is nil, the default, the
    ///     manager's ``/Bluebonnet/SessionManager/completionQueue`` is used.
    ///   - stream: Called with each text, and with the end of the request. Bytes that are not UTF-8
    ///     become U+FFFD.
    /// - Returns: The request.
    @discardableResult
    public func responseStreamString(
        on queue: DispatchQueue? = nil, stream: @escaping Handler<String, Never>
    ) -> Self {
        handle(TextValues(), queue, failure: { _ in nil }, stream)
    }

    /// Adds a handler that receives decoded values, by default one for each line.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - queue: The queue on which the handler is called. If it is nil, the default, the
    ///     manager's ``/Bluebonnet/SessionManager/completionQueue`` is used.
    ///   - decoder: The decoder. The default is `JSONDecoder()`.
    ///   - preprocessor: Changes each frame before it is decoded.
    ///   - framing: How the body is divided into values. The default is
    ///     ``/Bluebonnet/StreamFraming/jsonLines``.
    ///   - stream: Called with each value or its error, and with the end of the request.
    /// - Returns: The request.
    @discardableResult
    public func responseStreamDecodable<T: Decodable & Sendable>(
        of type: T.Type = T.self,
        on queue: DispatchQueue? = nil,
        using decoder: any DataDecoder = JSONDecoder(),
        preprocessor: any DataPreprocessor = .passthrough,
        framing: StreamFraming = .jsonLines,
        stream: @escaping Handler<T, AFError>
    ) -> Self {
        responseStream(
            using: DecodableStreamSerializer<T>(decoder: decoder, dataPreprocessor: preprocessor),
            on: queue, framing: framing, stream: stream)
    }

    /// Adds a handler that receives serialized values, by default one for each piece.
    ///
    /// - Parameters:
    ///   - serializer: Creates the values.
    ///   - queue: The queue on which the handler is called. If it is nil, the default, the
    ///     manager's ``/Bluebonnet/SessionManager/completionQueue`` is used.
    ///   - framing: How the body is divided into values. The default is
    ///     ``/Bluebonnet/StreamFraming/chunk``.
    ///   - stream: Called with each value or its error, and with the end of the request.
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
            values, of: self, endsOnFailure: delegate.endsStreamOnFailure, failure: failure
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

extension TaskDelegate {
    /// Calls a closure on a queue, as ``call(on:_:)`` does, and returns its result.
    fileprivate func result(
        on queue: DispatchQueue?, _ closure: @escaping @Sendable () -> (any Error)?
    ) async -> (any Error)? {
        // Unsafe only in that resumption is not checked. It resumes once, after the closure
        // returns.
        await withUnsafeContinuation { continuation in
            call(on: queue) { continuation.resume(returning: closure()) }
        }
    }
}
