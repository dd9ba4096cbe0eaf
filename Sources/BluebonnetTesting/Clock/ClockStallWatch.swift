import Bluebonnet
import Dispatch

/// Whether a clock has changed since a watch began.
struct ClockStallWatch {
    /// The number of changes of the clock.
    var changeCount = 0
    /// Whether a standstill was reported, which happens at most once.
    var isReported = false
    private var isWatched = false

    /// Returns the number of changes so far, or nil if a watch is under way or no longer needed.
    mutating func beginWatch() -> Int? {
        if isWatched || isReported { return nil }
        isWatched = true
        return changeCount
    }

    /// Returns whether nothing has changed since the watch began.
    mutating func endWatch(since count: Int) -> Bool {
        isWatched = false
        return count == changeCount
    }
}

extension ManualClock {
    /// Looks later whether anything has happened meanwhile.
    func watchForStandstill() {
        guard let count = state.withLock({ $0.standstill.beginWatch() }) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in
            self?.checkForStandstill(since: count)
        }
    }

    private func checkForStandstill(since count: Int) {
        let (deadline, now, hasEnded) = state.withLock { state in
            let isMoved =
                state.workCount > 0 || !state.bodies.isEmpty || !state.waiting.isEmpty
            let stands = state.standstill.endWatch(since: count) && !isMoved
            let deadline = state.timers.nextDeadline
            if stands, deadline != nil { state.standstill.isReported = true }
            return (stands ? deadline : nil, state.now, deadline == nil)
        }
        if let deadline {
            report(
                """
                ManualClock: a timer is due at \(deadline / .seconds(1)) s, and nothing moves the \
                clock, which is at \(now / .seconds(1)) s. If a call waits for it, wrap the call in \
                clock.run { … }, or call advance(by:).
                """)
        } else if !hasEnded {
            watchForStandstill()
        }
    }
}
