import BluebonnetTransport
import Dispatch
import Synchronization

/// Who is told of the events of a manager's tasks: hooks, monitors, and observers of notifications.
///
/// A task asks it without the manager and its locks.
final class TaskEventAudience: Sendable {
    private let hookInterests = Atomic<UInt32>(0)
    private let monitorInterests = Atomic<UInt32>(0)
    private let subscriptions = Locked<[TaskEventSubscription]>([])
    let notifications: NotificationPoster
    private let work: SessionWork

    init(notifications: NotificationPoster, work: SessionWork = SessionWork(.system)) {
        self.notifications = notifications
        self.work = work
    }

    // MARK: Interests

    /// The kinds of events for which there may be a hook.
    var hooked: TaskEvent.Interests {
        get { TaskEvent.Interests(rawValue: hookInterests.load(ordering: .acquiring)) }
        set { hookInterests.store(newValue.rawValue, ordering: .releasing) }
    }

    /// The kinds of events that monitors or observers of notifications are told of.
    var monitored: TaskEvent.Interests {
        var interests = TaskEvent.Interests(
            rawValue: monitorInterests.load(ordering: .acquiring))
        if notifications.isNeeded { interests.formUnion(.notified) }
        return interests
    }

    /// Whether anybody is told of events of a kind.
    func hears(_ interests: TaskEvent.Interests) -> Bool {
        !hooked.union(monitored).isDisjoint(with: interests)
    }

    // MARK: Monitors

    func add(
        interests: TaskEvent.Interests,
        queue: DispatchQueue,
        handler: @escaping @Sendable ([TaskEvent]) -> Void,
        members: [TaskEventSubscription] = []
    ) -> TaskEventSubscription {
        let subscription = TaskEventSubscription(
            interests: interests, queue: queue, handler: handler, members: members,
            audience: self, work: work)
        change { $0.append(subscription) }
        return subscription
    }

    func remove(_ subscription: TaskEventSubscription) {
        change { $0.removeAll { $0 === subscription } }
    }

    /// Ends all subscriptions, though what is on its way is told.
    ///
    /// A monitor may keep events, whose tasks would keep it in turn.
    func removeAll() {
        change { $0 = [] }
    }

    private func change(_ change: (inout [TaskEventSubscription]) -> Void) {
        let former = subscriptions.withLock { subscriptions in
            let former = subscriptions
            change(&subscriptions)
            let interests = subscriptions.reduce(into: TaskEvent.Interests()) {
                $0.formUnion($1.interests)
            }
            monitorInterests.store(interests.rawValue, ordering: .releasing)
            return former
        }
        // Let go outside the lock: what a monitor holds may use the manager as it goes.
        withExtendedLifetime(former) {}
    }

    /// Tells monitors and observers of notifications; never waits for them.
    func tell(_ event: TaskEvent, _ content: (any NotificationContent)?) {
        let interest = event.kind.interest
        if notifications.isNeeded, let notification = event.notification(with: content) {
            notifications.post(notification)
        }
        for subscription in subscriptions.withLock({ $0 })
        where !subscription.interests.isDisjoint(with: interest) {
            subscription.send(event)
        }
    }

    /// Waits until monitors were told of what has happened so far.
    func flush() async {
        for subscription in subscriptions.withLock({ $0 }) { await subscription.flush() }
    }
}

extension TaskEvent.Interests {
    /// What there are notifications of.
    fileprivate static let notified: Self = [
        .resumed, .suspended, .cancelled, .movedFile, .failedToMoveFile, .delivered,
    ]
}

extension TaskEvent {
    /// The notification of the event; nil where there is none.
    fileprivate func notification(
        with content: (any NotificationContent)?
    ) -> PendingNotification? {
        func notification(
            _ name: NotificationNames.Event, _ content: (any NotificationContent)? = nil
        ) -> PendingNotification {
            PendingNotification(event: name, object: task, content: content)
        }
        return switch kind {
        case .resumed: notification(.taskDidResume)
        case .suspended: notification(.taskDidSuspend)
        case .cancelled: notification(.taskDidCancel)
        case .movedFile: notification(.downloadDidMoveFile)
        case .failedToMoveFile(let failure):
            notification(.downloadDidFailToMoveFile, MoveFailure(failure))
        // There is no content where notifications were not needed yet when the task ended.
        case .delivered: content.map { notification(.taskDidComplete, $0) }
        default: nil
        }
    }
}

/// What observers hear of a move that failed.
private final class MoveFailure: NotificationContent {
    private let failure: FileFailure

    init(_ failure: FileFailure) {
        self.failure = failure
    }

    var userInfo: [AnyHashable: Any] { [SessionTask.NotificationKey.error: failure] }
}
