import Bluebonnet

/// Passes reports to a transfer after their delays, on the clock of its exchange.
///
/// The head and idle timeouts of the exchange run while it waits, and end the exchange.
final class ReportPlayer: Sendable {
    /// A report and the delay before it.
    struct Step: Sendable {
        var delay = Duration.zero
        /// The report; nil if nothing more arrives.
        var report: Exchange.Report?
    }

    private struct State {
        var steps: [Step] = []
        /// Whether a step is being played or waits for its delay.
        var isPlaying = false
        /// Whether nothing happens before a timer fires.
        var isWaiting = false
        var isHeadMissing = true
        var isSuspended = false
        var isCancelled = false
        /// The timer of the step that waits.
        var timer: (any SessionTimer)?
        /// The timer that ends the exchange if nothing arrives.
        var timeout: (any SessionTimer)?
    }

    private let transfer: AnsweringTransfer
    private let whenTimedOut: @Sendable () -> Void
    private let state = Locked(State())

    init(_ transfer: AnsweringTransfer, whenTimedOut: @escaping @Sendable () -> Void = {}) {
        self.transfer = transfer
        self.whenTimedOut = whenTimedOut
    }

    /// Adds steps after the existing ones.
    func add(_ steps: [Step]) {
        let (begins, timeout) = state.withLock { state -> (Bool, (any SessionTimer)?) in
            state.steps += steps
            guard !state.isPlaying else { return (false, nil) }
            (state.isPlaying, state.isWaiting) = (true, false)
            return (true, state.timeout.take())
        }
        timeout?.cancel()
        if begins { playOn() }
    }

    /// Runs the timeouts until there are steps.
    func waitForSteps() {
        state.withLock { $0.isWaiting = true }
        startTimeout()
    }

    /// Stops the timeouts.
    func suspend() {
        let timeout = state.withLock { state in
            state.isSuspended = true
            return state.timeout.take()
        }
        timeout?.cancel()
    }

    /// Restarts the timeouts.
    func resume() {
        let isWaiting = state.withLock { state in
            state.isSuspended = false
            return state.isWaiting
        }
        if isWaiting { startTimeout() }
    }

    func cancel() {
        let timers = state.withLock { state in
            state.isCancelled = true
            return [state.timer.take(), state.timeout.take()]
        }
        for timer in timers { timer?.cancel() }
    }

    // MARK: Playing

    private func playOn() {
        while let step = next() {
            guard let report = step.report, step.delay <= .zero else { return wait(for: step) }
            play(report)
        }
    }

    private func next() -> Step? {
        state.withLock { state in
            guard !state.isCancelled, !state.steps.isEmpty else {
                state.isPlaying = false
                return nil
            }
            return state.steps.removeFirst()
        }
    }

    private func play(_ report: Exchange.Report) {
        if report.head != nil { state.withLock { $0.isHeadMissing = false } }
        transfer.report(report)
    }

    private func wait(for step: Step) {
        state.withLock { $0.isWaiting = true }
        // First, so that the timeout wins over a report that is due at the same time.
        startTimeout()
        guard let report = step.report else { return }
        let timer = transfer.exchange.clock.schedule(after: step.delay) { [self] in
            let timeout = state.withLock { state in
                state.isWaiting = false
                return state.timeout.take()
            }
            timeout?.cancel()
            guard !transfer.isOver else { return }
            play(report)
            playOn()
        }
        let isCancelled = state.withLock { state in
            state.timer = timer
            return state.isCancelled
        }
        if isCancelled { timer.cancel() }
    }

    private func startTimeout() {
        let (isHeadMissing, isSuspended) = state.withLock { ($0.isHeadMissing, $0.isSuspended) }
        guard !isSuspended,
            let timeout = Timeout(of: transfer.exchange, isHeadMissing: isHeadMissing)
        else { return }
        let timer = transfer.exchange.clock.schedule(after: timeout.limit) { [self] in
            let timer = state.withLock { $0.timer.take() }
            timer?.cancel()
            transfer.fail(timeout.failure)
            whenTimedOut()
        }
        let unwanted = state.withLock { state -> (any SessionTimer)? in
            // Meanwhile a report might have arrived, or another thread started a timeout.
            guard state.isWaiting, !state.isSuspended, !state.isCancelled else { return timer }
            defer { state.timeout = timer }
            return state.timeout
        }
        unwanted?.cancel()
    }
}

/// The timeout that expires first while nothing arrives.
private struct Timeout {
    let limit: Duration
    private let kind: Exchange.Failure.Timeout

    init?(of exchange: Exchange, isHeadMissing: Bool) {
        let timeouts = exchange.timeouts
        let limits: [(TimeInterval?, Exchange.Failure.Timeout)] = [
            (isHeadMissing ? timeouts.head : nil, .head), (timeouts.idle, .idle),
        ]
        let first = limits.compactMap { limit, kind in limit.map { ($0, kind) } }
            .min { $0.0 < $1.0 }
        guard let first else { return nil }
        // The timeouts of an exchange without a session can be any number.
        (limit, kind) = (.seconds(min(max(0, first.0), 1e9)), first.1)
    }

    var failure: Exchange.Failure {
        Exchange.Failure(
            .timedOut,
            message:
                "nothing arrived for \(limit / .seconds(1)) seconds (timeout: \(kind.rawValue))",
            timeout: kind)
    }
}
