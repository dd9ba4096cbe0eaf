import BluebonnetTransport
import Dispatch
import Synchronization

/// The receivers of events of a manager's tasks: hooks, monitors and notification observers.
///
/// Tasks use it without the manager and its locks.
package final class TaskEventAudience: Sendable {
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

    /// The kinds of events that can have a hook.
    var hooked: TaskEvent.Interests {
        get { TaskEvent.Interests(rawValue: hookInterests.load(ordering: .acquiring)) }
        set { hookInterests.store(newValue.rawValue, ordering: .releasing) }
    }

    /// The kinds of events that monitors or notification observers receive.
    var monitored: TaskEvent.Interests {
        var interests = TaskEvent.Interests(
            rawValue: monitorInterests.load(ordering: .acquiring))
        if notifications.isNeeded { interests.formUnion(.notified) }
        return interests
    }

    /// Returns whether there are receivers for any of the given kinds of events.
    func hears(_ interests: TaskEvent.Interests) -> Bool {
        !hooked.union(monitored).isDisjoint(with: interests)
    }

    // MARK: Monitors

    func add(
        interests: TaskEvent.Interests,
        currentInterests: (@Sendable () -> TaskEvent.Interests)? = nil,
        queue: DispatchQueue,
        handler: @escaping @Sendable ([TaskEvent]) -> Void,
        members: [TaskEventSubscription] = []
    ) -> TaskEventSubscription {
        let subscription = TaskEventSubscription(
            interests: interests, currentInterests: currentInterests, queue: queue,
            handler: handler, members: members, audience: self, work: work)
        change { $0.append(subscription) }
        return subscription
    }

    func setInterests(_ interests: TaskEvent.Interests, of subscription: TaskEventSubscription) {
        change { _ in subscription.interests = interests }
    }

    func remove(_ subscription: TaskEventSubscription) {
        change { $0.removeAll { $0 === subscription } }
    }

    /// Ends all subscriptions, but still delivers pending events.
    ///
    /// A monitor can retain events, and thereby tasks that retain the monitor.
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
        // Released outside the lock, because deinitializers of monitors can use the manager.
        withExtendedLifetime(former) {}
    }

    /// Sends an event to monitors and notification observers, without waiting for them.
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

    /// Waits until monitors have received all events so far.
    func flush() async {
        for subscription in subscriptions.withLock({ $0 }) { await subscription.flush() }
    }
}

extension TaskEvent.Interests {
    /// The kinds of events that have notifications.
    fileprivate static let notified: Self = [
        .resumed, .suspended, .cancelled, .movedFile, .failedToMoveFile, .delivered,
    ]
}

extension TaskEvent {
    /// Returns the notification of the event, or nil if it has none.
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
        // If notifications were not needed when the task ended, there is no content.
        case .delivered: content.map { notification(.taskDidComplete, $0) }
        default: nil
        }
    }
}

/// The content of the notification of a failed move.
private final class MoveFailure: NotificationContent {
    private let failure: FileFailure

    init(_ failure: FileFailure) {
        self.failure = failure
    }

    var userInfo: [AnyHashable: Any] { [SessionTask.NotificationKey.error: failure] }
}
