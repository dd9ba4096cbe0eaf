extension Transport {
    /// Makes a transport like this one whose exchanges are work to a clock, from begin to end.
    ///
    /// An exchange is no work while it is suspended, while its ``Exchange/receiveWindow`` is full, or once a transport
    /// has taken it over (``Exchange/takeOverWork()``). Every session uses it.
    ///
    /// - Parameter clock: The clock that is told, if it is a ``WorkObservingClock``.
    /// - Returns: The transport; this one for any other clock.
    public func countingWork(on clock: any SessionClock) -> any Transport {
        guard let clock = clock as? any WorkObservingClock else { return self }
        return WorkCountingTransport(transport: self, clock: clock)
    }
}

private struct WorkCountingTransport: Transport {
    let transport: any Transport
    let clock: any WorkObservingClock

    func transfer(
        for exchange: consuming Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        let work = ExchangeWork(window: exchange.receiveWindow, clock)
        exchange.work = work
        let transfer = transport.transfer(
            for: exchange, reportingTo: WorkCountingSink(sink, work))
        return WorkCountingTransfer(transfer, work)
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
        work.begin()
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
        work.change { $0.window?.count(-count) }
        transfer.didConsume(count)
    }

    func cancel() {
        work.willBeCancelled()
        transfer.cancel()
    }

    func abort() {
        work.willBeCancelled()
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
        if count > 0 { work.change { $0.window?.count(count) } }
        sink.receive(report)
        // Behind it, or the clock would be told that all is over before the session has the report.
        if isEnd { work.end() }
    }

    func gather(_ deliver: () -> Void) { sink.gather(deliver) }
}
