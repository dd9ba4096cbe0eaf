import BluebonnetTestSupport
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Retry policies: delays", .timeLimit(.minutes(5)))
struct RetryDelayTests {
    private func delays(_ base: UInt, _ scale: Double, _ maximum: Double = 30) -> [TimeInterval] {
        let backoff = RetryBackoff(base: base, scale: scale, maximum: maximum)
        return (0..<8).map { backoff.delay(afterRetries: $0) }
    }

    @Test("A-I8: each is the scale multiplied by the base to the power of the retries so far")
    func growth() {
        #expect(delays(2, 0.5) == [0.5, 1, 2, 4, 8, 16, 30, 30])
        #expect(delays(10, 1, 1000) == [1, 10, 100, 1000, 1000, 1000, 1000, 1000])
    }

    @Test("A-I9: a base below 2 makes them all the same", arguments: [0, 1] as [UInt])
    func constant(base: UInt) {
        #expect(delays(base, 0.5) == Array(repeating: 0.5, count: 8))
    }

    @Test("A-I9: numbers that make no sense make no delay, or the longest")
    func nonsense() {
        let none = Array(repeating: 0.0, count: 8)
        #expect(delays(2, .nan) == none && delays(2, -1) == none && delays(.max, 0) == none)
        #expect(delays(2, -.infinity) == none && delays(2, 1, -5) == none)
        #expect(delays(2, .infinity) == Array(repeating: 30, count: 8))
        #expect(delays(2, .infinity, .nan) == Array(repeating: 30, count: 8))
        let huge = delays(.max, .greatestFiniteMagnitude, .infinity)
        #expect(huge.allSatisfy { $0.isFinite })
    }

    @Test("A-I9: full jitter is from none to the whole delay, by the random numbers given")
    func jitter() async throws {
        let asked = try AskedRequest()
        let cases: [(Double, Double)] = [
            (0, 0), (0.25, 0.125), (1, 0.5), (-3, 0), (7, 0.5), (.nan, 0.5),
        ]
        for (part, delay) in cases {
            let policy = RetryPolicy(jitter: .full { $0.upperBound * part })
            #expect(await asked.delay(policy, BluebonnetError.status(503)) == delay, "\(part)")
        }
        let policy = RetryPolicy(exponentialBackoffScale: 8, jitter: .full)
        var delays: Set<TimeInterval> = []
        for _ in 0..<100 {
            delays.insert(try #require(await asked.delay(policy, BluebonnetError.status(503))))
        }
        #expect(delays.count > 90 && delays.allSatisfy { (0...8).contains($0) })
        #expect(delays.contains { $0 < 4 } && delays.contains { $0 > 4 })
    }

    @Test("A-I9: whatever the parameters and fields, they are finite and within their bounds")
    func bounds() async throws {
        let seed = SeededGenerator.givenSeed ?? .random(in: 0...(.max / 2))
        var random = SeededGenerator(seed: seed)
        let numbers: [Double] = [
            0, -0.0, -1, 0.5, 3, 29, 1e9, 1e300, .infinity, -.infinity, .nan,
            .leastNonzeroMagnitude,
            .greatestFiniteMagnitude,
        ]
        let bases: [UInt] = [0, 1, 2, 3, 1000, .max]
        let fields = ["0", "2", "1000000", "-1", "x", "Sat, 01 Jan 2050 00:00:00 GMT", ""]
        let asked = try AskedRequest()
        for _ in 0..<2000 {
            let maximum = numbers.randomElement(using: &random) ?? 0
            let longest = Bool.random(using: &random) ? numbers.randomElement(using: &random) : nil
            let part = Double.random(in: -1...2, using: &random)
            let policy = RetryPolicy(
                exponentialBackoffBase: bases.randomElement(using: &random) ?? 0,
                exponentialBackoffScale: numbers.randomElement(using: &random) ?? 0,
                maximumDelay: maximum,
                jitter: Bool.random(using: &random) ? .none : .full { $0.upperBound * part },
                maximumRetryAfter: longest)
            let field = fields.randomElement(using: &random) ?? ""
            let error = BluebonnetError.status(503, ["Retry-After": field])
            let delay = await asked.delay(policy, error)
            let retryAfter = longest.flatMap { _ in
                RetryAfter(["Retry-After": field], at: asked.rig.manager.date)?.delay
            }
            let note: Comment = "\(policy.maximumDelay), \(field); BLUEBONNET_SEED=\(seed)"
            guard let delay else {
                let (retryAfter, longest) = (try #require(retryAfter), try #require(longest))
                #expect(!(retryAfter <= longest), note)
                continue
            }
            let bound = maximum.isNaN ? 30 : max(0, maximum)
            #expect(delay.isFinite && delay >= (retryAfter ?? 0), note)
            #expect(delay <= (retryAfter ?? 0) + bound, note)
        }
    }
}

extension HTTPSessionManager {
    /// The date of its clock.
    fileprivate var date: Date { settings.withLock { $0.session }.clock.date }
}
