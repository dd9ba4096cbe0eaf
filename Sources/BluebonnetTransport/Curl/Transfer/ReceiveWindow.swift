import Synchronization

/// The bytes of a response's body that the sink holds, and how many it may hold.
///
/// The loop asks and adds, and any thread consumes.
struct ReceiveWindow: ~Copyable, Sendable {
    /// Nil for any number of bytes.
    private let limits: WindowLimits?
    private let outstanding = Atomic<Int>(0)
    /// Whether the loop waits for the sink to consume some.
    private let isLoopWaiting = Atomic<Bool>(false)

    init(size: Int?) {
        limits = size.map(WindowLimits.init)
    }

    /// Whether nothing more is received until the sink has consumed some.
    var isExhausted: Bool { isLoopWaiting.load(ordering: .relaxed) }

    /// How many bytes the sink holds; 0 where it may hold any number.
    var outstandingCount: Int { outstanding.load(ordering: .relaxed) }

    /// Returns whether the sink may have more; if not, ``consume(_:)`` tells when it may.
    func hasRoom() -> Bool {
        guard let limits, limits.isFull(at: outstanding.load(ordering: .sequentiallyConsistent))
        else { return true }
        isLoopWaiting.store(true, ordering: .sequentiallyConsistent)
        // The sink may have consumed everything between the two.
        guard limits.hasRoomAgain(at: outstanding.load(ordering: .sequentiallyConsistent)) else {
            return false
        }
        isLoopWaiting.store(false, ordering: .sequentiallyConsistent)
        return true
    }

    /// Counts bytes that the sink is given.
    func add(_ count: Int) {
        guard limits != nil else { return }
        outstanding.add(count, ordering: .sequentiallyConsistent)
    }

    /// Counts bytes that the sink needs no more; true if the loop is to be told that it may go on.
    func consume(_ count: Int) -> Bool {
        guard let limits else { return false }
        let left = outstanding.subtract(count, ordering: .sequentiallyConsistent).newValue
        return limits.hasRoomAgain(at: left)
            && isLoopWaiting.exchange(false, ordering: .sequentiallyConsistent)
    }
}
