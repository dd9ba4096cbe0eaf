import Foundation
import Synchronization

/// The names of the library's notifications, and whether one of them was read.
///
/// An observer by name has to read the name first. The library itself posts by ``Event``, which does
/// not count as reading.
final class NotificationNames: Sendable {
    /// The names that the public properties read.
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

    /// Whether any name was read, so that an observer by name may exist.
    var wereRead: Bool { isRead.load(ordering: .relaxed) }

    /// Returns an event's name to a possible observer.
    func read(_ event: Event) -> Notification.Name {
        isRead.store(true, ordering: .relaxed)
        return event.name
    }
}
