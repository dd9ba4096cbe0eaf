import BluebonnetTransport
import Foundation
import FoundationNetworking

@testable import Bluebonnet

/// A task's run and its exchange, played by the names of events.
struct TaskRunScript {
    final class NoTransfer: Transfer {
        func begin() {}
        func cancel() {}
        func suspend() {}
        func resume() {}
        func didConsume(_ count: Int) {}
    }

    static let request = URLRequest(
        url: URL(string: "http://stub.test/") ?? URL(filePath: "/"))
    static var error: BluebonnetError { .transport(.lost, .init()) }
    static let terms = ArrivalTerms(
        limits: ResponseLimits(ExchangeBuilder(configuration: .init()).limits, .init()),
        documentSize: nil, flow: .memory)

    static var prepared: Preparation.Result {
        Preparation.Result(request: request, madeRequest: request, beginsAttempt: true)
    }

    static var sent: SentRequest {
        let message = RequestMessage(method: "GET", url: "http://stub.test/", fields: [])
        return SentRequest(message, to: request.url, credential: [])
    }

    private(set) var run = TaskRun()
    private var exchange = TaskExchange()
    private var rest = Arrival.Rest([], nil, nil)

    static let names = """
        resume suspend cancel adapting prepared made head accept refuse-head redirect handler \
        doubtful send-again body long end lost follow keep start-over failed good bad doubt retry \
        retry-later due give-up refuse commit settled unsettled expired stopped late
        """.split(separator: " ").map(String.init)

    private func happening(_ name: String) -> TaskHappening? {
        switch name {
        case "resume": .event(.resume)
        case "suspend": .event(.suspend)
        case "cancel": .event(.cancel())
        case "adapting": .event(.adapting)
        case "prepared": .event(.prepared(Self.prepared))
        case "made": .made(NoTransfer())
        case "head": report(Exchange.Report(head: Exchange.Head(statusCode: 200)))
        case "accept": .found(.accept(Reception.Judgement(), .memory), rest)
        case "refuse-head": .found(.refuse(Reception.Judgement(verdict: Self.error)), rest)
        case "redirect": .found(.turn(.redirect), rest)
        case "handler": .found(.ask(.handler { _ in .allow }, Reception.Judgement()), rest)
        case "doubtful":
            .found(.ask(.doubt(Self.error), Reception.Judgement()), rest)
        case "send-again": .found(.restart(Self.request), rest)
        case "body": report(Exchange.Report(body: [Exchange.Chunk(Data(count: 10))]))
        case "long": report(Exchange.Report(body: [Exchange.Chunk(Data(count: 70_000))]))
        case "end": report(Exchange.Report(end: Exchange.End()))
        case "lost": report(Exchange.Report(end: Exchange.End(failure: .lost)))
        case "late": .event(.endIsMissing(ofExchange: exchange.number))
        case "follow": .event(.follow(Self.request))
        case "keep": .event(.keepResponse)
        case "start-over": .event(.startOver(Self.error))
        case "failed": .event(.failed(Self.error))
        case "good": .event(.judged(.accepted))
        case "bad": .event(.judged(.refused(Self.error)))
        case "doubt": .event(.judged(.doubted(Self.error)))
        case "retry": .event(.retry(after: .zero))
        case "retry-later": .event(.retry(after: .seconds(1)))
        case "due": .event(.due)
        case "give-up": .event(.giveUp(nil))
        case "refuse": .event(.giveUp(Self.error))
        case "commit": .event(.commit(to: nil))
        case "settled": .event(.settled(nil))
        case "unsettled": .event(.settled(Self.error))
        case "expired": .event(.expired(Self.error))
        case "stopped": .event(.stopped)
        default: nil
        }
    }

    private func report(_ report: Exchange.Report) -> TaskHappening {
        .report(report, ofExchange: exchange.number)
    }

    /// Takes an event, and returns the step with the effects in brackets.
    mutating func take(_ name: String) -> String {
        guard let happening = happening(name) else { return "unknown \(name)" }
        var step = happening.happen(to: &run, &exchange)
        // A delay of zero is over at once.
        if Self.name(step) == "wait 0" { step = run.take(.due, &exchange, within: Self.terms) }
        var text = Self.name(step)
        if case .find(let rest) = consume step { self.rest = rest }
        var batch = run.effects.begin()
        while let effects = batch {
            for effect in effects.rest(after: effects.first) {
                if case .tell = effect { continue }
                text += "[\(Self.name(effect))]"
            }
            batch = run.effects.next()
        }
        return text
    }

    /// Takes events, and returns the steps.
    static func play(_ names: String) -> String {
        var script = Self()
        return names.split(separator: " ").map { script.take(String($0)) }.joined(separator: ",")
    }

    private static func name(_ step: borrowing TaskRun.Step) -> String {
        switch step {
        case .nothing: "-"
        case .prepare(let attempt): "prepare \(attempt)"
        case .send: "send"
        case .find: "find"
        case .ask: "ask"
        case .decide: "decide"
        case .complete: "complete"
        case .judge: "judge"
        case .askRetriers: "retry?"
        case .keep: "keep"
        case .wait(let delay): delay == .zero ? "wait 0" : "wait"
        case .settle(let outcome): "settle \(name(outcome))"
        case .move: "move"
        case .finish(let outcome): "finish \(name(outcome))"
        }
    }

    private static func name(_ outcome: TaskRun.Outcome) -> String {
        switch outcome {
        case .success: "good"
        case .failure: "bad"
        case .cancelled: "cancelled"
        }
    }

    private static func name(_ effect: TaskEffect) -> String {
        switch effect {
        case .begin: "begin"
        case .pause: "pause"
        case .unpause: "unpause"
        case .abort: "abort"
        case .end: "end"
        case .comeBack: "come-back"
        case .limitBody: "limit body"
        case .tell, .endAttempt, .release, .endWork: "tell"
        }
    }
}

extension TaskEffects.Batch {
    fileprivate func rest(after first: TaskEffect?) -> [TaskEffect] {
        [first].compactMap(\.self) + rest
    }
}

/// What can happen to a task's run and its exchange.
enum TaskHappening {
    case event(TaskRun.Event)
    case made(any Transfer)
    case report(Exchange.Report, ofExchange: Int)
    case found(HeadFinding, Arrival.Rest)

    func happen(
        to run: inout TaskRun, _ exchange: inout TaskExchange
    ) -> TaskRun.Step {
        let terms = TaskRunScript.terms
        switch self {
        case .event(let event): return run.take(event, &exchange, within: terms)
        case .made(let transfer):
            if case .sending = run.stage, run.stop == nil {
                exchange = TaskExchange(number: exchange.number + 1, sent: TaskRunScript.sent)
            }
            return run.take(.made(transfer, of: TaskRunScript.request), &exchange, within: terms)
        case .report(let report, let number):
            guard number == exchange.number else { return .nothing }
            return run.take(report, &exchange, within: terms)
        case .found(let finding, let rest):
            return run.take(finding, rest, &exchange, within: terms)
        }
    }
}
