import BluebonnetTransport
import Foundation

/// A serial queue that takes many small messages in few hops.
///
/// However many come while it is busy, one drain is pending at most. Where nobody waits for a
/// message, a delay lets more of them share one.
final class BatchQueue<Message: Sendable>: Sendable {
    let dispatchQueue: DispatchQueue
    private let delay: DispatchTimeInterval?
    private let inbox = Locked(Inbox())
    private struct Inbox {
        var messages: [Message] = []
        /// An empty array with memory, for the next batch.
        var spare: [Message] = []
    }

    private let handle: @Sendable (Message) -> Void
    private let endOfBatch: (@Sendable () -> Void)?

    init(
        label: String,
        delay: DispatchTimeInterval? = nil,
        endOfBatch: (@Sendable () -> Void)? = nil,
        handle: @escaping @Sendable (Message) -> Void
    ) {
        dispatchQueue = DispatchQueue(label: label)
        self.delay = delay
        self.endOfBatch = endOfBatch
        self.handle = handle
    }

    func send(_ message: Message) {
        let isFirst = inbox.withLock { inbox in
            inbox.messages.append(message)
            return inbox.messages.count == 1
        }
        guard isFirst else { return }
        if let delay {
            dispatchQueue.asyncAfter(deadline: .now() + delay) { [self] in drain() }
        } else {
            dispatchQueue.async { [self] in drain() }
        }
    }

    /// Handles what has come so far, on the queue.
    func drain() {
        var messages = inbox.withLock { inbox in
            var messages: [Message] = []
            swap(&messages, &inbox.spare)
            swap(&messages, &inbox.messages)
            return messages
        }
        // From the end, so that each is handed over and none is copied.
        messages.reverse()
        while let message = messages.popLast() { handle(message) }
        endOfBatch?()
        guard messages.capacity <= Self.largestSpare else { return }
        inbox.withLock { $0.spare = messages }
    }

    private static var largestSpare: Int { 1024 }
}
