import BluebonnetTransport
import Foundation

/// A serial queue that takes many small messages in few hops.
///
/// However many come while it is busy, one drain is pending at most. Where nobody waits for a
/// message, a delay lets more of them share one. Where messages end in handlers, a pool that runs
/// those lends its thread for the drain, and none has to be woken for them.
final class BatchQueue<Message: Sendable>: Sendable {
    let dispatchQueue: DispatchQueue
    private let delay: DispatchTimeInterval?
    private let carrier: HandlerPool?
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
        delay: DispatchTimeInterval? = nil,
        carrier: HandlerPool? = nil,
        handle: @escaping @Sendable (Message) -> Void
    ) {
        dispatchQueue = DispatchQueue(label: label)
        self.delay = delay
        self.carrier = carrier
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
        if let carrier {
            carrier.run { [self] in dispatchQueue.sync(execute: drain) }
        } else if let delay {
            dispatchQueue.asyncAfter(deadline: .now() + delay) { [self] in drainAndGoOn() }
        } else {
            dispatchQueue.async { [self] in drainAndGoOn() }
        }
    }

    private func drainAndGoOn() {
        if drain() { schedule() }
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
