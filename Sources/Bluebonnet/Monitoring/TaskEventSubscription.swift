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
        /// How many events were sent, and of how many the monitor was told.
        var sentCount = 0
        var toldCount = 0
        /// Callers of ``TaskEventSubscription/flush()``, each with the count that it waits for.
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    let interests: TaskEvent.Interests
    private let queue: DispatchQueue
    private let inbox: Locked<Inbox>
    private weak let audience: TaskEventAudience?
    /// Those of the monitors that a composite consists of.
    private let members: [TaskEventSubscription]
    private let work: SessionWork

    init(
        interests: TaskEvent.Interests,
        queue: DispatchQueue,
        handler: @escaping @Sendable ([TaskEvent]) -> Void,
        members: [TaskEventSubscription],
        audience: TaskEventAudience,
        work: SessionWork
    ) {
        self.work = work
        self.interests = interests
        self.queue = queue
        self.audience = audience
        self.members = members
        inbox = Locked(Inbox(handler: handler))
    }

    /// Ends it: the monitor is let go, and told of nothing any more, not even of what has happened before.
    ///
    /// A batch that is being handled on another thread goes on to its end.
    public func cancel() {
        for member in members { member.cancel() }
        audience?.remove(self)
        // Let go outside the lock: what the handler holds may use the manager as it goes.
        let former = inbox.withLock { inbox in
            defer { (inbox.handler, inbox.events) = (nil, []) }
            return (inbox.handler, inbox.events)
        }
        withExtendedLifetime(former) {}
    }

    /// Cancels it when the monitor was told of what has happened so far.
    func end() async {
        await flush()
        cancel()
    }

    /// Has the monitor told of an event with the next batch.
    func send(_ event: TaskEvent) {
        let isFirst = inbox.withLock { inbox in
            guard inbox.handler != nil else { return false }
            inbox.events.append(event)
            inbox.sentCount += 1
            defer { inbox.isBatchPending = true }
            return !inbox.isBatchPending
        }
        // Until they have been told, monitors find the manager of their tasks.
        if isFirst { beginBatch(holding: event.task.delegate.manager) }
    }

    private func beginBatch(holding manager: SessionManager?) {
        queue.async(
            execute: work.counting { [self] in
                handleBatch(holding: manager)
            })
    }

    private func handleBatch(holding manager: SessionManager?) {
        let (handler, events, count) = inbox.withLock { inbox in
            defer { inbox.events = [] }
            return (inbox.handler, inbox.events, inbox.sentCount)
        }
        if let handler, !events.isEmpty { handler(events) }
        let (hasMore, told) = inbox.withLock { inbox in
            inbox.isBatchPending = !inbox.events.isEmpty
            inbox.toldCount = count
            let told = inbox.waiting.filter { $0.count <= count }
            inbox.waiting.removeAll { $0.count <= count }
            return (inbox.isBatchPending, told)
        }
        for waiter in told { waiter.continuation.resume() }
        if hasMore { beginBatch(holding: manager) }
    }

    /// Waits until the monitor was told of what has happened so far.
    func flush() async {
        await withCheckedContinuation { continuation in
            let isDone = inbox.withLock { inbox in
                let isDone = inbox.toldCount == inbox.sentCount
                if !isDone { inbox.waiting.append((inbox.sentCount, continuation)) }
                return isDone
            }
            if isDone { continuation.resume() }
        }
    }
}
