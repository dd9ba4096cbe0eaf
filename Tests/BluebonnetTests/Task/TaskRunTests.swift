import BluebonnetTestSupport
import Testing

import Bluebonnet

@Suite("The life of a task", .timeLimit(.minutes(5)))
struct TaskRunTests {
    static let begun = "resume prepared made"
    static let beginning = "prepare 1,send,-[begin]"

    private func expect(_ events: String, _ steps: String) {
        #expect(
            TaskRunScript.play("\(Self.begun) \(events)") == "\(Self.beginning),\(steps)")
    }

    @Test(
        "it runs from the first resume over exchanges and attempts to one end",
        arguments: [
            ("head accept end good settled", "find,-,judge,settle good,finish good"),
            (
                "head accept body end bad give-up settled",
                "find,-,-,judge,retry?,settle bad,finish bad"
            ),
            ("head refuse-head body end bad give-up", "find,-,-,judge,retry?,settle bad"),
            ("lost failed give-up settled", "decide,retry?,settle bad,finish bad"),
            ("lost failed retry prepared made", "decide,retry?,prepare 2,send,-[begin]"),
            ("lost failed retry-later due prepared", "decide,retry?,wait,prepare 2,send"),
            ("start-over prepared made", "prepare 2[abort],send,-[begin]"),
            (
                "head accept end start-over start-over adapting start-over",
                "find,-,judge,prepare 2,prepare 3,-,prepare 4"
            ),
            ("lost start-over failed start-over", "decide,prepare 2,retry?,-"),
            ("lost suspend start-over resume due", "decide,-,-,-[come-back],prepare 2"),
            ("lost follow made head", "decide,send,-[begin],find"),
            (
                "head accept end doubt give-up settled",
                "find,-,judge,retry?,settle good,finish good"
            ),
            ("head accept end doubt refuse settled", "find,-,judge,retry?,settle bad,finish bad"),
            ("head accept end doubt retry prepared", "find,-,judge,retry?,prepare 2,send"),
            ("head accept end good commit", "find,-,judge,settle good,finish good"),
            ("head accept end good unsettled", "find,-,judge,settle good,finish bad"),
            ("failed give-up settled", "retry?[abort],settle bad,finish bad"),
            ("head accept body lost failed give-up", "find,-,-,decide,retry?,settle bad"),
        ])
    func attempts(events: String, steps: String) { expect(events, steps) }

    @Test(
        "a redirect's body is read to its end or to 64 KiB, and its end precedes the next request",
        arguments: [
            ("head redirect end follow made head", "find,-[limit body],ask,send,-[begin],find"),
            ("head redirect body end follow", "find,-[limit body],-,ask,send"),
            (
                "head redirect long follow end made",
                "find,-[limit body],ask[pause],-[end],send,-[begin]"
            ),
            ("head redirect long end follow made", "find,-[limit body],ask[pause],-,send,-[begin]"),
            ("head redirect long follow lost", "find,-[limit body],ask[pause],-[end],send"),
            ("head redirect long follow late", "find,-[limit body],ask[pause],-[end],send"),
            ("head redirect lost follow", "find,-[limit body],ask,send"),
            (
                "head redirect long lost keep accept failed",
                "find,-[limit body],ask[pause],-,find,decide,retry?"
            ),
            ("head redirect end keep accept good", "find,-[limit body],ask,find,judge,settle good"),
            (
                "head redirect long keep accept end",
                "find,-[limit body],ask[pause],find,-[unpause],judge"
            ),
            (
                "head redirect long failed give-up",
                "find,-[limit body],ask[pause],retry?[abort],settle bad"
            ),
            ("head redirect long long follow", "find,-[limit body],ask[pause],-,-[end]"),
            ("head send-again lost made", "find,-[end],send,-[begin]"),
        ])
    func turns(events: String, steps: String) { expect(events, steps) }

    @Test(
        "a held head continues with what arrived meanwhile, its end included",
        arguments: [
            ("head handler keep accept end", "find,ask[pause],find,-[unpause],judge"),
            ("head handler body end keep accept", "find,ask[pause],-,-,find,judge"),
            ("head handler lost keep accept", "find,ask[pause],-,find,decide"),
            ("head handler keep refuse-head end", "find,ask[pause],find,-[unpause],judge"),
            (
                "head doubtful retry prepared made",
                "find,retry?[pause],prepare 2[abort],send,-[begin]"
            ),
            ("head doubtful refuse", "find,retry?[pause],settle bad[abort]"),
        ])
    func heads(events: String, steps: String) { expect(events, steps) }

    @Test(
        "a transport that breaks its contract fails the attempt",
        arguments: [
            ("body give-up settled", "retry?[abort],settle bad,finish bad"),
            ("end give-up", "retry?[abort],settle bad"),
            ("head accept head give-up", "find,-,retry?[abort],settle bad"),
            ("head accept end end good", "find,-,judge,-,settle good"),
        ])
    func misconduct(events: String, steps: String) { expect(events, steps) }

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
                "resume prepared made suspend lost follow made",
                "prepare 1,send,-[begin],-[pause],decide,send,-[pause][begin]"
            ),
            (
                "resume prepared made head handler suspend resume keep accept",
                "prepare 1,send,-[begin],find,ask[pause],-,-,find,-[unpause]"
            ),
            (
                "resume prepared made head handler suspend keep accept resume",
                "prepare 1,send,-[begin],find,ask[pause],-,find,-,-[unpause]"
            ),
            (
                "resume prepared made head suspend handler keep accept resume",
                "prepare 1,send,-[begin],find,-[pause],ask,find,-,-[unpause]"
            ),
            ("resume failed suspend", "prepare 1,retry?,-"),
            (
                "resume failed suspend retry resume due",
                "prepare 1,retry?,-,-,-[come-back],prepare 2"
            ),
            (
                "resume failed suspend retry-later due resume due",
                "prepare 1,retry?,-,wait,-,-[come-back],prepare 2"
            ),
            ("resume failed suspend resume retry", "prepare 1,retry?,-,-,prepare 2"),
            ("resume failed suspend retry refuse", "prepare 1,retry?,-,-,-"),
        ])
    func pauses(events: String, steps: String) {
        #expect(TaskRunScript.play(events) == steps)
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
                "resume prepared made cancel head body late settled",
                "prepare 1,send,-[begin],-[end],-,-,settle cancelled,finish cancelled"
            ),
            (
                "resume prepared made head cancel accept end",
                "prepare 1,send,-[begin],find,-[end],-,settle cancelled"
            ),
            (
                "resume prepared made head redirect end cancel stopped follow",
                "prepare 1,send,-[begin],find,-[limit body],ask,-[come-back],settle cancelled,-"
            ),
            (
                "resume prepared made head send-again cancel lost",
                "prepare 1,send,-[begin],find,-[end],-[end],settle cancelled"
            ),
            (
                "resume prepared made failed retry cancel stopped prepared",
                "prepare 1,send,-[begin],retry?[abort],prepare 2,-[come-back],settle cancelled,-"
            ),
            (
                "resume adapting cancel stopped prepared",
                "prepare 1,-,-[come-back],settle cancelled,-"
            ),
            ("resume cancel adapting stopped", "prepare 1,-,-[come-back],settle cancelled"),
            (
                "resume failed cancel retry stopped",
                "prepare 1,retry?,-[come-back],settle cancelled,-"
            ),
            (
                "resume failed suspend retry cancel stopped",
                "prepare 1,retry?,-,-,-[come-back],settle cancelled"
            ),
            (
                "resume failed retry-later cancel stopped due",
                "prepare 1,retry?,wait,-[come-back],settle cancelled,-"
            ),
            (
                "resume prepared made head doubtful cancel lost settled",
                "prepare 1,send,-[begin],find,retry?[pause],-[end],settle cancelled,finish cancelled"
            ),
            (
                "resume prepared made head accept end good cancel commit settled",
                """
                prepare 1,send,-[begin],find,-,judge,settle good,-[come-back],settle cancelled,\
                finish cancelled
                """
            ),
            (
                "resume prepared made failed give-up cancel settled",
                "prepare 1,send,-[begin],retry?[abort],settle bad,-[come-back],finish cancelled"
            ),
        ])
    func cancels(events: String, steps: String) {
        #expect(TaskRunScript.play(events) == steps)
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
            (
                "resume prepared made head redirect end expired",
                "prepare 1,send,-[begin],find,-[limit body],ask,settle bad"
            ),
            (
                "resume prepared made failed expired",
                "prepare 1,send,-[begin],retry?[abort],settle bad"
            ),
            (
                "resume prepared made failed retry-later expired",
                "prepare 1,send,-[begin],retry?[abort],wait,settle bad"
            ),
            (
                "resume expired cancel prepared made stopped",
                "prepare 1,-,-,send,-[come-back],settle cancelled"
            ),
            (
                "resume prepared made head accept end good expired",
                "prepare 1,send,-[begin],find,-,judge,settle good,-"
            ),
        ])
    func expires(events: String, steps: String) {
        #expect(TaskRunScript.play(events) == steps)
    }

    @Test("an event that does not fit the stage is ignored")
    func unfitting() {
        let ends = "\(Self.begun) head accept end good settled"
        let names = TaskRunScript.names
        let after = TaskRunScript.play(([ends] + names).joined(separator: " "))
        #expect(after.hasSuffix("finish good" + names.map { _ in ",-" }.joined()))
        let early = names.filter { !["resume", "cancel"].contains($0) }
        #expect(
            TaskRunScript.play(early.joined(separator: " "))
                == early.map { _ in "-" }.joined(separator: ","))
    }
}
