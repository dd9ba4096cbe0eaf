extension Transport {
    /// Returns a transfer whose reports pass through a closure before they reach the sink.
    ///
    /// - Parameters:
    ///   - exchange: The request to send, and the limits for its response.
    ///   - sink: The receiver of the reports after the closure has changed them.
    ///   - relay: A closure that can read and change each report. It is called on the transport's
    ///     own thread, for one report at a time, and must not block. If it adds an end to a report,
    ///     the exchange ends with it and is canceled in this transport. It cannot remove an end.
    ///     Change the failure of the end instead.
    /// - Returns: The transfer.
    public func transfer(
        for exchange: consuming Exchange,
        reportingTo sink: any ExchangeSink,
        relaying relay: @escaping @Sendable (inout Exchange.Report) -> Void
    ) -> any Transfer {
        transfer(for: exchange, reportingTo: sink, state: ()) { _, report in relay(&report) }
    }

    /// Returns a transfer whose reports pass through a closure with a state.
    ///
    /// The state persists from one report of the exchange to the next. Only the closure uses it,
    /// for one report at a time, so it needs no lock.
    public func transfer<State>(
        for exchange: consuming Exchange,
        reportingTo sink: any ExchangeSink,
        state: sending State,
        relaying relay: @escaping @Sendable (inout State, inout Exchange.Report) -> Void
    ) -> any Transfer {
        let relaying = RelayingSink(sink, state, relay)
        let transfer = transfer(for: exchange, reportingTo: relaying)
        return RelayedTransfer(transfer, relaying)
    }
}

/// A sink that passes reports through a closure to another sink.
// @unchecked: only the delivering thread uses `state`, and the sequence allows only one at a time.
private final class RelayingSink<State>: ExchangeSink, @unchecked Sendable {
    private let next: any ExchangeSink
    private let relay: @Sendable (inout State, inout Exchange.Report) -> Void
    private var state: State
    private let reports = Locked(ReportSequence())
    /// The transfer to cancel when the closure ends the exchange.
    private let transfer = Locked<(any Transfer)?>(nil)

    init(
        _ next: any ExchangeSink,
        _ state: sending State,
        _ relay: @escaping @Sendable (inout State, inout Exchange.Report) -> Void
    ) {
        self.next = next
        self.state = state
        self.relay = relay
    }

    func receive(_ report: consuming Exchange.Report) {
        let report = report
        guard reports.withLock({ $0.append(report) }) else { return }
        while let report = reports.withLock({ $0.next() }) { pass(report) }
    }

    func gather(_ deliver: () -> Void) { next.gather(deliver) }

    func hold(_ transfer: any Transfer) {
        self.transfer.withLock { $0 = transfer }
    }

    private func pass(_ report: Exchange.Report) {
        var report = report
        let end = report.end
        relay(&state, &report)
        // An end cannot be taken out of a report, or a failure would become a success.
        if let end, report.end == nil { report.end = end }
        guard report.end != nil else { return next.receive(report) }
        let former = transfer.withLock { $0.take() }
        if end == nil {
            reports.withLock { $0.close() }
            former?.cancel()
        }
        next.receive(report)
    }
}

/// A transfer whose reports are relayed.
///
/// The sink retains the underlying transfer while it runs.
private final class RelayedTransfer<State>: Transfer {
    private let transfer: any Transfer
    private let sink: RelayingSink<State>

    init(_ transfer: any Transfer, _ sink: RelayingSink<State>) {
        self.transfer = transfer
        self.sink = sink
    }

    func begin() {
        sink.hold(transfer)
        transfer.begin()
    }

    func cancel() { transfer.cancel() }
    func abort() { transfer.abort() }
    func suspend() { transfer.suspend() }
    func resume() { transfer.resume() }
    func didConsume(_ count: Int) { transfer.didConsume(count) }
    func setPriority(_ priority: Float) { transfer.setPriority(priority) }
}
