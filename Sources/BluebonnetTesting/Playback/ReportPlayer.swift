import Bluebonnet

/// Brings reports to a transfer at their times, on the clock of its exchange.
///
/// The exchange's timeouts for the head and for idleness run while it waits, and end the exchange.
final class ReportPlayer: Sendable {
    /// A report, and the time before it.
    struct Step: Sendable {
        var delay = Duration.zero
        /// Nil where nothing more comes.
        var report: Exchange.Report?
    }

    private struct State {
        var steps: [Step] = []
        /// Whether a step is being played, or waits for its time.
        var isPlaying = false
        var isHeadMissing = true
        var isSuspended = false
        var isCancelled = false
        var timer: (any SessionTimer)?
    }

    private let transfer: AnsweringTransfer
    private let state = Locked(State())

    init(_ transfer: AnsweringTransfer) {
        self.transfer = transfer
    }

    /// Adds steps behind those that are there.
    func add(_ steps: [Step]) {
        let begins = state.withLock { state in
            state.steps += steps
            defer { state.isPlaying = true }
            return !state.isPlaying
        }
        if begins { playOn() }
    }

    func suspend() { state.withLock { $0.isSuspended = true } }
    func resume() { state.withLock { $0.isSuspended = false } }

    func cancel() {
        let timer = state.withLock { state in
            state.isCancelled = true
            return state.timer.take()
        }
        timer?.cancel()
    }

    // MARK: Playing

    private func playOn() {
        while let (step, timeout) = next() {
            guard let report = step.report, step.delay <= .zero else {
                return wait(for: step, timeout)
            }
            play(report)
        }
    }

    /// The next step, and the timeout that strikes first before it.
    private func next() -> (Step, Timeout?)? {
        state.withLock { state in
            guard !state.isCancelled, !state.steps.isEmpty else {
                state.isPlaying = false
                return nil
            }
            let step = state.steps.removeFirst()
            return (step, Timeout(of: transfer.exchange, isHeadMissing: state.isHeadMissing))
        }
    }

    private func play(_ report: Exchange.Report) {
        if report.head != nil { state.withLock { $0.isHeadMissing = false } }
        transfer.report(report)
    }

    private func wait(for step: Step, _ timeout: Timeout?) {
        let goOn: @Sendable () -> Void = { [self] in
            if let report = step.report { play(report) }
            playOn()
        }
        guard let timeout, step.report == nil || timeout.limit <= step.delay else {
            if step.report != nil { schedule(after: step.delay, goOn) }
            return
        }
        schedule(after: timeout.limit) { [self] in
            // Timeouts do not run while an exchange is suspended: then it goes on as if there were none.
            guard state.withLock({ $0.isSuspended }) else { return transfer.fail(timeout.failure) }
            if step.report != nil { schedule(after: step.delay - timeout.limit, goOn) }
        }
    }

    private func schedule(after delay: Duration, _ action: @escaping @Sendable () -> Void) {
        let timer = transfer.exchange.clock.schedule(after: delay) { [self] in
            if !transfer.isOver { action() }
        }
        let isCancelled = state.withLock { state in
            state.timer = timer
            return state.isCancelled
        }
        if isCancelled { timer.cancel() }
    }
}

/// The timeout that strikes first while nothing comes.
private struct Timeout {
    let limit: Duration
    private let kind: Exchange.Failure.Timeout

    init?(of exchange: Exchange, isHeadMissing: Bool) {
        let timeouts = exchange.timeouts
        let limits: [(TimeInterval?, Exchange.Failure.Timeout)] = [
            (isHeadMissing ? timeouts.head : nil, .head), (timeouts.idle, .idle),
            (timeouts.whole, .whole),
        ]
        let first = limits.compactMap { limit, kind in limit.map { ($0, kind) } }
            .min { $0.0 < $1.0 }
        guard let first else { return nil }
        (limit, kind) = (.seconds(first.0), first.1)
    }

    var failure: Exchange.Failure {
        Exchange.Failure(
            .timedOut,
            message:
                "nothing came for \(limit / .seconds(1)) seconds, the timeout \(kind.rawValue)",
            timeout: kind)
    }
}
