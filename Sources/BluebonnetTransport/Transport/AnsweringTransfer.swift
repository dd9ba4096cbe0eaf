public import Foundation

/// A transfer for transports that create responses themselves, such as stubs and caches.
///
/// It fulfills the contracts of ``Transfer`` and ``ExchangeSink``, whichever methods are called, on
/// any threads:
///
/// - The sink receives reports one at a time and in order. Reports after the end are discarded.
/// - A cancellation ends the exchange at once, and undelivered reports are discarded.
/// - While it is suspended, or the exchange's ``Exchange/receiveWindow`` is full, reports wait.
///
/// ```swift
/// struct Stub: Transport {
///     func transfer(
///         for exchange: Exchange, reportingTo sink: any ExchangeSink
///     ) -> any Transfer {
///         AnsweringTransfer(exchange, reportingTo: sink) {
///             $0.reply(200, body: Data("hello".utf8))
///         }
///     }
/// }
/// ```
public final class AnsweringTransfer: Transfer {
    /// The exchange to answer.
    public let exchange: Exchange
    private let sink: any ExchangeSink
    private let answer: @Sendable (AnsweringTransfer) -> Void
    private let state: Locked<State>

    private struct State {
        var hasBegun = false
        var isCancelled = false
        var reports: ReportSequence
    }

    /// Creates a transfer that calls `answer` once, when it begins.
    ///
    /// - Parameters:
    ///   - exchange: The exchange to answer.
    ///   - sink: The receiver of the reports.
    ///   - answer: A closure that is called on the thread that begins the transfer, which can be a
    ///     caller's thread. It must return without blocking: report at once, or pass the transfer
    ///     to code that reports later. It is not called if the exchange was canceled before it
    ///     began.
    public init(
        _ exchange: Exchange,
        reportingTo sink: any ExchangeSink,
        answer: @escaping @Sendable (AnsweringTransfer) -> Void
    ) {
        self.exchange = exchange
        self.sink = sink
        self.answer = answer
        state = Locked(State(reports: ReportSequence(window: exchange.receiveWindow)))
    }

    /// Whether the end has been reported or the exchange has been canceled.
    public var isOver: Bool { state.withLock { $0.isCancelled || $0.reports.isOver } }

    // MARK: The answer

    /// Reports a complete response.
    ///
    /// If there is a body, `Content-Length` is added unless the fields contain it.
    public func reply(_ statusCode: Int, fields: [Exchange.Field] = [], body: Data = Data()) {
        var fields = fields
        let hasLength = fields.contains { $0.name.caseInsensitiveEquals("Content-Length") }
        if !body.isEmpty, !hasLength {
            fields.append(Exchange.Field(name: "Content-Length", value: String(body.count)))
        }
        report(
            Exchange.Report(
                head: Exchange.Head(statusCode: statusCode, fields: fields),
                body: body.isEmpty ? [] : [Exchange.Chunk(body)],
                end: Exchange.End()
            )
        )
    }

    /// Reports an end with a failure.
    public func fail(_ failure: Exchange.Failure) {
        report(Exchange.Report(end: Exchange.End(failure: failure)))
    }

    /// Reports any events of the exchange.
    ///
    /// Has no effect before the transfer has begun.
    public func report(_ report: consuming Exchange.Report) {
        let report = report
        deliver { state in state.hasBegun && state.reports.append(report) }
    }

    // MARK: Control

    /// Begins the exchange and calls the closure that answers it.
    public func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        deliver { state in state.isCancelled && state.reports.cut(with: .cancelled) }
        if !isOver { answer(self) }
    }

    /// Ends the exchange at once and discards undelivered reports.
    public func cancel() {
        deliver { state in
            state.isCancelled = true
            return state.hasBegun && state.reports.cut(with: .cancelled)
        }
    }

    /// Suspends the delivery of reports to the sink.
    public func suspend() { state.withLock { $0.reports.suspend() } }
    /// Resumes delivery, beginning with the reports that were held back.
    public func resume() { deliver { $0.reports.resume() } }
    /// Frees space in the exchange's window.
    public func didConsume(_ count: Int) { deliver { $0.reports.didConsume(count) } }

    /// Changes the state, and delivers pending reports unless another thread is delivering.
    private func deliver(after change: (inout State) -> Bool) {
        guard state.withLock({ change(&$0) }) else { return }
        while let report = state.withLock({ $0.reports.next() }) { sink.receive(report) }
    }
}
