import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation

/// A transport that answers one request after another as a plan says.
///
/// It stops while it is suspended, and while too many bytes of a body are unread.
final class ScriptedTransport: Transport {
    private let answers: [TaskLifePlan.Answer]
    private let plan: TaskLifePlan
    private let transfers = Locked<[ScriptedTransfer]>([])
    private let reportCount = Locked(0)
    /// Called with the number of each report before it is delivered.
    let willReport = Locked<(@Sendable (Int) -> Void)?>(nil)

    init(_ plan: TaskLifePlan) {
        self.plan = plan
        answers = plan.attempts.flatMap(\.answers)
    }

    var exchanges: [ScriptedTransfer] { transfers.withLock { $0 } }

    /// Releases the exchanges, which retain the transport.
    func forgetExchanges() { transfers.withLock { $0 = [] } }

    func transfer(for exchange: Exchange, reportingTo sink: any ExchangeSink) -> any Transfer {
        transfers.withLock { transfers in
            let number = transfers.count
            let reports =
                number < answers.count
                ? ResponseScript(answers[number], to: exchange, plan).reports : []
            let transfer = ScriptedTransfer(
                reports, to: sink, isImmediate: plan.isImmediate, isExpected: number < answers.count
            ) { [self] in
                let number = reportCount.withLock { count in
                    defer { count += 1 }
                    return count
                }
                willReport.withLock { $0 }?(number)
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
        var unread = 0
        var read = 0
        var delivered = 0
        var next = 0
        var sink: (any ExchangeSink)?
    }

    /// Whether the plan has an answer for the request.
    let isExpected: Bool
    private let reports: [Exchange.Report]
    private let isImmediate: Bool
    private let willReport: @Sendable () -> Void
    private let state: Locked<State>
    private static let window = 128 * 1024

    init(
        _ reports: [Exchange.Report], to sink: any ExchangeSink, isImmediate: Bool,
        isExpected: Bool, _ willReport: @escaping @Sendable () -> Void
    ) {
        self.reports = reports
        self.isImmediate = isImmediate
        self.isExpected = isExpected
        self.willReport = willReport
        state = Locked(State(sink: sink))
    }

    /// What the session did wrong with this exchange, or nil.
    var fault: String? {
        state.withLock { state in
            if !isExpected { return "a request too many was sent" }
            if state.read > state.delivered {
                return "\(state.read) bytes of \(state.delivered) were consumed"
            }
            return nil
        }
    }

    /// Whether nothing more is reported, or nothing was ever begun.
    var isOver: Bool { state.withLock { $0.isOver || !$0.hasBegun } }

    func begin() {
        state.withLock { $0.hasBegun = true }
        proceed(atOnce: isImmediate)
    }

    func cancel() {
        // A second one is allowed, and one after the end, which can be on its way.
        state.withLock { $0.isCancelled = true }
        proceed()
    }

    func suspend() { state.withLock { $0.isSuspended = true } }

    func resume() {
        state.withLock { $0.isSuspended = false }
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

/// The reports of one answer.
struct ResponseScript {
    private(set) var reports: [Exchange.Report] = []

    /// The bytes of every body, different at each offset, so that a piece shows where it belongs.
    static func bytes(_ range: Range<Int>) -> Data { Data(all[range]) }

    static let largestSize = 100_000

    private static let all = (0..<largestSize).map {
        UInt8(truncatingIfNeeded: $0 * 7 + $0 >> 8)
    }

    init(_ answer: TaskLifePlan.Answer, to exchange: Exchange, _ plan: TaskLifePlan) {
        var fields = [Exchange.Field(name: "Content-Type", value: "application/octet-stream")]
        var (status, start) = (answer.status, 0)
        switch answer.role {
        case .redirect: fields.append(.init(name: "Location", value: "/next"))
        case .challenge: fields.append(.init(name: "WWW-Authenticate", value: "Basic realm=\"r\""))
        case .final where status == 302 || status == 307:
            fields.append(.init(name: "Location", value: "/next"))
        case .final: break
        }
        if plan.kind == .download, plan.sendsRanges, status == 200 {
            fields.append(.init(name: "ETag", value: "\"flower\""))
            fields.append(.init(name: "Accept-Ranges", value: "bytes"))
            if let first = Self.firstByte(of: exchange), first < answer.size {
                (status, start) = (206, first)
                fields.append(
                    .init(
                        name: "Content-Range",
                        value: "bytes \(first)-\(answer.size - 1)/\(answer.size)"))
            }
        }
        fields.append(.init(name: "Content-Length", value: "\(answer.size - start)"))
        let head = Exchange.Head(statusCode: status, fields: fields)
        let end = answer.lostAfter.map { max(start, min($0, answer.size)) } ?? answer.size
        var pieces = stride(from: start, to: end, by: answer.pieceSize).map { offset in
            Exchange.Chunk(Data(Self.bytes(offset..<min(end, offset + answer.pieceSize))))
        }
        let failure = answer.lostAfter.map {
            Exchange.Failure(
                $0 < 0 ? .cannotConnectToHost : .networkConnectionLost, message: "lost")
        }
        if answer.lostAfter == -1 {
            reports = [Exchange.Report(end: Exchange.End(failure: failure, wasSent: false))]
            return
        }
        if answer.misconduct == .bodyBeforeHead {
            reports.append(Exchange.Report(body: [Exchange.Chunk(Data([1]))]))
        } else if answer.misconduct == .endWithoutHead {
            reports = [Exchange.Report(end: Exchange.End())]
            return
        }
        var first = Exchange.Report(head: head)
        if answer.isGathered {
            first.body = Array(pieces.prefix(2))
            pieces.removeFirst(min(2, pieces.count))
        }
        reports.append(first)
        if answer.misconduct == .secondHead { reports.append(Exchange.Report(head: head)) }
        reports += pieces.map { Exchange.Report(body: [$0]) }
        if answer.isGathered {
            reports[reports.count - 1].end = Exchange.End(failure: failure)
        } else {
            reports.append(Exchange.Report(end: Exchange.End(failure: failure)))
        }
        if answer.misconduct == .afterEnd {
            reports.append(Exchange.Report(body: [Exchange.Chunk(Data([1]))]))
            reports.append(Exchange.Report(end: Exchange.End()))
        }
    }

    /// The first byte that the request asks for; nil for the whole.
    private static func firstByte(of exchange: Exchange) -> Int? {
        let range = exchange.fields.first { $0.name.lowercased() == "range" }?.value
        return range?.split(separator: "=").last?.split(separator: "-").first.flatMap { Int($0) }
    }
}
