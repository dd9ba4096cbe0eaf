import Bluebonnet
import BluebonnetCache
import BluebonnetTesting
import Foundation
import Testing

@Suite("A store in memory", .timeLimit(.minutes(1)))
struct MemoryCacheStoreTests {
    private func fixture(_ maximumSize: Int, bodySize: Int = 1_000) -> CacheFixture {
        CacheFixture(store: MemoryCacheStore(maximumSize: maximumSize)) { _, _ in
            .init(
                200, ["Cache-Control": "max-age=3600"],
                body: String(repeating: "x", count: bodySize))
        }
    }

    @Test("its size stays within the bound, whatever is stored")
    func bound() async {
        let fixture = fixture(50_000)
        for number in 0..<1_000 {
            _ = await fixture.send("GET", "http://a.test/\(number)")
            #expect(fixture.store.size <= 50_000)
        }
        #expect(fixture.store.count > 20)
        fixture.store.removeAll()
        #expect(fixture.store.size == 0 && fixture.store.count == 0)
    }

    @Test("a scan of many URLs does not displace what is used again and again")
    func scan() async {
        let fixture = fixture(100_000)
        let popular = (0..<20).map { "http://a.test/popular\($0)" }
        for _ in 0..<3 {
            for url in popular { _ = await fixture.send("GET", url) }
        }
        for number in 0..<2_000 { _ = await fixture.send("GET", "http://a.test/\(number)") }
        var hits = 0
        for url in popular where await fixture.send("GET", url).isHit { hits += 1 }
        #expect(hits == 20)
    }

    @Test("a body larger than the store, or than the policy allows, is passed on and not stored")
    func large() async {
        for (storeSize, largest) in [(500, 8_000_000), (1_000_000, 999)] {
            var policy = CachePolicy.shared
            policy.maximumBodySize = largest
            let fixture = CacheFixture(policy, store: MemoryCacheStore(maximumSize: storeSize)) {
                _, _ in
                .init(
                    200, ["Cache-Control": "max-age=60"], body: String(repeating: "x", count: 1_000)
                )
            }
            for _ in 0..<2 { #expect(await fixture.send().body.count == 1_000) }
            #expect(fixture.origin.requests.count == 2 && fixture.store.count == 0)
        }
    }

    @Test("a response that is removed while it is read is read to its end")
    func removed() async {
        let fixture = fixture(1_000_000, bodySize: 300_000)
        _ = await fixture.send()
        var exchange = fixture.exchange()
        exchange.receiveWindow = 1_000
        let caller = Caller()
        let transfer = fixture.cache.start(exchange, reportingTo: caller)
        #expect(caller.received.end == nil)
        fixture.store.removeAll()
        while caller.received.end == nil { transfer.didConsume(caller.received.body.count) }
        #expect(caller.received.body.count == 300_000 && caller.received.failure == nil)
    }

    @Test("variants of one URL are bounded, and the oldest makes room")
    func variants() async {
        var policy = CachePolicy.shared
        policy.maximumVariantCount = 3
        let fixture = CacheFixture(policy) { _, _ in
            .init(200, ["Cache-Control": "max-age=3600", "Vary": "X-A"])
        }
        for number in 0..<5 {
            _ = await fixture.send("GET", "http://a.test/", ["X-A": "\(number)"])
            await fixture.clock.advance(by: .seconds(1))
        }
        #expect(fixture.store.count == 3)
        #expect(await fixture.send("GET", "http://a.test/", ["X-A": "4"]).isHit)
        #expect(await !fixture.send("GET", "http://a.test/", ["X-A": "0"]).isHit)
    }
}
