import BluebonnetTransport
import Foundation

/// A serial queue that handles messages in batches, on the threads of a pool.
///
/// At most one batch waits or runs. Messages that arrive meanwhile go into the next one.
package final class BatchQueue<Message: Sendable>: Sendable {
    /// The urgency of a batch.
    enum Urgency: Sendable {
        /// Before waiting handlers.
        case high
        /// When the pool has nothing else to do, or a few milliseconds later.
        case low
    }

    let dispatchQueue: DispatchQueue
    private let urgency: Urgency
    private let pool: HandlerPool
    private let inbox = Locked(Inbox())
    private struct Inbox {
        // Optional, so that messages are moved out and not copied.
        var messages: [Message?] = []
        /// An empty array with capacity, for the next batch.
        var spare: [Message?] = []
        /// Whether a batch waits or runs.
        var isBatchPending = false
    }

    private let handle: @Sendable (Message) -> Void
    private let key = DispatchSpecificKey<Void>()

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
        dispatchQueue.setSpecific(key: key, value: ())
    }

    /// Whether the caller runs on the queue.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }

    func send(_ message: consuming Message) {
        var message: Message? = message
        let isFirst = inbox.withLock { inbox in
            inbox.messages.append(message.take())
            defer { inbox.isBatchPending = true }
            return !inbox.isBatchPending
        }
        if isFirst { schedule() }
    }

    private func schedule() {
        let batch: @Sendable () -> Void = { [self] in
            if dispatchQueue.sync(execute: drain) { schedule() }
        }
        switch urgency {
        case .high: pool.run(batch)
        case .low: pool.runAfterwards(batch)
        }
    }

    /// Calls a closure on the queue, or in the pool if Dispatch has lost its threads.
    func async(_ body: @escaping @Sendable () -> Void) {
        guard !ProcessFork.hasLostThreads else { return pool.async(body) }
        dispatchQueue.async(execute: body)
    }

    /// Handles the messages so far on the queue, and returns whether more have arrived meanwhile.
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
            inbox.isBatchPending = !inbox.messages.isEmpty
            return inbox.isBatchPending
        }
    }

    /// Waits until the messages that were sent so far have been handled.
    func flush() async {
        await withCheckedContinuation { continuation in
            dispatchQueue.async { [self] in
                if drain() { schedule() }
                continuation.resume()
            }
        }
    }

    private static var largestSpare: Int { 1024 }
}
