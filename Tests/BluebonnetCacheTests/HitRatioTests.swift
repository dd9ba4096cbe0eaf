import Bluebonnet
import BluebonnetCache
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("How often a store in memory has what is asked for", .timeLimit(.minutes(1)))
struct HitRatioTests {
    /// A store that forgets what was used least recently, for comparison.
    private struct LeastRecentlyUsed {
        let maximumCount: Int
        private var times: [Int: Int] = [:]
        private var order: [(number: Int, time: Int)] = []
        private var first = 0

        init(maximumCount: Int) { self.maximumCount = maximumCount }

        mutating func use(_ number: Int) -> Bool {
            defer {
                times[number] = order.count
                order.append((number, order.count))
                while times.count > maximumCount {
                    let oldest = order[first]
                    first += 1
                    if times[oldest.number] == oldest.time { times[oldest.number] = nil }
                }
            }
            return times[number] != nil
        }
    }

    /// Requests as sites see them: the n-th most popular resource is asked for 1/n as often.
    private static func popular(_ count: Int, of range: Int) -> [Int] {
        var generator = SeededGenerator(seed: 7)
        var sums: [Double] = []
        for rank in 1...range { sums.append((sums.last ?? 0) + 1 / Double(rank)) }
        return (0..<count).map { _ in
            let place = Double.random(in: 0..<(sums.last ?? 1), using: &generator)
            var (low, high) = (0, range - 1)
            while low < high {
                let middle = (low + high) / 2
                if sums[middle] > place { high = middle } else { low = middle + 1 }
            }
            return low
        }
    }

    private static func response(_ number: Int) throws -> StoredResponse {
        let text = """
            {"id": "\(UUID())", "url": "http://a.test/\(number)", "partition": "", "statusCode": 200,
            "names": [], "values": [], "selecting": {}, "requestDate": 0, "responseDate": 0}
            """
        return try JSONDecoder().decode(StoredResponse.self, from: Data(text.utf8))
    }

    private static func ratios(_ requests: [Int], room: Int) throws -> (own: Double, other: Double)
    {
        // With what the head takes.
        let store = MemoryCacheStore(maximumSize: room * 2_048)
        let body = Data(repeating: 0, count: 1_500)
        var other = LeastRecentlyUsed(maximumCount: room)
        var (hits, otherHits) = (0, 0)
        for number in requests {
            if other.use(number) { otherHits += 1 }
            let isHit = Locked(false)
            store.find(CacheKey(url: "http://a.test/\(number)")) { stored in
                guard let response = stored.first else { return }
                store.body(of: response) { body in isHit.withLock { $0 = body != nil } }
            }
            if isHit.withLock({ $0 }) {
                hits += 1
            } else {
                let writer = store.store(try response(number))
                writer?.write(body) { _ in }
                writer?.commit()
            }
        }
        let count = Double(requests.count)
        return (Double(hits) / count, Double(otherHits) / count)
    }

    @Test(
        "popular resources are found at least as often as if the least recently used had to leave")
    func popular() throws {
        let (own, other) = try Self.ratios(Self.popular(40_000, of: 10_000), room: 500)
        #expect(own >= other, "\(own) and \(other)")
    }

    @Test("a scan of resources that are asked for once costs less than half of what it costs there")
    func scans() throws {
        var requests: [Int] = []
        for (place, number) in Self.popular(40_000, of: 10_000).enumerated() {
            requests.append(number)
            // Scans that are each larger than the store.
            if place % 1_000 == 999 {
                requests += (0..<600).map { 100_000 + place + $0 }
            }
        }
        let (own, other) = try Self.ratios(requests, room: 500)
        let (still, otherStill) = try Self.ratios(Self.popular(40_000, of: 10_000), room: 500)
        // The requests of the scans themselves are never hits.
        let rest = Double(requests.count) / 40_000
        #expect(still - own * rest < (otherStill - other * rest) / 2)
    }
}
