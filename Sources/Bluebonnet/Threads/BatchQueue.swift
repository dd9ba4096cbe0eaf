import BluebonnetTransport
import Foundation

/// A serial queue that takes many small messages in few hops.
///
/// However many come while it is busy, one drain is pending at most, which a pool lends a thread.
final class BatchQueue<Message: Sendable>: Sendable {
    /// When messages are handled.
    enum Urgency: Sendable {
        /// Before anything else: somebody waits for what they bring.
        case high
        /// When the pool has nothing else to do, or soon anyway.
        case low
    }

    let dispatchQueue: DispatchQueue
    private let urgency: Urgency
    private let pool: HandlerPool
    private let inbox = Locked(Inbox())
    private struct Inbox {
        // Optional, so that each is handed over and none is copied.
        var messages: [Message?] = []
        /// An empty array with memory, for the next batch.
        var spare: [Message?] = []
        /// Whether a drain is under way or to come.
        var isDrainPending = false
    }

    private let handle: @Sendable (Message) -> Void

    init(
        label: String,
        urgency: Urgency = .high,
        pool: HandlerPool = .shared,
        handle: @escaping @Sendable (Message) -> Void
    ) {
        dispatchQueue = DispatchQueue(label: label)
        self.urgency = urgency
        self.pool = pool
        self.handle = handle
    }

    func send(_ message: consuming Message) {
        var message: Message? = message
        let isFirst = inbox.withLock { inbox in
            inbox.messages.append(message.take())
            defer { inbox.isDrainPending = true }
            return !inbox.isDrainPending
        }
        if isFirst { schedule() }
    }

    private func schedule() {
        let errand: @Sendable () -> Bool = { [self] in dispatchQueue.sync(execute: drain) }
        switch urgency {
        case .high: pool.run(errand)
        case .low: pool.runAfterwards(errand)
        }
    }

    /// Handles what has come so far, on the queue; true when more has come meanwhile.
    @discardableResult
    func drain() -> Bool {
        var messages = inbox.withLock { inbox in
            var messages: [Message?] = []
            swap(&messages, &inbox.spare)
            swap(&messages, &inbox.messages)
            return messages
        }
        for index in messages.indices {
            if let message = messages[index].take() { handle(message) }
        }
        messages.removeAll(keepingCapacity: true)
        return inbox.withLock { inbox in
            if messages.capacity <= Self.largestSpare { swap(&inbox.spare, &messages) }
            inbox.isDrainPending = !inbox.messages.isEmpty
            return inbox.isDrainPending
        }
    }

    private static var largestSpare: Int { 1024 }
}
