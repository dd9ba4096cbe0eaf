import CBluebonnet
import Foundation

/// Whether anybody observes a notification center, for whatever name and object.
///
/// Two posts that nobody hears are a tenth of a small request's cost, and Foundation does not say
/// whether somebody would hear. A center without observers refers to the one storage that all empty
/// dictionaries share; that reference is what is looked at. Where it may be elsewhere, in a version of
/// Foundation that is not known or that does not pass the trial below, observers are taken to exist,
/// and everything is posted.
///
/// `@unchecked Sendable`: nothing here changes; of what others change one word is read, atomically.
struct NotificationObservers: @unchecked Sendable {
    static let ofDefaultCenter = NotificationObservers(of: .default)

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
    /// True from the first observer on, also when the last is gone.
    var mayExist: Bool {
        guard let reference else { return true }
        return bb_word_at(reference) != Self.emptyStorage
    }

    // What is read there may mean something else in another version, in which further kinds of
    // observers may be kept elsewhere.
    #if compiler(<6.4)
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

    /// Whether each kind of observer changes the reference of a new center.
    private static func passTrial(_ offset: Int) -> Bool {
        let (name, object) = (Notification.Name("com.bluebonnet.trial"), NotificationCenter())
        let kinds = [(name, object), (name, nil), (nil, object), (nil, nil)]
        return kinds.allSatisfy { name, object in
            let center = NotificationCenter()
            let reference = reference(in: center, offset)
            guard bb_word_at(reference) == emptyStorage else { return false }
            let token = center.addObserver(forName: name, object: object, queue: nil) { _ in }
            defer { center.removeObserver(token) }
            return bb_word_at(reference) != emptyStorage
        }
    }
}
