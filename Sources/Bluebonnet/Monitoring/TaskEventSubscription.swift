import BluebonnetTransport
import Dispatch
import Synchronization

/// A monitor's subscription to the events of a manager's tasks.
///
/// It lasts until ``cancel()`` is called or the manager is released, even if the subscription is
/// not retained.
public final class TaskEventSubscription: Sendable {
    private struct Inbox {
        /// The handler, or nil after cancellation.
        var handler: (@Sendable ([TaskEvent]) -> Void)?
        /// Returns the kinds of events that the monitor receives from now on, if they can change.
        var currentInterests: (@Sendable () -> TaskEvent.Interests)?
        var events: [TaskEvent] = []
        /// Whether a batch is scheduled or being handled.
        var isBatchPending = false
        /// The numbers of events sent to the subscription and handled by the monitor.
        var sentCount = 0
        var toldCount = 0
        /// The callers of ``TaskEventSubscription/flush()``, with the count that each waits for.
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let interestBits: Atomic<UInt32>
    private let queue: DispatchQueue
    private let inbox: Locked<Inbox>
    private weak let audience: TaskEventAudience?
    /// The subscriptions of the monitors in a composite.
    private let members: [TaskEventSubscription]
    private let work: SessionWork

    init(
        interests: TaskEvent.Interests,
        currentInterests: (@Sendable () -> TaskEvent.Interests)?,
        queue: DispatchQueue,
        handler: @escaping @Sendable ([TaskEvent]) -> Void,
        members: [TaskEventSubscription],
        audience: TaskEventAudience,
        work: SessionWork
    ) {
        self.work = work
        interestBits = Atomic(interests.rawValue)
        self.queue = queue
        self.audience = audience
        self.members = members
        inbox = Locked(Inbox(handler: handler, currentInterests: currentInterests))
    }

    /// The kinds of events that the monitor receives.
    var interests: TaskEvent.Interests {
        get { TaskEvent.Interests(rawValue: interestBits.load(ordering: .acquiring)) }
        set { interestBits.store(newValue.rawValue, ordering: .releasing) }
    }

    /// Asks the monitor which kinds of events it receives from now on.
    package func updateInterests() {
        guard let current = inbox.withLock({ $0.currentInterests }) else { return }
        var new = current()
        // Again, because a change on another thread could be recorded first.
        while new != interests {
            audience?.setInterests(new, of: self)
            guard audience != nil else { return }
            new = current()
        }
    }

    /// Whether the subscription was canceled.
    var isCancelled: Bool { inbox.withLock { $0.handler == nil } }

    /// Cancels the subscription and releases the monitor.
    ///
    /// The monitor receives no more events, not even pending ones. A batch that is being handled on
    /// another thread continues to its end.
    public func cancel() {
        for member in members { member.cancel() }
        audience?.remove(self)
        // Released outside the lock, because deinitializers of the handler's values can use the
        // manager.
        let former = inbox.withLock { inbox in
            defer {
                (inbox.handler, inbox.currentInterests, inbox.events) = (nil, nil, [])
            }
            return (inbox.handler, inbox.currentInterests, inbox.events)
        }
        withExtendedLifetime(former) {}
    }

    /// Cancels the subscription after the monitor has received all events so far.
    package func end() async {
        await flush()
        cancel()
    }

    /// Adds an event to the next batch.
    func send(_ event: TaskEvent) {
        let isFirst = inbox.withLock { inbox in
            guard inbox.handler != nil else { return false }
            inbox.events.append(event)
            inbox.sentCount += 1
            defer { inbox.isBatchPending = true }
            return !inbox.isBatchPending
        }
        // The batch retains the manager, so that monitors can reach it through their tasks.
        if isFirst { beginBatch(holding: event.task.delegate.manager) }
    }

    private func beginBatch(holding manager: SessionManager?) {
        queue.async(
            execute: work.counting { [self] in
                handleBatch(holding: manager)
            })
    }

    private func handleBatch(holding manager: SessionManager?) {
        let (handler, events, count, canChange) = inbox.withLock { inbox in
            defer { inbox.events = [] }
            return (
                inbox.handler, inbox.events, inbox.sentCount, inbox.currentInterests != nil
            )
        }
        if let handler, !events.isEmpty { handler(events) }
        // Now it is known whether the monitor uses the pieces of bodies, which are expensive.
        if canChange, events.contains(where: { $0.kind.interest == .receivedData }) {
            updateInterests()
        }
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

    /// Waits until the monitor has received all events so far.
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
