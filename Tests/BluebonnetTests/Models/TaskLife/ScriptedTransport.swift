import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation

/// Counts what happens, and can act before it does.
final class Occasions: Sendable {
    private let count = Locked(0)
    /// Called with the number of each occasion, from 0.
    let action = Locked<(@Sendable (Int) -> Void)?>(nil)

    func next() {
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        action.withLock { $0 }?(number)
    }
}

/// A transport that answers one request after another as a plan says.
///
/// It stops while it is suspended, and while too many bytes of a body are unread.
final class ScriptedTransport: Transport {
    private let answers: [TaskLifePlan.Answer]
    private let plan: TaskLifePlan
    private let transfers = Locked<[ScriptedTransfer]>([])
    private let ban = Locked<ScriptedTransfer.Ban?>(nil)
    /// The reports of all exchanges, before they are delivered.
    let reports = Occasions()

    init(_ plan: TaskLifePlan) {
        self.plan = plan
        answers = plan.attempts.flatMap(\.answers)
    }

    var exchanges: [ScriptedTransfer] { transfers.withLock { $0 } }

    /// Called after the task was suspended or canceled, and with nil before it is resumed.
    func forbid(_ banned: ScriptedTransfer.Ban?) {
        ban.withLock { $0 = banned }
        for exchange in exchanges { exchange.forbid(banned) }
    }

    /// Releases the exchanges, which retain the transport.
    func forgetExchanges() { transfers.withLock { $0 = [] } }

    func transfer(for exchange: Exchange, reportingTo sink: any ExchangeSink) -> any Transfer {
        transfers.withLock { transfers in
            let number = transfers.count
            let script =
                number < answers.count
                ? ResponseScript(answers[number], to: exchange, plan) : nil
            let transfer = ScriptedTransfer(
                script, to: sink, isImmediate: plan.isImmediate, after: transfers.last,
                ban.withLock { $0 }
            ) { [reports] in
                reports.next()
            }
            transfers.append(transfer)
            return transfer
        }
    }
}

/// An exchange whose reports are known from the beginning.
final class ScriptedTransfer: Transfer {
    private struct State {
        var hasBegun = false
        var isSuspended = false
        var isReporting = false
        var isOver = false
        var isCancelled = false
        /// Whether it was canceled before its end was reported.
        var wasCut = false
        var ban: Ban?
        var fault: String?
        var unread = 0
        var read = 0
        var delivered = 0
        var next = 0
        var sink: (any ExchangeSink)?
        /// The exchange before this one, until this one begins.
        var former: ScriptedTransfer?
    }

    /// Why an exchange may neither begin nor go on.
    enum Ban { case suspended, cancelled }

    /// The first byte that the request asks for; nil for the whole.
    let firstByte: Int?
    /// Whether the plan has an answer for the request.
    private let isExpected: Bool
    private let reports: [Exchange.Report]
    /// What is reported after the end, once the next exchange has begun.
    private let lateReports: [Exchange.Report]
    private let isImmediate: Bool
    private let willReport: @Sendable () -> Void
    private let state: Locked<State>
    private static let window = 16 * 1024

    init(
        _ script: ResponseScript?, to sink: any ExchangeSink, isImmediate: Bool,
        after former: ScriptedTransfer?, _ ban: Ban?, _ willReport: @escaping @Sendable () -> Void
    ) {
        (reports, lateReports) = (script?.reports ?? [], script?.lateReports ?? [])
        (isExpected, firstByte) = (script != nil, script?.firstByte)
        self.isImmediate = isImmediate
        self.willReport = willReport
        state = Locked(State(ban: ban, sink: sink, former: former))
    }

    /// What the session did wrong with this exchange, or nil.
    var fault: String? {
        state.withLock { state in
            if !isExpected { return "a request too many was sent" }
            if let fault = state.fault { return fault }
            if state.read > state.delivered {
                return "\(state.read) bytes of \(state.delivered) were consumed"
            }
            return nil
        }
    }

    /// Whether nothing more is reported, or nothing was ever begun.
    var isOver: Bool { state.withLock { $0.isOver || !$0.hasBegun } }
    /// Whether the session did not wait for its end.
    var wasCut: Bool { state.withLock { $0.wasCut } }

    func begin() {
        let former = state.withLock { state in
            state.hasBegun = true
            if state.ban == .cancelled { state.fault = "a canceled task sent a request" }
            if state.ban == .suspended, !state.isSuspended {
                state.fault = "an exchange of a suspended task began unpaused"
            }
            return state.former.take()
        }
        former?.reportLate()
        proceed(atOnce: isImmediate)
    }

    /// Forbids that an exchange which is paused already goes on.
    func forbid(_ ban: Ban?) {
        state.withLock { state in
            if ban == nil || (state.isSuspended && !state.isOver) { state.ban = ban }
        }
    }

    private func reportLate() {
        guard let sink = state.withLock({ $0.isOver ? $0.sink : nil }) else { return }
        for report in lateReports { sink.receive(report) }
    }

    func cancel() {
        // A second one is allowed, and one after the end, which can be on its way.
        state.withLock { state in
            state.isCancelled = true
            if !state.isOver { state.wasCut = true }
        }
        proceed()
    }

    func suspend() { state.withLock { $0.isSuspended = true } }

    func resume() {
        state.withLock { state in
            state.isSuspended = false
            if state.ban == .suspended { state.fault = "an exchange of a suspended task went on" }
        }
        proceed()
    }

    func didConsume(_ count: Int) {
        state.withLock { state in
            state.unread -= count
            state.read += count
        }
        proceed()
    }

    private func proceed(atOnce: Bool = false) {
        let starts = state.withLock { state in
            guard state.hasBegun, !state.isReporting, !state.isOver else { return false }
            state.isReporting = true
            return true
        }
        guard starts else { return }
        if atOnce { report() } else { DispatchQueue.global().async { self.report() } }
    }

    /// Delivers reports until it must wait.
    private func report() {
        while let (report, sink) = next() {
            willReport()
            // The action before it can have canceled the exchange.
            if let end = endIfCancelled() {
                sink.receive(end)
                return
            }
            sink.receive(report)
        }
        if let end = endIfCancelled(), let sink = state.withLock({ $0.sink }) { sink.receive(end) }
    }

    private func next() -> (Exchange.Report, any ExchangeSink)? {
        state.withLock { state in
            let mayReport = !state.isSuspended && state.unread < Self.window && !state.isCancelled
            guard mayReport, state.next < reports.count, let sink = state.sink else {
                state.isReporting = false
                if state.next == reports.count { state.isOver = true }
                return nil
            }
            let report = reports[state.next]
            state.next += 1
            let size = report.body.reduce(0) { $0 + $1.count }
            state.unread += size
            state.delivered += size
            if report.end != nil { state.isOver = true }
            return (report, sink)
        }
    }

    private func endIfCancelled() -> Exchange.Report? {
        state.withLock { state in
            guard state.isCancelled, !state.isOver else { return nil }
            state.isOver = true
            state.isReporting = false
            return Exchange.Report(
                end: Exchange.End(failure: Exchange.Failure(.cancelled, message: "canceled")))
        }
    }
}
