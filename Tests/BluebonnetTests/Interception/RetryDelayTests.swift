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

    @Test("each is the scale times the base to the power of the previous retries")
    func growth() {
        #expect(delays(2, 0.5) == [0.5, 1, 2, 4, 8, 16, 30, 30])
        #expect(delays(10, 1, 1000) == [1, 10, 100, 1000, 1000, 1000, 1000, 1000])
    }

    @Test("a base below 2 makes all delays equal", arguments: [0, 1] as [UInt])
    func constant(base: UInt) {
        #expect(delays(base, 0.5) == Array(repeating: 0.5, count: 8))
    }

    @Test("invalid numbers give no delay or the longest one")
    func nonsense() {
        let none = Array(repeating: 0.0, count: 8)
        #expect(delays(2, .nan) == none && delays(2, -1) == none && delays(.max, 0) == none)
        #expect(delays(2, -.infinity) == none && delays(2, 1, -5) == none)
        #expect(delays(2, .infinity) == Array(repeating: 30, count: 8))
        #expect(delays(2, .infinity, .nan) == Array(repeating: 30, count: 8))
        let longest = Duration.longestDelay / .seconds(1)
        for huge in [
            delays(.max, .greatestFiniteMagnitude, .infinity), delays(10, 1e300, 1e300),
            delays(2, .infinity, .greatestFiniteMagnitude),
        ] {
            #expect(huge == Array(repeating: longest, count: 8))
        }
        #expect(delays(.max, 1, .infinity).allSatisfy { $0 <= longest })
    }

    @Test("full jitter is between zero and the whole delay, from the given random numbers")
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

    @Test("full jitter is evenly distributed")
    func distribution() {
        let seed = SeededGenerator.givenSeed ?? 36
        let random = Locked(SeededGenerator(seed: seed))
        let jitter = RetryPolicy.Jitter.full { range in
            random.withLock { .random(in: range, using: &$0) }
        }
        let samples = (0..<2000).map { _ in jitter.delay(within: 8) }.sorted()
        let mean = samples.reduce(0, +) / 2000
        // Six standard deviations are 0.31 for the mean and 0.54 for the median.
        #expect(abs(mean - 4) < 0.32, "\(mean); BLUEBONNET_SEED=\(seed)")
        for (index, quartile) in [(500, 2.0), (1000, 4), (1500, 6)] {
            #expect(abs(samples[index] - quartile) < 0.54, "BLUEBONNET_SEED=\(seed)")
        }
        let own = (0..<2000).map { _ in RetryPolicy.Jitter.full.delay(within: 8) }.sorted()
        #expect(abs(own.reduce(0, +) / 2000 - 4) < 0.32)
        #expect(abs(own[500] - 2) < 0.54 && abs(own[1500] - 6) < 0.54)
    }

    @Test("delays are finite and within their bounds for all parameters and fields")
    func bounds() async throws {
        let seed = SeededGenerator.givenSeed ?? .random(in: 0...(.max / 2))
        var random = SeededGenerator(seed: seed)
        let numbers: [Double] = [
            0, -0.0, -1, 0.5, 3, 29, 1e9, 1e300, .infinity, -.infinity, .nan,
            .leastNonzeroMagnitude,
            .greatestFiniteMagnitude,
        ]
        let bases: [UInt] = [0, 1, 2, 3, 1000, .max]
        let century = Duration.longestDelay / .seconds(1)
        let fields = ["0", "2", "1000000", "-1", "x", "Sat, 01 Jan 2050 00:00:00 GMT", ""]
        var requests = [try AskedRequest()]
        for count in [1, 2, 5, 100] {
            let asked = await AskedRequest(afterRetries: count)
            #expect(asked.request.retryCount == count)
            requests.append(asked)
        }
        for _ in 0..<2000 {
            let asked = try #require(requests.randomElement(using: &random))
            let maximum = numbers.randomElement(using: &random) ?? 0
            let longest = Bool.random(using: &random) ? numbers.randomElement(using: &random) : nil
            let part = Double.random(in: -1...2, using: &random)
            let policy = RetryPolicy(
                retryLimit: .max, exponentialBackoffBase: bases.randomElement(using: &random) ?? 0,
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
            #expect(delay <= (retryAfter ?? 0) + min(bound, century), note)
        }
    }
}

extension HTTPSessionManager {
    /// The date of the manager's clock.
    fileprivate var date: Date { settings.withLock { $0.session }.clock.date }
}
