public import Bluebonnet

// Alamofire's names for the notifications. Their object is the task.
extension Request {
    /// Posted when a request has ended and its handlers have returned:
    /// ``/Bluebonnet/SessionTask/didCompleteNotification``.
    public static var didFinishNotification: Notification.Name {
        SessionTask.didCompleteNotification
    }
    /// Posted when the task of a request is resumed:
    /// ``/Bluebonnet/SessionTask/didResumeNotification``.
    public static var didResumeTaskNotification: Notification.Name {
        SessionTask.didResumeNotification
    }
    /// Posted when the task of a request is suspended:
    /// ``/Bluebonnet/SessionTask/didSuspendNotification``.
    public static var didSuspendTaskNotification: Notification.Name {
        SessionTask.didSuspendNotification
    }
    /// Posted when the task of a request is canceled:
    /// ``/Bluebonnet/SessionTask/didCancelNotification``.
    public static var didCancelTaskNotification: Notification.Name {
        SessionTask.didCancelNotification
    }
    /// Posted when the task of a request has ended and its handlers have returned:
    /// ``/Bluebonnet/SessionTask/didCompleteNotification``.
    public static var didCompleteTaskNotification: Notification.Name {
        SessionTask.didCompleteNotification
    }
}

extension Notification {
    /// The request that the notification is about; nil for other notifications.
    public var request: Request? { object as? SessionTask }
}
