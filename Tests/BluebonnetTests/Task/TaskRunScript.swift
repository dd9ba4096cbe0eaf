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

    static var made: Sending.Result {
        let message = RequestMessage(method: "GET", url: "http://stub.test/", fields: [])
        return Sending.Result(
            request: request, sent: SentRequest(message, to: request.url, credential: []),
            authentication: nil, credential: [], bodyLength: nil)
    }

    private(set) var run = TaskRun()
    private var exchange = TaskExchange()
    private var rest = Arrival.Rest(report: Exchange.Report())

    static let names = """
        resume suspend cancel adapting prepared made head accept refuse-head redirect handler \
        doubtful send-again body long end lost follow keep start-over failed good bad doubt retry \
        retry-later due give-up refuse commit settled unsettled expired stopped late
        """.split(separator: " ").map(String.init)

    private func event(_ name: String) -> TaskRun.Event? {
        switch name {
        case "resume": .resume
        case "suspend": .suspend
        case "cancel": .cancel()
        case "adapting": .adapting
        case "prepared": .prepared(Self.prepared)
        case "made": .made(NoTransfer(), Self.made)
        case "head": report(Exchange.Report(head: Exchange.Head(statusCode: 200)))
        case "accept": .found(.accept(Reception.Judgement(), .memory), rest: rest)
        case "refuse-head": .found(.refuse(Reception.Judgement(verdict: Self.error)), rest: rest)
        case "redirect": .found(.turn(.redirect), rest: rest)
        case "handler": .found(.ask(.handler { _ in .allow }, Reception.Judgement()), rest: rest)
        case "doubtful":
            .found(.ask(.doubt(Self.error), Reception.Judgement()), rest: rest)
        case "send-again": .found(.sendAgain(Self.request), rest: rest)
        case "body": report(Exchange.Report(body: [Exchange.Chunk(Data(count: 10))]))
        case "long": report(Exchange.Report(body: [Exchange.Chunk(Data(count: 70_000))]))
        case "end": report(Exchange.Report(end: Exchange.End()))
        case "lost": report(Exchange.Report(end: Exchange.End(failure: .lost)))
        case "late": .endIsMissing(ofExchange: exchange.number)
        case "follow": .follow(Self.request)
        case "keep": .keepResponse
        case "start-over": .startOver(Self.error)
        case "failed": .failed(Self.error)
        case "good": .judged(.accepted)
        case "bad": .judged(.refused(Self.error))
        case "doubt": .judged(.doubted(Self.error))
        case "retry": .retry(after: .zero)
        case "retry-later": .retry(after: .seconds(1))
        case "due": .due
        case "give-up": .giveUp(nil)
        case "refuse": .giveUp(Self.error)
        case "commit": .commit(to: nil)
        case "settled": .settled(nil)
        case "unsettled": .settled(Self.error)
        case "expired": .expired(Self.error)
        case "stopped": .stopped
        default: nil
        }
    }

    private func report(_ report: Exchange.Report) -> TaskRun.Event {
        .report(report, ofExchange: exchange.number)
    }

    /// Takes an event, and returns the step with the effects in brackets.
    mutating func take(_ name: String) -> String {
        guard let event = event(name) else { return "unknown \(name)" }
        if case .made = event, case .sending = run.stage, !run.isStopping {
            exchange = TaskExchange(number: exchange.number + 1, sent: Self.made.sent)
        }
        var step = run.take(event, &exchange, within: Self.terms)
        // A delay of zero is over at once.
        if case .wait(.zero) = step { step = run.take(.due, &exchange, within: Self.terms) }
        if case .find(_, let rest) = step { self.rest = rest }
        var text = Self.name(step)
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

    private static func name(_ step: TaskRun.Step) -> String {
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
        case .wait: "wait"
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
        case .tell, .endAttempt, .release, .endWork: "tell"
        }
    }
}

extension TaskEffects.Batch {
    fileprivate func rest(after first: TaskEffect?) -> [TaskEffect] {
        [first].compactMap(\.self) + rest
    }
}
