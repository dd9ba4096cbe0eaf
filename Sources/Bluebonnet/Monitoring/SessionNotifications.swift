public import Foundation

// Computed, because reading a name is what makes the library post: see `NotificationNames`.
extension SessionTask {
    /// Posted after a task was resumed; its object is the task.
    public static var didResumeNotification: Notification.Name {
        NotificationNames.shared.read(.taskDidResume)
    }
    /// Posted after a running task was suspended; its object is the task.
    public static var didSuspendNotification: Notification.Name {
        NotificationNames.shared.read(.taskDidSuspend)
    }
    /// Posted after a task was told to cancel; its object is the task.
    public static var didCancelNotification: Notification.Name {
        NotificationNames.shared.read(.taskDidCancel)
    }
    /// Posted after a task's handler has returned, usually within ten milliseconds; its object is the
    /// task, and its `userInfo` has the keys of ``NotificationKey``.
    ///
    /// Register the observer before the task is resumed. Notifications are posted from the moment
    /// that one of their names is first read, or always with
    /// ``SessionConfiguration/postsNotifications``.
    public static var didCompleteNotification: Notification.Name {
        NotificationNames.shared.read(.taskDidComplete)
    }

    /// The `userInfo` keys of ``didCompleteNotification``.
    public enum NotificationKey {
        /// The body, `Data`; absent for a download with a file.
        public static let responseData = "com.bluebonnet.task.complete.responseData"
        /// What the serializer made of the body; absent when there is nothing.
        ///
        /// It is the value itself, so printing the notification prints the body.
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
    public static var didMoveFileNotification: Notification.Name {
        NotificationNames.shared.read(.downloadDidMoveFile)
    }
    /// Posted after a download's file could not be moved, which fails the task; its object is the
    /// task, and its `userInfo` has the ``FileFailure`` under ``SessionTask/NotificationKey/error``.
    public static var didFailToMoveFileNotification: Notification.Name {
        NotificationNames.shared.read(.downloadDidFailToMoveFile)
    }
}

extension SessionManager {
    /// Posted when the last task of an invalidated session has completed; its object is the manager.
    ///
    /// That can be before the last completion handlers have run.
    public static var didInvalidateNotification: Notification.Name {
        NotificationNames.shared.read(.sessionDidInvalidate)
    }
}
