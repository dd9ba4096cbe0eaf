import BluebonnetTransport
import Dispatch

/// A monitor's subscription to the events of a manager's tasks.
///
/// It lasts until ``cancel()`` is called, or the manager goes: whether anybody holds it plays no part.
public final class TaskEventSubscription: Sendable {
    private struct Inbox {
        /// Nil when it is cancelled.
        var handler: (@Sendable ([TaskEvent]) -> Void)?
        var events: [TaskEvent] = []
        /// Whether a batch waits or is being handled.
        var isBatchPending = false
        /// Who waits until there is nothing left to tell.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let interests: TaskEvent.Interests
    private let queue: DispatchQueue
    private let inbox: Locked<Inbox>
    private weak let audience: TaskEventAudience?

    init(
        interests: TaskEvent.Interests,
        queue: DispatchQueue,
        handler: @escaping @Sendable ([TaskEvent]) -> Void,
        audience: TaskEventAudience
    ) {
        self.interests = interests
        self.queue = queue
        self.audience = audience
        inbox = Locked(Inbox(handler: handler))
    }

    /// Ends it: the monitor is let go, and told of nothing any more, not even of what has happened before.
    ///
    /// A batch that is being handled on another thread goes on to its end.
    public func cancel() {
        audience?.remove(self)
        // Let go outside the lock: what the handler holds may use the manager as it goes.
        let former = inbox.withLock { inbox in
            defer { (inbox.handler, inbox.events) = (nil, []) }
            return (inbox.handler, inbox.events)
        }
        withExtendedLifetime(former) {}
    }

    /// Has the monitor told of an event with the next batch.
    func send(_ event: TaskEvent) {
        let isFirst = inbox.withLock { inbox in
            guard inbox.handler != nil else { return false }
            inbox.events.append(event)
            defer { inbox.isBatchPending = true }
            return !inbox.isBatchPending
        }
        if isFirst { queue.async { [self] in handleBatch() } }
    }

    private func handleBatch() {
        let (handler, events) = inbox.withLock { inbox in
            defer { inbox.events = [] }
            return (inbox.handler, inbox.events)
        }
        if let handler, !events.isEmpty { handler(events) }
        let waiting = inbox.withLock { inbox -> [CheckedContinuation<Void, Never>]? in
            inbox.isBatchPending = !inbox.events.isEmpty
            guard !inbox.isBatchPending else { return nil }
            defer { inbox.waiting = [] }
            return inbox.waiting
        }
        guard let waiting else { return queue.async { [self] in handleBatch() } }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the monitor was told of what has happened so far.
    func flush() async {
        await withCheckedContinuation { continuation in
            let isDone = inbox.withLock { inbox in
                if inbox.isBatchPending { inbox.waiting.append(continuation) }
                return !inbox.isBatchPending
            }
            if isDone { continuation.resume() }
        }
    }
}
