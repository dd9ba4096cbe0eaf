import Bluebonnet
import BluebonnetCache
import BluebonnetTesting
import Foundation
import Testing

@Suite("What a cache counts", .timeLimit(.minutes(1)))
struct CacheStatisticsTests {
    private func fixture(
        _ observer: (@Sendable (CacheEvent) -> Void)? = nil
    ) -> CacheFixture {
        let answer: @Sendable (Exchange, Int) -> Origin.Answer = { exchange, _ in
            if exchange.url.hasSuffix("failing") { return .init(503) }
            if exchange.fields.contains(where: { $0.name == "If-None-Match" }) {
                return .init(
                    304, ["Cache-Control": "max-age=10, stale-if-error=100", "ETag": "\"a\""])
            }
            return .init(
                200, ["Cache-Control": "max-age=10, stale-if-error=100", "ETag": "\"a\""],
                body: String(repeating: "x", count: 1_000))
        }
        return CacheFixture(.shared, answer, observer: observer)
    }

    @Test("each answer is counted once, by its host, with the bytes that no server has sent")
    func counts() async {
        let fixture = fixture()
        for _ in 0..<3 { _ = await fixture.send() }
        _ = await fixture.send("POST", "http://b.test:8080/")
        await fixture.clock.advance(by: .seconds(20))
        _ = await fixture.send()
        await fixture.clock.advance(by: .seconds(20))
        fixture.origin.answers { _, _ in .init(503) }
        #expect(await fixture.send().status == 200)
        let (a, b) = (
            fixture.cache.statisticsByHost["a.test"], fixture.cache.statisticsByHost["b.test:8080"]
        )
        #expect(a?.missCount == 1 && a?.hitCount == 2 && a?.validationCount == 1)
        #expect(a?.staleCount == 1 && a?.bypassCount == 0 && a?.savedByteCount == 4_000)
        #expect(b?.bypassCount == 1 && b?.savedByteCount == 0)
        let total = fixture.cache.statistics
        #expect(total.missCount == 1 && total.bypassCount == 1 && total.savedByteCount == 4_000)
    }

    @Test("callers that share an exchange save its bytes, up to where they leave")
    func collapsed() async {
        let fixture = fixture()
        let callers = (0..<4).map { _ in Caller() }
        fixture.origin.hold()
        let transfers = callers.map { fixture.cache.start(fixture.exchange(), reportingTo: $0) }
        let server = fixture.origin.held[0]
        let head = Exchange.Head(
            statusCode: 200, fields: [Exchange.Field(name: "Cache-Control", value: "max-age=60")])
        let piece = Exchange.Chunk(Data(repeating: 1, count: 500))
        server.report(Exchange.Report(head: head, body: [piece]))
        transfers[3].cancel()
        server.report(Exchange.Report(body: [piece], end: Exchange.End()))
        for caller in callers { _ = await caller.result() }
        let total = fixture.cache.statistics
        #expect(total.missCount == 1 && total.collapsedCount == 3)
        #expect(total.savedByteCount == 2 * 1_000 + 500)
    }

    @Test("events say what happened to each request, and what the store could not do")
    func events() async {
        let events = Locked<[String]>([])
        let fixture = fixture { event in
            events.withLock { events in
                switch event {
                case .answered(let url, let status, let count):
                    events.append("\(url) \(status.isHit ? "hit" : "miss") \(count)")
                case .storeFailed(let failure): events.append(failure.message)
                @unknown default: break
                }
            }
        }
        for _ in 0..<2 { _ = await fixture.send() }
        #expect(
            events.withLock { $0 } == ["http://a.test/ miss 0", "http://a.test/ hit 1000"])
    }

    @Test("a thousand hosts are counted by themselves, and the others together")
    func manyHosts() async {
        let fixture = fixture()
        for number in 0..<1_010 {
            _ = await fixture.send("GET", "http://user@h\(number).test?a=/b")
        }
        let byHost = fixture.cache.statisticsByHost
        #expect(byHost.count == 1_001 && byHost[""]?.missCount == 10)
        #expect(byHost["h999.test"]?.missCount == 1 && fixture.cache.statistics.missCount == 1_010)
    }

    @Test("what a caller removes is fetched again, and what is under way is not stored")
    func removal() async {
        let fixture = fixture()
        for url in ["http://a.test/", "http://a.test/b"] { _ = await fixture.send("GET", url) }
        fixture.cache.remove(URL(string: "HTTP://A.test:80/#c") ?? URL(fileURLWithPath: "/"))
        #expect(fixture.store.count == 1)
        #expect(await fixture.send("GET", "http://a.test/b").isHit)
        let caller = Caller()
        fixture.origin.hold()
        let transfer = fixture.cache.start(fixture.exchange(), reportingTo: caller)
        fixture.cache.removeAll()
        fixture.origin.release()
        #expect(await caller.result().status == 200 && fixture.store.count == 0)
        withExtendedLifetime(transfer) {}
    }
}
