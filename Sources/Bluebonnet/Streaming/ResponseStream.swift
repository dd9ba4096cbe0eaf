import BluebonnetTransport
public import Foundation

/// A response whose head has arrived and whose body is read piece by piece.
///
/// The body can be read once, by one reader; of two that wait at once the first fails. A reader
/// that stops for a while stops the sender: at most ``SessionConfiguration/streamBufferSize`` bytes
/// and one piece, of 256 KiB at most, wait in memory, or more, as is said there, while the request's
/// body is still being sent. Letting go of the stream before its end, or cancelling the Swift task that
/// reads it, cancels the request.
public struct ResponseStream: AsyncSequence, Sendable {
    /// A piece of the body, never empty.
    public typealias Element = Data
    /// Why a body did not come whole.
    public typealias Failure = BluebonnetError

    /// Status and headers; already validated.
    public let head: ResponseHead
    private let source: Source

    init(head: ResponseHead, source: Source) {
        self.head = head
        self.source = source
    }

    /// The task behind it, for its progress, metrics and control.
    public var task: DataTask { source.task }

    /// Makes the reader; a second one would share the pieces with the first.
    ///
    /// Only one can wait for a piece: a reader that waits gets an error when another begins to.
    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    /// Reads the body's pieces.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: Source

        /// The next piece, never empty; nil at the end.
        ///
        /// - Throws: whatever made the task fail, `.cancelled` when this Swift task was cancelled.
        public mutating func next() async throws(BluebonnetError) -> Data? {
            try await source.next()
        }

        /// The next piece, never empty; nil at the end.
        ///
        /// - Throws: whatever made the task fail, `.cancelled` when this Swift task was cancelled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BluebonnetError) -> Data? {
            try await source.next()
        }
    }

    /// What stream and iterators share; with the last of them goes the task.
    final class Source: Sendable {
        let task: DataTask
        private let channel: ResponseChannel

        init(task: DataTask, channel: ResponseChannel) {
            self.task = task
            self.channel = channel
        }

        deinit {
            // Does nothing once the task has completed.
            task.cancel()
        }

        func next() async throws(BluebonnetError) -> Data? {
            let next = await withTaskCancellationHandler {
                await channel.next()
            } onCancel: {
                task.cancel()
            }
            guard let chunk = try next.get() else { return nil }
            let data = chunk.data
            task.delegate.didConsume(chunk.count)
            return data
        }
    }
}
