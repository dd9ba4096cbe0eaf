import BluebonnetTestSupport
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("The life of a task", .timeLimit(.minutes(5)))
struct TaskRunTests {
    final class NoTransfer: Transfer {
        func begin() {}
        func cancel() {}
        func suspend() {}
        func resume() {}
        func didConsume(_ count: Int) {}
    }

    static let request = URLRequest(url: URL(filePath: "/"))
    static var error: BluebonnetError { .transport(.lost, .init()) }

    static var events: [String: TaskRun.Event] {
        [
            "resume": .resume, "suspend": .suspend, "cancel": .cancel,
            "adapting": .adapting, "prepared": .prepared(request),
            "made": .made(NoTransfer(), of: request),
            "final": .ended(.success(.final)), "redirect": .ended(.success(.redirect)),
            "challenge": .ended(.success(.challenge)), "lost": .ended(.failure(.lost)),
            "enough": .enough(.redirect), "next": .next(request), "deliver": .deliver,
            "responded": .responded,
            "restart": .restart(request), "collected": .collected, "good": .judged(nil),
            "bad": .judged(error), "failed": .failed(error), "retry": .retry,
            "give-up": .giveUp(nil),
            "refuse": .giveUp(error), "doubt": .doubted(error), "doubtful": .enough(.doubtful),
            "commit": .commit, "settled": .settled(nil), "unsettled": .settled(error),
            "expired": .expired(error), "stopped": .stopped, "start-over": .startOver(error),
        ]
    }

    static func name(_ step: TaskRun.Step) -> String {
        switch step {
        case .nothing: "-"
        case .prepare(let attempt): "prepare \(attempt)"
        case .send: "send"
        case .decide: "decide"
        case .deliver: "deliver"
        case .collect: "collect"
        case .judge: "judge"
        case .askRetriers: "ask"
        case .settle(let outcome): "settle \(name(outcome))"
        case .commit: "commit"
        case .finish(let outcome): "finish \(name(outcome))"
        }
    }

    static func name(_ outcome: TaskRun.Outcome) -> String {
        switch outcome {
        case .success: "good"
        case .failure: "bad"
        case .cancelled: "cancelled"
        }
    }

    static func name(_ effect: TaskEffect) -> String {
        switch effect {
        case .begin: "begin"
        case .pause: "pause"
        case .unpause: "unpause"
        case .cancel: "cancel"
        case .end: "end"
        case .comeBack: "come-back"
        case .tell, .letGo, .endWork: "tell"
        }
    }

    /// Handles events and returns the resulting steps, with the transfer's effects in brackets.
    static func play(_ names: String) -> String {
        var run = TaskRun()
        var steps: [String] = []
        let events = events
        for event in names.split(separator: " ").compactMap({ events[String($0)] }) {
            var text = name(run.handle(event))
            _ = run.effects.begin()
            while let effect = run.effects.next() {
                if case .tell = effect { continue }
                text += "[\(name(effect))]"
            }
            steps.append(text)
        }
        return steps.joined(separator: ",")
    }

    static let begun = "resume prepared made"
    static let beginning = "prepare 1,send,-[begin]"

    @Test(
        "it runs from the first resume over exchanges and attempts to one end",
        arguments: [
            ("final collected good settled", "collect,judge,settle good,finish good"),
            ("final collected bad give-up settled", "collect,judge,ask,settle bad,finish bad"),
            ("lost failed give-up settled", "decide,ask,settle bad,finish bad"),
            ("lost failed retry prepared made", "decide,ask,prepare 2,send,-[begin]"),
            ("final collected bad retry prepared", "collect,judge,ask,prepare 2,send"),
            ("start-over prepared made", "prepare 2[cancel],send,-[begin]"),
            (
                "final start-over start-over adapting start-over",
                "collect,prepare 2,prepare 3,-,prepare 4"
            ),
            ("lost start-over failed start-over", "decide,prepare 2,ask,-"),
            ("final suspend start-over resume retry", "collect,-,-,-[come-back],prepare 2"),
            ("lost next made final", "decide,send,-[begin],collect"),
            ("redirect next made final", "decide,send,-[begin],collect"),
            ("challenge next made redirect next", "decide,send,-[begin],decide,send"),
            ("redirect deliver responded collected", "decide,deliver,collect,judge"),
            ("restart lost made final", "-[end],send,-[begin],collect"),
            ("final restart made final", "collect,send,-[begin],collect"),
            ("enough next lost made", "decide[pause],-[end],send,-[begin]"),
            ("enough lost next made", "decide[pause],-,send,-[begin]"),
            (
                "enough deliver responded final collected",
                "decide[pause],deliver,-[unpause],collect,judge"
            ),
            (
                "enough final deliver responded collected",
                "decide[pause],-,deliver,collect,judge"
            ),
            (
                "enough lost deliver responded failed",
                "decide[pause],-,deliver,decide,ask"
            ),
            ("enough failed give-up", "decide[pause],ask[cancel],settle bad"),
            ("enough enough next", "decide[pause],-,-[end]"),
            (
                "restart failed retry prepared made final",
                "-[end],ask[cancel],prepare 2,send,-[begin],collect"
            ),
            ("failed give-up settled", "ask[cancel],settle bad,finish bad"),
            ("final collected doubt give-up settled", "collect,judge,ask,settle good,finish good"),
            ("final collected doubt refuse settled", "collect,judge,ask,settle bad,finish bad"),
            ("final collected doubt retry prepared", "collect,judge,ask,prepare 2,send"),
            (
                "doubtful doubt give-up responded final collected",
                "decide[pause],ask,deliver,-[unpause],collect,judge"
            ),
            (
                "doubtful doubt final give-up responded collected",
                "decide[pause],ask,-,deliver,collect,judge"
            ),
            (
                "doubtful doubt lost give-up responded failed",
                "decide[pause],ask,-,deliver,decide,ask"
            ),
            (
                "doubtful doubt retry prepared made",
                "decide[pause],ask,prepare 2[cancel],send,-[begin]"
            ),
            ("final collected good commit settled", "collect,judge,settle good,commit,finish good"),
            (
                "final collected good commit unsettled",
                "collect,judge,settle good,commit,finish bad"
            ),
        ]
    )
    func steps(events: String, steps: String) {
        #expect(Self.play("\(Self.begun) \(events)") == "\(Self.beginning),\(steps)")
    }

    @Test(
        "each exchange is paused and resumed with its task",
        arguments: [
            ("resume resume prepared", "prepare 1,-,send"),
            ("suspend resume", "-,prepare 1"),
            ("resume suspend prepared made", "prepare 1,-,send,-[pause][begin]"),
            ("resume prepared made suspend suspend", "prepare 1,send,-[begin],-[pause],-"),
            (
                "resume prepared made suspend resume resume",
                "prepare 1,send,-[begin],-[pause],-[unpause],-"
            ),
            (
                "resume prepared made suspend redirect next made",
                "prepare 1,send,-[begin],-[pause],decide,send,-[pause][begin]"
            ),
            (
                "resume prepared made enough suspend resume deliver responded",
                "prepare 1,send,-[begin],decide[pause],-[pause],-,deliver,-[unpause]"
            ),
            (
                "resume prepared made enough suspend deliver responded resume",
                "prepare 1,send,-[begin],decide[pause],-[pause],deliver,-,-[unpause]"
            ),
            ("resume failed suspend", "prepare 1,ask,-"),
            (
                "resume failed suspend retry resume retry",
                "prepare 1,ask,-,-,-[come-back],prepare 2"
            ),
            ("resume failed suspend resume retry", "prepare 1,ask,-,-,prepare 2"),
            ("resume failed suspend retry refuse", "prepare 1,ask,-,-,settle bad"),
        ]
    )
    func pauses(events: String, steps: String) {
        #expect(Self.play(events) == steps)
    }

    @Test(
        "a cancel ends it together with any exchange, unless it is too late",
        arguments: [
            ("cancel stopped settled", "-[come-back],settle cancelled,finish cancelled"),
            ("cancel cancel resume suspend", "-[come-back],-,-,-"),
            ("resume cancel stopped", "prepare 1,-,settle cancelled"),
            (
                "resume cancel prepared made stopped",
                "prepare 1,-,send,-[come-back],settle cancelled"
            ),
            ("resume cancel failed settled", "prepare 1,-,settle cancelled,finish cancelled"),
            (
                "resume prepared made cancel cancel lost settled",
                "prepare 1,send,-[begin],-[end],-,settle cancelled,finish cancelled"
            ),
            (
                "resume prepared made redirect cancel stopped next",
                "prepare 1,send,-[begin],decide,-[come-back],settle cancelled,-"
            ),
            (
                "resume prepared made restart cancel lost",
                "prepare 1,send,-[begin],-[end],-[end],settle cancelled"
            ),
            (
                "resume prepared made failed retry cancel stopped prepared",
                "prepare 1,send,-[begin],ask[cancel],prepare 2,-[come-back],settle cancelled,-"
            ),
            (
                "resume adapting cancel stopped prepared",
                "prepare 1,-,-[come-back],settle cancelled,-"
            ),
            (
                "resume cancel adapting stopped",
                "prepare 1,-,-[come-back],settle cancelled"
            ),
            ("resume failed cancel retry stopped", "prepare 1,ask,-[come-back],settle cancelled,-"),
            (
                "resume failed suspend retry cancel stopped",
                "prepare 1,ask,-,-,-[come-back],settle cancelled"
            ),
            (
                "resume prepared made doubtful doubt cancel lost settled",
                "prepare 1,send,-[begin],decide[pause],ask,-[end],settle cancelled,finish cancelled"
            ),
            (
                "resume prepared made final collected good cancel commit settled",
                """
                prepare 1,send,-[begin],collect,judge,settle good,-[come-back],settle cancelled,\
                finish cancelled
                """
            ),
            (
                "resume prepared made final collected good commit cancel settled",
                "prepare 1,send,-[begin],collect,judge,settle good,commit,-,finish good"
            ),
            (
                "resume prepared made failed give-up cancel settled",
                "prepare 1,send,-[begin],ask[cancel],settle bad,-[come-back],finish cancelled"
            ),
        ]
    )
    func cancels(events: String, steps: String) {
        #expect(Self.play(events) == steps)
    }

    @Test(
        "an expired deadline ends it at any stage after its first exchange is created",
        arguments: [
            ("resume expired prepared made stopped", "prepare 1,-,send,-[come-back],settle bad"),
            ("resume expired failed", "prepare 1,-,settle bad"),
            (
                "resume prepared made expired lost settled",
                "prepare 1,send,-[begin],-[end],settle bad,finish bad"
            ),
            ("resume prepared made redirect expired", "prepare 1,send,-[begin],decide,settle bad"),
            (
                "resume prepared made failed expired",
                "prepare 1,send,-[begin],ask[cancel],settle bad"
            ),
            (
                "resume expired cancel prepared made stopped",
                "prepare 1,-,-,send,-[come-back],settle cancelled"
            ),
            (
                "resume prepared made final collected good expired",
                "prepare 1,send,-[begin],collect,judge,settle good,-"
            ),
        ]
    )
    func expires(events: String, steps: String) {
        #expect(Self.play(events) == steps)
    }

    @Test("an event that does not fit the stage is ignored")
    func unfitting() {
        let ends = "\(Self.begun) final collected good settled"
        let names = Self.events.keys.sorted()
        let after = Self.play(([ends] + names).joined(separator: " "))
        #expect(after.hasSuffix("finish good" + names.map { _ in ",-" }.joined()))
        let early = names.filter { !["resume", "cancel"].contains($0) }
        #expect(
            Self.play(early.joined(separator: " ")) == early.map { _ in "-" }.joined(separator: ",")
        )
    }
}
