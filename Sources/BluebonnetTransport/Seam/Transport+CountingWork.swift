extension Transport {
    /// Makes a transport like this one whose exchanges are work to a clock, from begin to end.
    ///
    /// An exchange is no work while it is suspended, or while its ``Exchange/receiveWindow`` is full. A session uses it
    /// for transports that do not report their work, and a transport that wraps others can do so too.
    ///
    /// - Parameter clock: The clock that is told.
    /// - Returns: This transport if it reports its work itself, and otherwise one that does.
    public func countingWork(on clock: any WorkObservingClock) -> any Transport {
        reportsWork ? self : WorkCountingTransport(transport: self, clock: clock)
    }
}

private struct WorkCountingTransport: Transport {
    let transport: any Transport
    let clock: any WorkObservingClock
    var reportsWork: Bool { true }

    func transfer(
        for exchange: consuming Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        let work = ExchangeWork(window: exchange.receiveWindow, clock)
        let transfer = transport.transfer(
            for: exchange, reportingTo: WorkCountingSink(sink, work))
        return WorkCountingTransfer(transfer, work)
    }
}

/// Whether one exchange is work.
private final class ExchangeWork: Sendable {
    struct State {
        var isUnderWay = false
        var isSuspended = false
        /// Whether its end is on the way, which suspending does not hold up.
        var isCancelled = false
        var outstandingCount = 0
        var isFull = false
        fileprivate var isCounted = false
    }

    private let window: Int?
    private let clock: any WorkObservingClock
    private let state = Locked(State())

    init(window: Int?, _ clock: any WorkObservingClock) {
        self.window = window
        self.clock = clock
    }

    func change(_ change: (inout State) -> Void) {
        // Before it is decided, or another thread could tell of the end of work before its begin is told.
        clock.workDidBegin()
        let (isCounted, wasCounted) = state.withLock { state in
            change(&state)
            if let window = window.map({ max(1, $0) }) {
                // As transports do: what is full is read from again when a quarter is left.
                state.isFull = state.outstandingCount > (state.isFull ? window / 4 : window - 1)
            }
            let wasCounted = state.isCounted
            let isHeldUp = (state.isSuspended || state.isFull) && !state.isCancelled
            state.isCounted = state.isUnderWay && !isHeldUp
            return (state.isCounted, wasCounted)
        }
        if !isCounted || wasCounted { clock.workDidEnd() }
        if wasCounted, !isCounted { clock.workDidEnd() }
    }
}

private final class WorkCountingTransfer: Transfer {
    private let transfer: any Transfer
    private let work: ExchangeWork

    init(_ transfer: any Transfer, _ work: ExchangeWork) {
        self.transfer = transfer
        self.work = work
    }

    func begin() {
        work.change { $0.isUnderWay = true }
        transfer.begin()
    }

    func suspend() {
        transfer.suspend()
        work.change { $0.isSuspended = true }
    }

    func resume() {
        work.change { $0.isSuspended = false }
        transfer.resume()
    }

    func didConsume(_ count: Int) {
        work.change { $0.outstandingCount -= count }
        transfer.didConsume(count)
    }

    func cancel() {
        work.change { $0.isCancelled = true }
        transfer.cancel()
    }

    func abort() {
        work.change { $0.isCancelled = true }
        transfer.abort()
    }

    func setPriority(_ priority: Float) { transfer.setPriority(priority) }
}

private final class WorkCountingSink: ExchangeSink {
    private let sink: any ExchangeSink
    private let work: ExchangeWork

    init(_ sink: any ExchangeSink, _ work: ExchangeWork) {
        self.sink = sink
        self.work = work
    }

    func receive(_ report: consuming Exchange.Report) {
        let count = report.body.reduce(0) { $0 + $1.count }
        let isEnd = report.end != nil
        // Before the reader can take them: a transport whose window is full waits until a quarter is left,
        // even if some of it is read at once.
        if count > 0 { work.change { $0.outstandingCount += count } }
        sink.receive(report)
        // Behind it, or the clock would be told that all is over before the session has the report.
        if isEnd { work.change { $0.isUnderWay = false } }
    }

    func gather(_ deliver: () -> Void) { sink.gather(deliver) }
}
