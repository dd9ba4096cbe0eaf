import Foundation
import Synchronization

/// Whether anybody observes a notification center, for whatever name and object.
///
/// Two posts that nobody hears are a seventh of a small request's instructions, and Foundation does
/// not say whether somebody would hear. A center that nobody has observed yet refers to the one
/// storage that all empty dictionaries share; that reference is what is looked at. It is set once, by
/// the first observer: neither further ones nor their removal put that storage back, even for a
/// moment. Where the reference may be elsewhere, in a version of Foundation that is not known or that
/// does not pass the trial below, observers are taken to exist, and everything is posted.
///
/// `@unchecked Sendable`: nothing here changes; of what others change one word is read, atomically.
struct NotificationObservers: @unchecked Sendable {
    static let ofDefaultCenter = NotificationObservers(of: .default)

    /// Kept, so that there is something to look at.
    private let center: NotificationCenter
    private let reference: UnsafeRawPointer?

    init(of center: NotificationCenter, offset: Int? = Self.knownOffset) {
        self.center = center
        reference = offset.flatMap { offset in
            type(of: center) == NotificationCenter.self && Self.passTrial(offset)
                ? Self.reference(in: center, offset) : nil
        }
    }

    /// False only while there are none: an observer that was registered before is never missed.
    ///
    /// True from the first one on, also when the last is gone.
    var mayExist: Bool {
        guard let reference else { return true }
        return reference.word != Self.emptyStorage
    }

    // What is read there may mean something else in another version, in which further kinds of
    // observers may be kept elsewhere. With a compiler that is not known, tests and the budget fail
    // until somebody has looked where its Foundation keeps them.
    #if compiler(<6.4) && _pointerBitWidth(_64)
    static let knownOffset: Int? = 24
    #else
    static let knownOffset: Int? = nil
    #endif

    private static let emptyStorage = unsafeBitCast([String: Int](), to: UInt.self)

    // Within the object, as each of a known version has more bytes than that.
    private static func reference(
        in center: NotificationCenter, _ offset: Int
    ) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(center).toOpaque()) + offset
    }

    /// Whether an observer of each kind changes the reference of a new center.
    private static func passTrial(_ offset: Int) -> Bool {
        let (name, object) = (TrialMessage.name, TrialMessage.Subject())
        let kinds: [(NotificationCenter) -> Void] = [
            { center in observe(center, name, object) },
            { center in observe(center, name, nil) },
            { center in observe(center, nil, object) },
            { center in observe(center, nil, nil) },
            { center in
                let token = center.addObserver(of: object, for: TrialMessage.self) { _ in }
                center.removeObserver(token)
            },
        ]
        return kinds.allSatisfy { observe in
            let center = NotificationCenter()
            let reference = reference(in: center, offset)
            guard reference.word == emptyStorage else { return false }
            observe(center)
            return reference.word != emptyStorage
        }
    }

    private static func observe(
        _ center: NotificationCenter, _ name: Notification.Name?, _ object: AnyObject?
    ) {
        center.removeObserver(
            center.addObserver(forName: name, object: object, queue: nil) { _ in })
    }
}

extension UnsafeRawPointer {
    /// The word there, which another thread may be changing.
    fileprivate var word: UInt {
        // It is laid out like a word of its own.
        assumingMemoryBound(to: Atomic<UInt>.self).pointee.load(ordering: .relaxed)
    }
}

private struct TrialMessage: NotificationCenter.AsyncMessage {
    final class Subject: Sendable {}

    static var name: Notification.Name { Notification.Name("com.bluebonnet.trial") }
}
