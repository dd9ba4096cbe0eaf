import Synchronization

/// The number of bytes of a response's body that the sink holds, and the limit on them.
///
/// The loop thread checks and adds. Any thread can consume.
struct ReceiveWindow: ~Copyable, Sendable {
    /// The limits, or nil for any number of bytes.
    private let limits: WindowLimits?
    private let outstanding = Atomic<Int>(0)
    /// Whether the loop waits for the sink to consume bytes.
    private let isLoopWaiting = Atomic<Bool>(false)

    init(size: Int?) {
        limits = size.map(WindowLimits.init)
    }

    /// Whether receiving is stopped until the sink has consumed bytes.
    var isExhausted: Bool { isLoopWaiting.load(ordering: .relaxed) }

    /// The number of bytes that the sink holds, or 0 if it may hold any number.
    var outstandingCount: Int { outstanding.load(ordering: .relaxed) }

    /// Returns whether the sink may receive more bytes.
    ///
    /// If not, ``consume(_:)`` returns true once it may.
    func hasRoom() -> Bool {
        guard let limits, limits.isFull(at: outstanding.load(ordering: .sequentiallyConsistent))
        else { return true }
        isLoopWaiting.store(true, ordering: .sequentiallyConsistent)
        // The sink may have consumed everything between the two checks.
        guard limits.hasRoomAgain(at: outstanding.load(ordering: .sequentiallyConsistent)) else {
            return false
        }
        isLoopWaiting.store(false, ordering: .sequentiallyConsistent)
        return true
    }

    /// Counts bytes that are passed to the sink.
    func add(_ count: Int) {
        guard limits != nil else { return }
        outstanding.add(count, ordering: .sequentiallyConsistent)
    }

    /// Counts bytes that the sink no longer needs, and returns whether the loop must be notified to
    /// continue.
    func consume(_ count: Int) -> Bool {
        guard let limits else { return false }
        let left = outstanding.subtract(count, ordering: .sequentiallyConsistent).newValue
        return limits.hasRoomAgain(at: left)
            && isLoopWaiting.exchange(false, ordering: .sequentiallyConsistent)
    }
}
