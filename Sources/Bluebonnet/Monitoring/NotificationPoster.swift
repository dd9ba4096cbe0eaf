import Foundation

/// Posts a manager's notifications on its own serial queue.
///
/// If an observer is registered with an operation queue, posting waits for that queue. No other
/// code may therefore wait for the poster's queue.
final class NotificationPoster: Sendable {
    let queue: BatchQueue<PendingNotification>
    private let postsAlways: Bool
    private let names: NotificationNames
    private let work: SessionWork

    /// Creates a poster that posts either always, or after one of the names was read.
    init(
        postsAlways: Bool,
        names: NotificationNames = .shared,
        center: NotificationCenter = .default,
        pool: HandlerPool = .shared,
        work: SessionWork = SessionWork(.system)
    ) {
        self.postsAlways = postsAlways
        self.names = names
        self.work = work
        queue = BatchQueue(label: "bluebonnet.notifications", urgency: .low, pool: pool) {
            pending in
            center.post(
                name: pending.event.name,
                object: pending.object,
                userInfo: pending.content?.userInfo
            )
            work.end()
        }
    }

    /// Whether notifications have to be created.
    var isNeeded: Bool { postsAlways || names.wereRead }

    /// Posts a notification if it is needed.
    func post(
        _ event: NotificationNames.Event,
        of object: any AnyObject & Sendable,
        _ content: (any NotificationContent)? = nil
    ) {
        guard isNeeded else { return }
        post(PendingNotification(event: event, object: object, content: content))
    }

    /// Posts a notification that is already known to be needed.
    func post(_ notification: PendingNotification) {
        work.begin()
        queue.send(notification)
    }
}

/// A notification that has not been posted yet.
struct PendingNotification: Sendable {
    var event: NotificationNames.Event
    var object: any AnyObject & Sendable
    var content: (any NotificationContent)?
}

/// The content of a notification, besides its object.
protocol NotificationContent: AnyObject, Sendable {
    /// The user info, created when the notification is posted.
    var userInfo: [AnyHashable: Any] { get }
}
