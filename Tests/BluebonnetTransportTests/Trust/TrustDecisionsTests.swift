import BluebonnetTransport
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("Decisions about servers")
struct TrustDecisionsTests {
    private func question(
        _ server: String = "a:443", _ verdict: TrustEvaluator.Verdict = .notPinned,
        _ chain: [String] = ["leaf", "root"]
    ) throws -> TrustQuestion {
        try #require(
            TrustQuestion(
                server: server, verdict: verdict, presentedChain: chain.map { Data($0.utf8) }))
    }

    @Test("a decision applies only to the same server, verdict and chain")
    func key() throws {
        let decisions = TrustDecisions(.rejection)
        decisions.decide(try question(), true)
        #expect(decisions.decision(on: try question()) == true)
        for other in [
            try question("a:444"), try question("b:443"), try question("a:443", .accepted),
            try question("a:443", .rejected(10)), try question("a:443", .notPinned, ["leaf"]),
            // The same bytes, divided differently.
            try question("a:443", .notPinned, ["leafr", "oot"]),
            try question("a:443", .notPinned, ["root", "leaf"]),
        ] {
            #expect(decisions.decision(on: other) == nil)
        }
    }

    @Test("a chain without certificates is not a question")
    func empty() {
        #expect(TrustQuestion(server: "a:443", verdict: .accepted, presentedChain: []) == nil)
    }

    @Test("of two equal questions one waits, and is woken with or without a decision")
    func turns() throws {
        let decisions = TrustDecisions(.always)
        let question = try question()
        let woken = Locked(0)
        let wake: @Sendable () -> Void = { woken.withLock { $0 += 1 } }
        #expect(decisions.turn(on: question, whenSettled: wake) == .ask)
        #expect(decisions.turn(on: question, whenSettled: wake) == .wait)
        decisions.leaveOpen(question)
        #expect(woken.withLock { $0 } == 1)
        #expect(decisions.turn(on: question, whenSettled: wake) == .ask)
        #expect(decisions.turn(on: question, whenSettled: wake) == .wait)
        decisions.decide(question, false)
        #expect(woken.withLock { $0 } == 2)
        #expect(decisions.turn(on: question, whenSettled: wake) == .decided(false))
    }

    @Test("a server with ever new certificates fills limited memory, oldest first out")
    func bound() throws {
        let decisions = TrustDecisions(.rejection)
        for number in 0...TrustDecisions.capacity {
            decisions.decide(try question("a:443", .notPinned, ["\(number)"]), true)
            // A repeated decision takes no more space.
            decisions.decide(try question("a:443", .notPinned, ["\(number)"]), true)
        }
        #expect(decisions.decision(on: try question("a:443", .notPinned, ["0"])) == nil)
        #expect(decisions.decision(on: try question("a:443", .notPinned, ["1"])) == true)
    }
}
