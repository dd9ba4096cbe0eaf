import Foundation
import Synchronization

/// The names of the library's notifications, and whether any of them was read.
///
/// To observe a notification by name, code must first read the name. The library posts by
/// ``Event``, which does not count as reading a name.
final class NotificationNames: Sendable {
    /// The instance that the public properties use.
    static let shared = NotificationNames()

    enum Event: String {
        case taskDidResume = "com.bluebonnet.task.resume"
        case taskDidSuspend = "com.bluebonnet.task.suspend"
        case taskDidCancel = "com.bluebonnet.task.cancel"
        case taskDidComplete = "com.bluebonnet.task.complete"
        case downloadDidMoveFile = "com.bluebonnet.task.download.move"
        case downloadDidFailToMoveFile = "com.bluebonnet.task.download.move-failure"
        case sessionDidInvalidate = "com.bluebonnet.session.invalidate"

        /// The name, for posting.
        var name: Notification.Name { Notification.Name(rawValue) }
    }

    private let isRead = Atomic(false)

    /// Whether any name was read, so that an observer by name can exist.
    var wereRead: Bool { isRead.load(ordering: .relaxed) }

    /// Returns the name of an event, and records that it was read.
    func read(_ event: Event) -> Notification.Name {
        isRead.store(true, ordering: .relaxed)
        return event.name
    }
}
