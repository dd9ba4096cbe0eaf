public import Foundation

// They are for those who observe the default center when something happens: until it has had its first
// observer, none is made.
extension SessionTask {
    /// Posted after a task was resumed; its object is the task.
    public static let didResumeNotification =
        Notification.Name("com.bluebonnet.task.resume")
    /// Posted after a running task was suspended; its object is the task.
    public static let didSuspendNotification =
        Notification.Name("com.bluebonnet.task.suspend")
    /// Posted after a task was told to cancel; its object is the task.
    public static let didCancelNotification =
        Notification.Name("com.bluebonnet.task.cancel")
    /// Posted after a task's handler has returned, usually within ten milliseconds; its object is the
    /// task, and its `userInfo` has the keys of ``NotificationKey``.
    ///
    /// Like all of them it is for those who observe by then: who begins to after an `await` on the
    /// response may be too late.
    public static let didCompleteNotification =
        Notification.Name("com.bluebonnet.task.complete")

    /// The `userInfo` keys of ``didCompleteNotification``.
    public enum NotificationKey {
        /// The body, `Data`; absent for a download with a file.
        public static let responseData = "com.bluebonnet.task.complete.responseData"
        /// What the serializer made of the body; absent when there is nothing.
        ///
        /// It is the value itself, so whoever prints the notification prints the body.
        public static let serializedResponse = "com.bluebonnet.task.complete.serializedResponse"
        /// The response serializer that the task used.
        public static let responseSerializer = "com.bluebonnet.task.complete.responseSerializer"
        /// The `URL` of a downloaded file.
        public static let assetPath = "com.bluebonnet.task.complete.assetPath"
        /// The ``BluebonnetError`` of a failed task.
        public static let error = "com.bluebonnet.task.complete.error"
        /// The ``TaskMetrics``; absent when nothing was sent.
        public static let metrics = "com.bluebonnet.task.complete.metrics"
    }
}

extension DownloadTask {
    /// Posted after a download's file was moved to its destination; its object is the task.
    public static let didMoveFileNotification =
        Notification.Name("com.bluebonnet.task.download.move")
    /// Posted after a download's file could not be moved, which fails the task; its object is the
    /// task, and its `userInfo` has the ``FileFailure`` under ``SessionTask/NotificationKey/error``.
    public static let didFailToMoveFileNotification =
        Notification.Name("com.bluebonnet.task.download.move-failure")
}

extension SessionManager {
    /// Posted when the last task of an invalidated session has completed; its object is the manager.
    ///
    /// That can be before the last completion handlers have run.
    public static let didInvalidateNotification =
        Notification.Name("com.bluebonnet.session.invalidate")
}

/// What a notification tells beside its object.
protocol NotificationContent: AnyObject, Sendable {
    /// Made when the notification is posted, out of everybody's way.
    var userInfo: [AnyHashable: Any] { get }
}

/// Something to be posted.
struct PendingNotification: Sendable {
    var name: Notification.Name
    var object: any AnyObject & Sendable
    var content: (any NotificationContent)?

    /// Posts on a serial queue of the manager's own.
    ///
    /// An observer that was registered with a queue makes the poster wait for that queue, so nothing
    /// else ever waits for this one.
    static func makeQueue() -> BatchQueue<PendingNotification> {
        // Now, since that takes a while the first time, and posting is done under a task's lock.
        _ = NotificationObservers.ofDefaultCenter
        return BatchQueue(label: "bluebonnet.notifications", urgency: .low) { pending in
            NotificationCenter.default.post(
                name: pending.name,
                object: pending.object,
                userInfo: pending.content?.userInfo
            )
        }
    }
}

extension BatchQueue<PendingNotification> {
    /// Posts the notification if there can be somebody who hears it.
    func post(
        _ name: Notification.Name,
        of object: any AnyObject & Sendable,
        _ content: (any NotificationContent)? = nil
    ) {
        guard NotificationObservers.ofDefaultCenter.mayExist else { return }
        send(PendingNotification(name: name, object: object, content: content))
    }
}
