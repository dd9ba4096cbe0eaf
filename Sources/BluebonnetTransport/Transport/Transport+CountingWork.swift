extension Transport {
    /// Returns a transport whose exchanges count as work on a clock, from start to end.
    ///
    /// An exchange is not work while it is suspended or its ``Exchange/receiveWindow`` is full, or
    /// after its transport has called ``Exchange/takeOverWork()``. Every session uses this method.
    ///
    /// - Parameter clock: The clock, which counts work if it is a ``WorkObservingClock``.
    /// - Returns: The new transport, or this transport for any other clock.
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
        // Counted before the reader can consume any: a full window stays full until only a quarter
        // is left, even if some bytes are read at once.
        if count > 0 { work.change { $0.window?.count(count) } }
        sink.receive(report)
        // After the report, or the clock could become idle before the session has the report.
        if isEnd { work.end() }
    }

    func gather(_ deliver: () -> Void) { sink.gather(deliver) }
}
