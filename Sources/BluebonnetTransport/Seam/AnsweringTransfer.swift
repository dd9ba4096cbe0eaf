public import Foundation

/// A transfer whose response a transport makes itself, as stubs and caches do.
///
/// It keeps what ``Transfer`` and ``ExchangeSink`` promise, whatever its maker does and on which
/// threads:
///
/// - Reports go to the sink one at a time and in order, and what comes behind the end is left out.
/// - A cancel ends it at once, and what was not delivered is left out.
/// - While it is suspended, or the exchange's ``Exchange/receiveWindow`` is full, reports wait.
///
/// ```swift
/// struct Stub: Transport {
///     func transfer(
///         for exchange: Exchange, reportingTo sink: any ExchangeSink
///     ) -> any Transfer {
///         AnsweringTransfer(exchange, reportingTo: sink) { $0.reply(200, body: Data("hello".utf8)) }
///     }
/// }
/// ```
public final class AnsweringTransfer: Transfer {
    /// What was asked.
    public let exchange: Exchange
    private let sink: any ExchangeSink
    private let answer: @Sendable (AnsweringTransfer) -> Void
    private let state: Locked<State>

    private struct State {
        var hasBegun = false
        var isCancelled = false
        var reports: ReportSequence
    }

    /// Makes a transfer that calls `answer`, once, when it begins.
    ///
    /// - Parameters:
    ///   - exchange: What was asked.
    ///   - sink: Who hears the answer.
    ///   - answer: Runs on the thread on which the transfer is begun, which may be a caller's of the
    ///     manager: it reports at once, or hands the transfer on to whoever will, and returns. It is
    ///     not called where the exchange was cancelled before.
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

    /// Whether the end has been reported, or the exchange cancelled.
    public var isOver: Bool { state.withLock { $0.isCancelled || $0.reports.isOver } }

    // MARK: The answer

    /// Reports a whole response.
    ///
    /// A body gets a `Content-Length` unless there is one among the fields.
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

    /// Reports a failure as the end.
    public func fail(_ failure: Exchange.Failure) {
        report(Exchange.Report(end: Exchange.End(failure: failure)))
    }

    /// Reports anything that can happen to an exchange.
    ///
    /// Has no effect before the transfer has begun.
    public func report(_ report: consuming Exchange.Report) {
        let report = report
        deliver { state in state.hasBegun && state.reports.append(report) }
    }

    // MARK: Control

    /// Asks for the answer.
    public func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        guard isFirst else { return }
        deliver { state in state.isCancelled && state.reports.cut(with: .cancelled) }
        if !isOver { answer(self) }
    }

    /// Ends the exchange at once, in place of whatever was not delivered.
    public func cancel() {
        deliver { state in
            state.isCancelled = true
            return state.hasBegun && state.reports.cut(with: .cancelled)
        }
    }

    /// Keeps what is reported from the sink.
    public func suspend() { state.withLock { $0.reports.suspend() } }
    /// Delivers what was reported meanwhile.
    public func resume() { deliver { $0.reports.resume() } }
    /// Makes room in the exchange's window.
    public func didConsume(_ count: Int) { deliver { $0.reports.didConsume(count) } }

    /// Changes what is to be delivered, and delivers it unless another thread is doing so.
    private func deliver(after change: (inout State) -> Bool) {
        guard state.withLock({ change(&$0) }) else { return }
        while let report = state.withLock({ $0.reports.next() }) { sink.receive(report) }
    }
}
