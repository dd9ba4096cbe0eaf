import Bluebonnet
import BluebonnetTestSupport
import Foundation

/// A server whose responses come piece by piece, when a model says so, and end in many ways.
final class ModelOrigin: Transport {
    fileprivate struct Reply {
        let transfer: AnsweringTransfer
        var steps: [Exchange.Report]
        /// Whether a thread is delivering a step.
        var isBusy = false
    }

    fileprivate struct State {
        var generator: SeededGenerator
        var replies: [Reply] = []
        var serial = 0
        /// The whole body of each response by its number.
        var bodies: [Int: String] = [:]
        /// The current version of each resource, for each user and language.
        var versions: [String: Int] = [:]
    }

    static let controls = [
        "max-age=5", "max-age=5, public", "no-store", "private, max-age=5", "no-cache", "",
        "max-age=1, stale-while-revalidate=10", "max-age=1, stale-if-error=100",
        "public, s-maxage=2, must-revalidate", "max-age=0, must-revalidate",
    ]

    private let state: Locked<State>

    init(seed: UInt64) { state = Locked(State(generator: SeededGenerator(seed: seed))) }

    /// The whole body of the response with a number.
    func body(_ serial: Int) -> String? { state.withLock { $0.bodies[serial] } }

    var openCount: Int {
        state.withLock { $0.replies.count { !$0.transfer.isOver && !$0.steps.isEmpty } }
    }

    func transfer(for exchange: consuming Exchange, reportingTo sink: any ExchangeSink)
        -> any Transfer
    {
        AnsweringTransfer(exchange, reportingTo: sink) { [self] transfer in
            state.withLock { state in
                let steps = state.steps(for: transfer.exchange)
                state.replies.append(Reply(transfer: transfer, steps: steps))
            }
        }
    }

    /// Delivers the next part of some response; returns false if there is none.
    @discardableResult
    func step() -> Bool {
        let next = state.withLock { state -> (AnsweringTransfer, Exchange.Report)? in
            state.replies.removeAll { ($0.transfer.isOver || $0.steps.isEmpty) && !$0.isBusy }
            let idle = state.replies.indices.filter {
                !state.replies[$0].isBusy && !state.replies[$0].steps.isEmpty
            }
            guard let index = idle.randomElement(using: &state.generator) else { return nil }
            state.replies[index].isBusy = true
            return (state.replies[index].transfer, state.replies[index].steps.removeFirst())
        }
        guard let (transfer, report) = next else { return false }
        transfer.report(report)
        state.withLock { state in
            let index = state.replies.firstIndex { $0.transfer === transfer }
            if let index { state.replies[index].isBusy = false }
        }
        return true
    }
}

extension ModelOrigin.State {
    fileprivate mutating func steps(for exchange: Exchange) -> [Exchange.Report] {
        func field(_ name: String) -> String {
            exchange.fields.first { $0.name == name }?.value ?? "-"
        }
        serial += 1
        let resource = "\(exchange.url)|\(field("Authorization"))|\(field("X-Lang"))"
        if Int.random(in: 0..<4, using: &generator) == 0 { versions[resource, default: 0] += 1 }
        let tag = "\"\(resource)|\(versions[resource, default: 0])\""
        let control = ModelOrigin.controls.randomElement(using: &generator) ?? ""
        var fields = [
            Exchange.Field(name: "Vary", value: "X-Lang"), Exchange.Field(name: "ETag", value: tag),
        ]
        if !control.isEmpty { fields.append(Exchange.Field(name: "Cache-Control", value: control)) }
        let lost = Exchange.Failure(.networkConnectionLost, message: "lost")
        let kind = Int.random(in: 0..<20, using: &generator)
        if kind == 0 { return [Exchange.Report(end: Exchange.End(failure: lost))] }
        if field("If-None-Match") == tag {
            return [
                Exchange.Report(
                    head: Exchange.Head(statusCode: 304, fields: fields), end: Exchange.End())
            ]
        }
        let status = kind == 1 ? 503 : kind == 2 ? 404 : 200
        let filler = String(
            repeating: "x", count: Int.random(in: 0..<3_000, using: &generator))
        let body = "\(resource)|\(serial)|\(filler)#"
        bodies[serial] = body
        var steps = [Exchange.Report(head: Exchange.Head(statusCode: status, fields: fields))]
        if exchange.method != "HEAD" {
            var rest = Substring(body)
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1..<2_000, using: &generator))
                steps.append(Exchange.Report(body: [Exchange.Chunk(Data(piece.utf8))]))
                rest = rest.dropFirst(piece.count)
            }
        }
        let isCut = kind == 3 && steps.count > 1
        if isCut { steps.removeLast() }
        steps.append(Exchange.Report(end: Exchange.End(failure: isCut ? lost : nil)))
        return steps
    }
}
