public import Foundation

// Computed, because the library posts only after a name was read: see `NotificationNames`.
extension SessionTask {
    /// Posted after a task is resumed, with the task as its object.
    public static var didResumeNotification: Notification.Name {
        NotificationNames.shared.read(.taskDidResume)
    }
    /// Posted after a running task is suspended, with the task as its object.
    public static var didSuspendNotification: Notification.Name {
        NotificationNames.shared.read(.taskDidSuspend)
    }
    /// Posted after a task's cancellation is requested, with the task as its object.
    public static var didCancelNotification: Notification.Name {
        NotificationNames.shared.read(.taskDidCancel)
    }
    /// Posted after a task's handler has returned, usually within 10 milliseconds.
    ///
    /// The object is the task, and the `userInfo` has the keys of ``NotificationKey``. Register the
    /// observer before the task is resumed. Notifications are posted once any of their names has
    /// been read, or always with ``SessionConfiguration/postsNotifications``.
    public static var didCompleteNotification: Notification.Name {
        NotificationNames.shared.read(.taskDidComplete)
    }

    /// The `userInfo` keys of ``didCompleteNotification``.
    public enum NotificationKey {
        /// The body as `Data`, absent for a download to a file.
        public static let responseData = "com.bluebonnet.task.complete.responseData"
        /// The value that the serializer created from the body, absent if there is none.
        ///
        /// It is the value itself, so printing the notification prints the body.
        public static let serializedResponse = "com.bluebonnet.task.complete.serializedResponse"
        /// The response serializer that the task used.
        public static let responseSerializer = "com.bluebonnet.task.complete.responseSerializer"
        /// The `URL` of a downloaded file.
        public static let assetPath = "com.bluebonnet.task.complete.assetPath"
        /// The ``BluebonnetError`` of a failed task.
        public static let error = "com.bluebonnet.task.complete.error"
        /// The ``TaskMetrics``, absent if nothing was sent.
        public static let metrics = "com.bluebonnet.task.complete.metrics"
    }
}

extension DownloadTask {
    /// Posted after a download's file was moved to its destination, with the task as its object.
    public static var didMoveFileNotification: Notification.Name {
        NotificationNames.shared.read(.downloadDidMoveFile)
    }
    /// Posted after a download's file could not be moved, which fails the task.
    ///
    /// The object is the task, and the `userInfo` has the ``FileFailure`` under
    /// ``SessionTask/NotificationKey/error``.
    public static var didFailToMoveFileNotification: Notification.Name {
        NotificationNames.shared.read(.downloadDidFailToMoveFile)
    }
}

extension SessionManager {
    /// Posted when the last task of an invalidated session has completed.
    ///
    /// The object is the manager. The last completion handlers might not have run yet.
    public static var didInvalidateNotification: Notification.Name {
        NotificationNames.shared.read(.sessionDidInvalidate)
    }
}
