import Foundation

/// Posts a manager's notifications on a serial queue of its own.
///
/// An observer that was registered with an operation queue makes the poster wait for that queue, so
/// nothing else may wait for this one.
final class NotificationPoster: Sendable {
    let queue: BatchQueue<PendingNotification>
    private let postsAlways: Bool
    private let names: NotificationNames
    private let work: SessionWork

    /// Makes a poster that posts always, or from the moment that one of the names is read.
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

    /// Posts a notification that was found to be needed before.
    func post(_ notification: PendingNotification) {
        work.begin()
        queue.send(notification)
    }
}

/// A notification that is yet to be posted.
struct PendingNotification: Sendable {
    var event: NotificationNames.Event
    var object: any AnyObject & Sendable
    var content: (any NotificationContent)?
}

/// What a notification carries beside its object.
protocol NotificationContent: AnyObject, Sendable {
    /// Created when the notification is posted.
    var userInfo: [AnyHashable: Any] { get }
}
