import Bluebonnet

/// A counter for several threads.
final class Count: Sendable {
    private let value = Locked(0)

    var current: Int { value.withLock { $0 } }

    func increment() {
        value.withLock { $0 += 1 }
    }
}
