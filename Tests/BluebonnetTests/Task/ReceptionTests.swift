import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

@testable import Bluebonnet

@Suite("The response of an exchange", .timeLimit(.minutes(5)))
struct ReceptionTests {
    /// A response that arrives in random pieces, and is asked about at random.
    private struct Walk {
        var random: SeededGenerator
        var reception = Reception.awaitingHead
        let flow: BodyFlow
        let total: Int
        var sent = 0
        var acknowledged = 0
        var delivered = 0
        var ends = 0
        var questions = 0
        var rest: Arrival.Rest?

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            flow = random.next() % 2 == 0 ? .memory : .stream(ResponseChannel())
            total = Int(random.next() % 100)
        }

        private mutating func chance(_ one: UInt64) -> Bool { random.next() % one == 0 }

        private var terms: ArrivalTerms {
            ArrivalTerms(limits: TaskRunScript.terms.limits, documentSize: nil, flow: flow)
        }

        mutating func run() {
            var hasHead = false
            var hasEnded = false
            while !hasEnded || rest != nil || questions > ends && isAsking {
                // Outside the lock, before the next report.
                if let rest {
                    self.rest = nil
                    take(reception.take(finding, rest, within: terms))
                } else if isAsking, hasEnded || chance(3) {
                    take(reception.pass(within: terms))
                } else if !hasEnded {
                    var report = Exchange.Report()
                    if !hasHead { report.head = Exchange.Head(statusCode: 200) }
                    hasHead = true
                    let count = min(total - sent, Int(random.next() % 20))
                    if count > 0 { report.body = [Exchange.Chunk(Data(count: count))] }
                    sent += count
                    hasEnded = sent == total && chance(2)
                    if hasEnded { report.end = Exchange.End() }
                    take(
                        reception.take(report, of: TaskRunScript.sent, within: terms))
                }
            }
        }

        private var isAsking: Bool { reception.isAsking }

        private var finding: HeadFinding {
            mutating get {
                if reception.received?.asked.isEmpty == true, chance(2) {
                    return .ask(.handler { _ in .allow }, Reception.Judgement())
                }
                if case .stream(let channel) = flow {
                    return .accept(Reception.Judgement(), .stream(channel))
                }
                return .accept(Reception.Judgement(), .memory)
            }
        }

        private mutating func take(_ arrival: consuming Arrival) {
            if let body = arrival.body {
                if !body.isAcknowledged { acknowledged += body.size }
                if case .stream = body.use { delivered += body.size }
            }
            switch arrival.next {
            case .head(let rest): self.rest = rest
            case .ask: questions += 1
            case .end: ends += 1
            case .nothing, .send, .cut, .startOver, .cancel, .fail: break
            }
        }
    }

    @Test("each byte is acknowledged and delivered once, however it is cut, held and asked about")
    func bytes() {
        for seed in 0..<20_000 as Range<UInt64> {
            var walk = Walk(seed: seed)
            walk.run()
            let isMemory = if case .memory = walk.flow { true } else { false }
            let kept = isMemory ? walk.reception.received?.body.count : walk.delivered
            guard walk.ends == 1, walk.acknowledged == walk.total, kept == walk.total,
                walk.questions <= 1
            else {
                Issue.record("seed \(seed): \(walk)")
                return
            }
        }
    }

    @Test("the time to collect a body grows with the number of its pieces, not with its square")
    func pieces() {
        func time(_ count: Int) -> Duration {
            let head = ResponseHead(
                Exchange.Head(statusCode: 200), url: URL(filePath: "/"), requestMethod: "GET")
            var reception = Reception.arrived(Reception.Received(head), .accepted(.memory))
            return ContinuousClock().measure {
                for _ in 0..<count {
                    let report = Exchange.Report(body: [Exchange.Chunk(Data(count: 1))])
                    _ = reception.take(report, of: nil, within: TaskRunScript.terms)
                }
            }
        }
        // A copy for each piece would make the second one 400 times as long.
        #expect(time(40_000) < time(2_000) * 100)
    }
}
