import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("The states of a task", .timeLimit(.minutes(5)))
struct TaskLifecycleTests {
    struct NoTransfer: Transfer {
        func cancel() {}
        func suspend() {}
        func resume() {}
        func didConsume(_ count: Int) {}
    }

    static func name(_ action: TaskLifecycle.Action) -> String {
        switch action {
        case .nothing: "nothing"
        case .start: "start"
        case .pause(let transfer): transfer == nil ? "pause" : "pause transfer"
        case .unpause(let transfer): transfer == nil ? "unpause" : "unpause transfer"
        case .cancel: "cancel"
        case .finish(let isFirst): isFirst ? "finish first" : "finish"
        }
    }

    /// Performs calls by name, and returns what each asked for.
    static func play(_ calls: String) -> [String] {
        var life = TaskLifecycle()
        var number = 0
        return calls.split(separator: " ").map { call in
            switch call {
            case "resume": return name(life.resume())
            case "suspend": return name(life.suspend())
            case "cancel": return name(life.cancel())
            case "begin":
                guard let next = life.willStartExchange() else { return "refused" }
                number = next
                return "begun"
            case "started": return name(life.didStartExchange(number, NoTransfer()))
            case "end":
                life.exchangeDidEnd()
                return "-"
            case "give-up":
                switch life.giveUpExchange() {
                case .over: return "over"
                case .cancel(let transfer): return transfer == nil ? "later" : "cancel"
                }
            default: return "\(life.complete())"
            }
        }
    }

    @Test(
        "each call in each state asks for what follows",
        arguments: [
            ("resume resume", "start,nothing"),
            ("suspend", "nothing"),
            ("cancel cancel resume suspend", "finish first,nothing,nothing,nothing"),
            ("cancel begin complete", "finish first,refused,cancelled"),
            ("resume begin started suspend", "start,begun,nothing,pause transfer"),
            ("resume begin started suspend suspend", "start,begun,nothing,pause transfer,nothing"),
            (
                "resume begin started suspend resume resume",
                "start,begun,nothing,pause transfer,unpause transfer,nothing"
            ),
            ("resume begin suspend started", "start,begun,pause,pause transfer"),
            ("resume begin cancel started", "start,begun,nothing,cancel"),
            ("resume cancel begin", "start,nothing,refused"),
            ("resume suspend begin started", "start,pause,begun,pause transfer"),
            ("resume begin complete started", "start,begun,regular,cancel"),
            ("resume begin give-up started", "start,begun,later,cancel"),
            ("resume begin started give-up", "start,begun,nothing,cancel"),
            ("resume begin started end give-up", "start,begun,nothing,-,over"),
            (
                "resume begin give-up end begin started",
                "start,begun,later,-,begun,nothing"
            ),
            ("resume begin end started cancel", "start,begun,-,nothing,finish"),
            ("resume begin started cancel cancel", "start,begun,nothing,cancel,nothing"),
            ("resume begin started end cancel", "start,begun,nothing,-,finish"),
            ("resume begin started end suspend resume", "start,begun,nothing,-,pause,unpause"),
            ("resume begin started end complete", "start,begun,nothing,-,regular"),
            (
                "resume begin started end complete complete",
                "start,begun,nothing,-,regular,alreadyComplete"
            ),
            (
                "resume complete resume suspend cancel begin",
                "start,regular,nothing,nothing,nothing,refused"
            ),
        ]
    )
    func transitions(calls: String, actions: String) {
        #expect(Self.play(calls).joined(separator: ",") == actions)
    }

    @Test("a transfer that is reported after the next exchange began is not taken for its own")
    func lateTransfer() throws {
        var life = TaskLifecycle()
        _ = life.resume()
        let begun = life.willStartExchange()
        let first = try #require(begun)
        life.exchangeDidEnd()
        let begunAgain = life.willStartExchange()
        let second = try #require(begunAgain)
        #expect(Self.name(life.didStartExchange(first, NoTransfer())) == "nothing")
        #expect(Self.name(life.cancel()) == "nothing")
        #expect(Self.name(life.didStartExchange(second, NoTransfer())) == "cancel")
    }

    @Test("no order of calls completes twice, starts after a cancel or loses one")
    func randomWalk() {
        var random = SeededGenerator(seed: 42)
        for _ in 0..<5_000 {
            var life = TaskLifecycle()
            var (starts, completions, isCancelled, owesEnd) = (0, 0, false, false)
            var pending: Int?
            // Whether something that ends the task is under way: an exchange, or a failure.
            var isRunning = false
            for _ in 0..<20 {
                switch Int.random(in: 0..<7, using: &random) {
                case 0:
                    guard case .start = life.resume() else { continue }
                    starts += 1
                    #expect(!isCancelled && completions == 0)
                case 1: _ = life.suspend()
                case 2:
                    let action = life.cancel()
                    if completions == 0 { isCancelled = true }
                    switch action {
                    case .cancel, .finish: owesEnd = true
                    default: break
                    }
                case 3 where pending == nil && !isRunning && starts == 1:
                    if let number = life.willStartExchange() {
                        #expect(!isCancelled && completions == 0)
                        (pending, isRunning) = (number, true)
                    } else {
                        owesEnd = true
                    }
                case 4:
                    guard let number = pending else { continue }
                    pending = nil
                    if case .cancel = life.didStartExchange(number, NoTransfer()) { owesEnd = true }
                case 5 where isRunning:
                    life.exchangeDidEnd()
                    isRunning = false
                    if isCancelled { owesEnd = true }
                case 6 where owesEnd || (starts == 1 && !isRunning):
                    let completion = life.complete()
                    if completion != .alreadyComplete { completions += 1 }
                    if completions == 1, isCancelled, completion == .regular {
                        Issue.record("a cancelled task completed as though it were not")
                    }
                default: break
                }
            }
            if let number = pending, case .cancel = life.didStartExchange(number, NoTransfer()) {
                owesEnd = true
            }
            if isCancelled, starts == 1, !owesEnd, completions == 0, !isRunning {
                // A cancel between the resume and the start ends with the start that is refused.
                #expect(life.willStartExchange() == nil)
                owesEnd = true
            }
            if isCancelled, completions == 0 { #expect(owesEnd) }
            #expect(starts <= 1 && completions <= 1)
        }
    }
}
