public import Bluebonnet

/// A streamed request whose values are read in loops.
///
/// ```swift
/// for await stream in session.streamRequest(url).streamTask().streamingDecodables(Event.self) {
///     if let event = stream.value { print(event) }
/// }
/// ```
public struct DataStreamTask: Sendable {
    let request: DataStreamRequest

    /// An asynchronous sequence of values, their errors and finally the end of the request.
    ///
    /// The server waits for the loop, so several loops over one request must run concurrently.
    /// Leaving the loop, or canceling its Swift task, cancels the request by default.
    ///
    /// A sequence has one reader. If a second reader starts to wait, the first one receives nil.
    public struct Values<Success: Sendable, Failure: Error>: AsyncSequence, Sendable {
        /// A value, an error or the end.
        public typealias Element = DataStreamRequest.Stream<Success, Failure>

        let reading: StreamReading<Element>

        /// Returns an iterator over the values.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reading: reading) }

        /// An iterator over the values.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let reading: StreamReading<Element>

            /// Returns the next value, error or end; nil after the end.
            public mutating func next() async -> Element? { await reading.next() }
        }
    }

    /// Starts the request and returns the pieces of its body as they arrive.
    ///
    /// - Parameter automaticallyCancelling: Whether leaving the loop, or canceling its Swift task,
    ///   cancels the request. The default is true.
    /// - Returns: The pieces and the end of the request.
    public func streamingData(automaticallyCancelling: Bool = true) -> Values<Data, Never> {
        read(
            SerializedValues(.passthrough, .chunk), failure: { _ in nil },
            automaticallyCancelling)
    }

    /// Starts the request and returns its body as UTF-8 text.
    ///
    /// A character that is split between two pieces is part of the second text.
    ///
    /// - Parameter automaticallyCancelling: Whether leaving the loop, or canceling its Swift task,
    ///   cancels the request. The default is true.
    /// - Returns: The texts and the end of the request.
    public func streamingStrings(automaticallyCancelling: Bool = true) -> Values<String, Never> {
        read(TextValues(), failure: { _ in nil }, automaticallyCancelling)
    }

    /// Starts the request and returns decoded values, by default one for each line.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - automaticallyCancelling: Whether leaving the loop, or canceling its Swift task, cancels
    ///     the request. The default is true.
    ///   - decoder: The decoder. The default is `JSONDecoder()`.
    ///   - preprocessor: Changes each frame before it is decoded.
    ///   - framing: How the body is divided into values. The default is
    ///     ``/Bluebonnet/StreamFraming/jsonLines``.
    /// - Returns: The values and the end of the request.
    public func streamingDecodables<T: Decodable & Sendable>(
        _ type: T.Type = T.self,
        automaticallyCancelling: Bool = true,
        decoder: any DataDecoder = JSONDecoder(),
        preprocessor: any DataPreprocessor = .passthrough,
        framing: StreamFraming = .jsonLines
    ) -> Values<T, AFError> {
        streamingResponses(
            serializedUsing: DecodableStreamSerializer<T>(
                decoder: decoder, dataPreprocessor: preprocessor),
            automaticallyCancelling: automaticallyCancelling, framing: framing)
    }

    /// Starts the request and returns serialized values, by default one for each piece.
    ///
    /// - Parameters:
    ///   - serializer: Creates the values.
    ///   - automaticallyCancelling: Whether leaving the loop, or canceling its Swift task, cancels
    ///     the request. The default is true.
    ///   - framing: How the body is divided into values. The default is
    ///     ``/Bluebonnet/StreamFraming/chunk``.
    /// - Returns: The values and the end of the request.
    public func streamingResponses<Serializer: DataStreamSerializer>(
        serializedUsing serializer: Serializer,
        automaticallyCancelling: Bool = true,
        framing: StreamFraming = .chunk
    ) -> Values<Serializer.SerializedObject, AFError> {
        read(SerializedValues(serializer, framing), failure: { $0 }, automaticallyCancelling)
    }

    /// Cancels the request; has no effect once it has ended.
    public func cancel() { request.cancel() }

    /// Suspends the request until it is resumed.
    public func suspend() { request.suspend() }

    /// Resumes a suspended request, or starts a new one.
    public func resume() { request.resume() }

    private func read<Read: StreamValues & Sendable, Failure: Error>(
        _ values: Read, failure: @escaping @Sendable (BluebonnetError) -> Failure?,
        _ cancelsAutomatically: Bool
    ) -> Values<Read.Value, Failure> {
        let handoff = ValueHandoff<DataStreamRequest.Stream<Read.Value, Failure>>()
        if cancelsAutomatically, Task.isCancelled { request.cancel() }
        request.add(
            ValueConsumer(
                values, of: request, endsOnFailure: request.delegate.endsStreamOnFailure,
                failure: failure,
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

/// The state that a sequence shares with its iterators; releasing the last of them ends the
/// reading.
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
        // Has no effect once the request has ended.
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
    /// Returns a task that reads the values of the request in loops.
    public func streamTask() -> DataStreamTask { DataStreamTask(request: self) }
}
