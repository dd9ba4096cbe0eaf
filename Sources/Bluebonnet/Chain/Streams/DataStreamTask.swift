public import Foundation
import FoundationNetworking

/// A streamed request whose values are read in loops.
///
/// ```swift
/// for await stream in session.streamRequest(url).streamTask().streamingDecodables(Event.self) {
///     if let event = stream.value { print(event) }
/// }
/// ```
public struct DataStreamTask: Sendable {
    let request: DataStreamRequest

    /// What a loop gets: values, their errors, and at last the end of the request.
    ///
    /// The server waits for the loop, so several loops over one request have to run beside each other. Leaving the loop, or cancelling the Swift task that it runs in, cancels the request.
    /// There is one reader: of two that wait at once the first is at its end.
    public struct Values<Success: Sendable, Failure: Error>: AsyncSequence, Sendable {
        /// A value, an error or the end.
        public typealias Element = DataStreamRequest.Stream<Success, Failure>

        let reading: StreamReading<Element>

        /// Makes the reader.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reading: reading) }

        /// Reads the values.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let reading: StreamReading<Element>

            /// The next value, error or end; nil behind the end.
            public mutating func next() async -> Element? { await reading.next() }
        }
    }

    /// Starts the request, and reads the pieces of its body as they come.
    ///
    /// - Parameter automaticallyCancelling: Whether leaving the loop, or cancelling its Swift task, cancels the request;
    ///   default true.
    /// - Returns: The pieces and the end.
    public func streamingData(automaticallyCancelling: Bool = true) -> Values<Data, Never> {
        read(
            SerializedValues(.passthrough, .chunk), failure: { _ in nil },
            automaticallyCancelling)
    }

    /// Starts the request, and reads texts of UTF-8; a character that the network cuts is in the next one.
    ///
    /// - Parameter automaticallyCancelling: Whether leaving the loop, or cancelling its Swift task, cancels the request;
    ///   default true.
    /// - Returns: The texts and the end.
    public func streamingStrings(automaticallyCancelling: Bool = true) -> Values<String, Never> {
        read(TextValues(), failure: { _ in nil }, automaticallyCancelling)
    }

    /// Starts the request, and reads decoded values, one a line unless told otherwise.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - automaticallyCancelling: Whether leaving the loop, or cancelling its Swift task, cancels the request; default
    ///     true.
    ///   - decoder: The decoder; default `JSONDecoder()`.
    ///   - preprocessor: Changes each frame first.
    ///   - framing: Where one value ends and the next begins; default ``StreamFraming/lines``.
    /// - Returns: The values and the end.
    public func streamingDecodables<T: Decodable & Sendable>(
        _ type: T.Type = T.self,
        automaticallyCancelling: Bool = true,
        decoder: any DataDecoder = JSONDecoder(),
        preprocessor: any DataPreprocessor = .passthrough,
        framing: StreamFraming = .lines
    ) -> Values<T, AFError> {
        streamingResponses(
            serializedUsing: DecodableStreamSerializer<T>(
                decoder: decoder, dataPreprocessor: preprocessor),
            automaticallyCancelling: automaticallyCancelling, framing: framing)
    }

    /// Starts the request, and reads serialized values, one a piece unless told otherwise.
    ///
    /// - Parameters:
    ///   - serializer: Makes the values.
    ///   - automaticallyCancelling: Whether leaving the loop, or cancelling its Swift task, cancels the request; default
    ///     true.
    ///   - framing: Where one value ends and the next begins; default ``StreamFraming/chunk``.
    /// - Returns: The values and the end.
    public func streamingResponses<Serializer: DataStreamSerializer>(
        serializedUsing serializer: Serializer,
        automaticallyCancelling: Bool = true,
        framing: StreamFraming = .chunk
    ) -> Values<Serializer.SerializedObject, AFError> {
        read(SerializedValues(serializer, framing), failure: { $0 }, automaticallyCancelling)
    }

    /// Ends the request as cancelled, unless it has ended.
    public func cancel() { request.cancel() }

    /// Stops the request until it is resumed.
    public func suspend() { request.suspend() }

    /// Lets a suspended request go on, or starts one that has not been.
    public func resume() { request.resume() }

    private func read<Read: StreamValues & Sendable, Failure: Error>(
        _ values: Read, failure: @escaping @Sendable (BluebonnetError) -> Failure?,
        _ cancelsAutomatically: Bool
    ) -> Values<Read.Value, Failure> {
        let handoff = ValueHandoff<DataStreamRequest.Stream<Read.Value, Failure>>()
        if cancelsAutomatically, Task.isCancelled { request.cancel() }
        request.add(
            ValueConsumer(
                values, of: request, endsOnFailure: request.endsOnFailure, failure: failure,
                into: handoff
            ) { stream in
                if stream.completion == nil {
                    await handoff.give(stream)
                } else {
                    handoff.finish(with: stream)
                }
                return nil
            })
        return Values(
            reading: StreamReading(
                handoff, of: request, cancelsAutomatically: cancelsAutomatically))
    }
}

/// What the iterators of a sequence share; with the last of them goes the reading.
final class StreamReading<Element: Sendable>: Sendable {
    private let handoff: ValueHandoff<Element>
    private let request: DataStreamRequest
    private let cancelsAutomatically: Bool

    init(
        _ handoff: ValueHandoff<Element>, of request: DataStreamRequest,
        cancelsAutomatically: Bool
    ) {
        self.handoff = handoff
        self.request = request
        self.cancelsAutomatically = cancelsAutomatically
    }

    deinit {
        handoff.end()
        // Does nothing once the request has ended.
        if cancelsAutomatically { request.cancel() }
    }

    func next() async -> Element? {
        guard cancelsAutomatically else { return await handoff.next() }
        return await withTaskCancellationHandler {
            await handoff.next()
        } onCancel: {
            request.cancel()
        }
    }
}

extension DataStreamRequest {
    /// Reads the request's values in loops.
    public func streamTask() -> DataStreamTask { DataStreamTask(request: self) }
}
