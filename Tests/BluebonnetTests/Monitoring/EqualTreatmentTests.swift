import Testing

import Bluebonnet

@Suite("Observers do not affect a task", .timeLimit(.minutes(5)))
struct EqualTreatmentTests {
    @Test(
        "a subclass and a manager with all closures behave like a plain manager",
        arguments: Scenario.all)
    func same(scenario: Scenario) async throws {
        let expected = try await scenario.account(for: .monitor)
        #expect(expected.outcome == scenario.outcome, "\(expected.response)")
        #expect(expected.events.last?.hasPrefix("delivered") == true)
        for listening in [Listening.subclass, .closures] {
            let account = try await scenario.account(for: listening)
            #expect(account.events == expected.events)
            #expect(account.notifications == expected.notifications)
            #expect(account.exchanges == expected.exchanges)
            #expect(account.consumed == expected.consumed)
            #expect(account == expected)
            if scenario.outcome != "transport" { #expect(account.consumed == account.sent) }
        }
    }

    @Test("there are at least forty scenarios with unique names")
    func count() {
        #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
        #expect(Scenario.all.count >= 40)
    }
}
