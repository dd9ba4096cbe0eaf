extension Exchange {
    /// Makes the transport the one that tells ``clock`` of this exchange's work.
    ///
    /// A session on a ``WorkObservingClock`` counts each exchange as work from begin to end, so that time stands still
    /// meanwhile. An exchange that waits for that clock, as one of a stub with a delay does, would wait for ever: call
    /// this before it begins, and tell the clock of everything else that happens until its end. A transport that holds
    /// up the exchanges of another one does so too, and passes them on through
    /// ``Transport/countingWork(on:)``. Any thread may call it; without such a clock it does nothing.
    public func takeOverWork() { work?.change { $0.isTakenOver = true } }
}

/// Whether one exchange is work.
final class ExchangeWork: Sendable {
    struct State {
        var isUnderWay = false
        var isSuspended = false
        /// Whether its end is on the way, which suspending does not hold up.
        var isCancelled = false
        /// Whether its transport tells the clock.
        var isTakenOver = false
        var outstandingCount = 0
        fileprivate var isFull = false
        fileprivate var isCounted = false
    }

    private let window: WindowLimits?
    private let clock: any WorkObservingClock
    private let state = Locked(State())

    init(window: Int?, _ clock: any WorkObservingClock) {
        self.window = window.map { WindowLimits(size: max(1, $0)) }
        self.clock = clock
    }

    func change(_ change: (inout State) -> Void) {
        // Before it is decided, or another thread could tell of the end of work before its begin is told.
        clock.workDidBegin()
        let (isCounted, wasCounted) = state.withLock { state in
            change(&state)
            if let window {
                let count = state.outstandingCount
                state.isFull =
                    state.isFull ? !window.hasRoomAgain(at: count) : window.isFull(at: count)
            }
            let wasCounted = state.isCounted
            let isHeldUp = (state.isSuspended || state.isFull) && !state.isCancelled
            state.isCounted = state.isUnderWay && !isHeldUp && !state.isTakenOver
            return (state.isCounted, wasCounted)
        }
        if !isCounted || wasCounted { clock.workDidEnd() }
        if wasCounted, !isCounted { clock.workDidEnd() }
    }
}
