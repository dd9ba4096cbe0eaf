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
        /// Of the bytes that the sink holds; nil for any number.
        var window: FillingWindow?
        fileprivate var isCounted = false
        /// What ends the work of one that was cancelled and does not end.
        fileprivate var rescue: (any SessionTimer)?
    }

    /// How long an exchange that was cancelled is work, in real time, since the clock stands still meanwhile.
    private static let longestEnding = Duration.seconds(1)

    private let clock: any WorkObservingClock
    private let state: Locked<State>

    init(window: Int?, _ clock: any WorkObservingClock) {
        state = Locked(State(window: window.map { FillingWindow(size: $0) }))
        self.clock = clock
    }

    func begin() { change { $0.isUnderWay = true } }

    func end() {
        change { $0.isUnderWay = false }
        state.withLock { $0.rescue.take() }?.cancel()
    }

    /// Counts until the end, but not for ever: the session goes on without an end that no transport reports.
    func willBeCancelled() {
        change { $0.isCancelled = true }
        guard state.withLock({ $0.isCounted }) else { return }
        let rescue = SystemClock.shared.schedule(after: Self.longestEnding) { [weak self] in
            self?.end()
        }
        let unwanted = state.withLock { state -> (any SessionTimer)? in
            guard state.isCounted else { return rescue }
            defer { state.rescue = rescue }
            return state.rescue
        }
        unwanted?.cancel()
    }

    func change(_ change: (inout State) -> Void) {
        // Before it is decided, or another thread could tell of the end of work before its begin is told.
        clock.workDidBegin()
        let (isCounted, wasCounted) = state.withLock { state in
            change(&state)
            let wasCounted = state.isCounted
            let isHeldUp = (state.isSuspended || state.window?.isFull == true) && !state.isCancelled
            state.isCounted = state.isUnderWay && !isHeldUp && !state.isTakenOver
            return (state.isCounted, wasCounted)
        }
        if !isCounted || wasCounted { clock.workDidEnd() }
        if wasCounted, !isCounted { clock.workDidEnd() }
    }
}
