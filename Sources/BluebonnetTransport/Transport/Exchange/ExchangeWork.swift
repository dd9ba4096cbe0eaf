extension Exchange {
    /// Makes the transport responsible for counting this exchange's work on ``clock``.
    ///
    /// A session with a ``WorkObservingClock`` counts each exchange as work from start to end, and
    /// time stands still meanwhile. An exchange that waits for that clock, for example in a stub
    /// with a delay, would therefore wait forever. Call this method before such an exchange begins,
    /// and count all its other work on the clock until it ends.
    ///
    /// A transport that delays the exchanges of another transport does the same, and passes them on
    /// through ``Transport/countingWork(on:)``. Call this on any thread. Without such a clock, it
    /// does nothing.
    public func takeOverWork() { work?.change { $0.isTakenOver = true } }
}

/// The work of one exchange, as a clock counts it.
final class ExchangeWork: Sendable {
    struct State {
        var isUnderWay = false
        var isSuspended = false
        /// Whether the exchange was canceled, so that it ends even while it is suspended.
        var isCancelled = false
        /// Whether its transport counts the work.
        var isTakenOver = false
        /// The window of bytes that the sink holds, or nil for no limit.
        var window: FillingWindow?
        fileprivate var isCounted = false
        /// The timer that ends the work of a canceled exchange if the exchange does not end.
        fileprivate var rescue: (any SessionTimer)?
    }

    /// The longest time for which a canceled exchange is work.
    ///
    /// It is real time, because the clock stands still meanwhile.
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

    /// Counts a canceled exchange as work until its end, but at most for a limited time.
    ///
    /// The session continues even if the transport never reports an end.
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
        // Counted first, or another thread could count the end of the work before its beginning.
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
