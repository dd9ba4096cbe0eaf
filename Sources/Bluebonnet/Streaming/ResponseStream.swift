import BluebonnetTransport
public import Foundation

/// A response whose head has arrived and whose body is read piece by piece.
///
/// The body can be read once, by one reader. If a second reader starts to wait for a piece, the
/// first one receives an error.
///
/// A slow reader slows the server down. At most ``SessionConfiguration/streamBufferSize`` bytes and
/// one piece of up to 256 KiB wait in memory. More can wait while the request's body is still being
/// sent, as ``SessionConfiguration/streamBufferSize`` describes.
///
/// Releasing the stream before its end, or canceling the Swift task that reads it, cancels the
/// request.
public struct ResponseStream: AsyncSequence, Sendable {
    /// A piece of the body, never empty.
    public typealias Element = Data
    /// The error that ends an incomplete body.
    public typealias Failure = BluebonnetError

    /// The status and headers, already validated.
    public let head: ResponseHead
    private let source: Source

    init(head: ResponseHead, source: Source) {
        self.head = head
        self.source = source
    }

    /// The underlying task, for progress, metrics and control.
    public var task: StreamTask { source.task }

    /// Returns whether this is the first loop over the records of the body.
    func beginRecords() -> Bool { source.beginRecords() }

    /// Discards the rest of the body, so that its connection can be used again.
    ///
    /// Closes the connection if the rest does not arrive within a second, or has more than 64 KiB.
    func discardRest() {
        let (source, session) = (source, task.delegate.session)
        let timer = session.clock.schedule(after: .seconds(1)) { source.task.cancel() }
        Task(executorPreference: session.work.clock?.taskExecutor) {
            var count = 0
            while count < 65_536, let piece = try? await source.next() { count += piece.count }
            timer.cancel()
        }
    }

    /// Returns an iterator over the pieces of the body.
    ///
    /// All iterators read from the same body. Only one of them can wait for a piece: if a second
    /// one starts to wait, the first one receives an error.
    public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

    /// An iterator over the pieces of the body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: Source

        /// Returns the next piece, never empty, or nil at the end.
        ///
        /// - Throws: The error of the task, or ``BluebonnetError/cancelled(_:)`` if this Swift task
        ///   was canceled.
        public mutating func next() async throws(BluebonnetError) -> Data? {
            try await source.next()
        }

        /// Returns the next piece, never empty, or nil at the end.
        ///
        /// - Throws: The error of the task, or ``BluebonnetError/cancelled(_:)`` if this Swift task
        ///   was canceled.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(BluebonnetError) -> Data? {
            try await source.next()
        }
    }

    /// The state that a stream shares with its iterators; releasing the last of them cancels the
    /// task.
    final class Source: Sendable {
        let task: StreamTask
        private let channel: ResponseChannel
        private let hasRecords = Locked(false)

        init(task: StreamTask, channel: ResponseChannel) {
            self.task = task
            self.channel = channel
        }

        deinit {
            // Has no effect once the task has completed.
            task.cancel()
        }

        /// Returns whether this is the first loop over the records.
        func beginRecords() -> Bool {
            hasRecords.withLock { hasRecords in
                defer { hasRecords = true }
                return !hasRecords
            }
        }

        func next() async throws(BluebonnetError) -> Data? {
            let next = await withTaskCancellationHandler {
                await channel.next()
            } onCancel: {
                task.cancel()
            }
            guard let piece = try next.get() else { return nil }
            defer { piece.release() }
            return piece.data
        }
    }
}
