import Bluebonnet
import BluebonnetCache
import BluebonnetTesting
import Foundation
import Testing

@Suite("A cache between a manager and its transport", .timeLimit(.minutes(1)))
struct CachingTransportTests {
    @Test("a fresh response answers without a request, with its age, until its lifetime has passed")
    func fresh() async {
        let fixture = CacheFixture { _, number in
            .init(200, ["Cache-Control": "max-age=10", "X-N": "\(number)"], body: "body\(number)")
        }
        let first = await fixture.send()
        #expect(first.status == 200 && first.text == "body1" && first["Age"] == nil)
        #expect(first["Cache-Status"] == "Bluebonnet; fwd=uri-miss; stored")
        await fixture.clock.advance(by: .seconds(9))
        let second = await fixture.send()
        #expect(second.text == "body1" && second["Age"] == "9" && second.isHit)
        #expect(second["Cache-Status"] == "Bluebonnet; hit; ttl=1")
        #expect(fixture.origin.requests.count == 1)
        await fixture.clock.advance(by: .seconds(1))
        #expect(await fixture.send().text == "body2")
    }

    @Test("a stale response is validated, and used again after 304")
    func validation() async {
        let fixture = CacheFixture { exchange, _ in
            exchange.fields.contains { $0.name == "If-None-Match" && $0.value == "\"a\"" }
                ? .init(304, ["ETag": "\"a\"", "X-New": "1"])
                : .init(200, ["Cache-Control": "max-age=10", "ETag": "\"a\""], body: "body")
        }
        _ = await fixture.send()
        await fixture.clock.advance(by: .seconds(20))
        let second = await fixture.send()
        #expect(second.status == 200 && second.text == "body" && second["X-New"] == "1")
        #expect(second["Cache-Status"] == "Bluebonnet; fwd=stale; fwd-status=304; ttl=10")
        #expect(await fixture.send().isHit)
        #expect(fixture.origin.requests.count == 2)
    }

    @Test("a thousand callers of an expired response share one exchange")
    func single() async {
        let fixture = CacheFixture { _, number in
            .init(200, ["Cache-Control": "max-age=10"], body: "body\(number)")
        }
        _ = await fixture.send()
        await fixture.clock.advance(by: .seconds(20))
        fixture.origin.hold()
        let callers = (0..<1_000).map { _ in Caller() }
        let transfers = callers.map { fixture.cache.start(fixture.exchange(), reportingTo: $0) }
        #expect(fixture.origin.requests.count == 2)
        fixture.origin.release()
        for caller in callers {
            let received = await caller.result()
            #expect(received.text == "body2" && received.endCount == 1 && received.headCount == 1)
        }
        #expect(callers.count { $0.received.cache?.isCollapsed == true } == 999)
        withExtendedLifetime(transfers) {}
    }

    @Test("callers of a response for one of them alone send requests of their own, a few at a time")
    func unshared() async {
        let fixture = CacheFixture { exchange, number in
            .init(200, ["Cache-Control": "private, max-age=10"], body: "body\(number)")
        }
        fixture.origin.hold()
        let callers = (0..<20).map { _ in Caller() }
        let transfers = callers.map { fixture.cache.start(fixture.exchange(), reportingTo: $0) }
        #expect(fixture.origin.requests.count == 1)
        let first = fixture.origin.held[0]
        first.reply(
            200, fields: [.init(name: "Cache-Control", value: "private")], body: Data("x".utf8))
        #expect(await callers[0].result().text == "x")
        #expect(fixture.origin.requests.count == 9)
        fixture.origin.release()
        var texts: Set<String> = []
        for caller in callers { texts.insert(await caller.result().text) }
        #expect(texts.count > 1 && fixture.origin.requests.count == 20)
        withExtendedLifetime(transfers) {}
    }

    @Test("the last caller that leaves cancels the exchange, and the others do not")
    func leaving() async {
        let fixture = CacheFixture { _, _ in .init(200, ["Cache-Control": "max-age=10"], body: "x")
        }
        fixture.origin.hold()
        let callers = (0..<3).map { _ in Caller() }
        let transfers = callers.map { fixture.cache.start(fixture.exchange(), reportingTo: $0) }
        transfers[0].cancel()
        transfers[2].cancel()
        #expect(fixture.origin.cancelCount == 0)
        #expect(callers[0].received.failure?.code == .cancelled)
        fixture.origin.release()
        #expect(await callers[1].result().text == "x")
        fixture.origin.hold()
        let again = (0..<2).map { _ in Caller() }
        let further = again.map {
            fixture.cache.start(fixture.exchange("GET", "http://a.test/b"), reportingTo: $0)
        }
        further.forEach { $0.cancel() }
        #expect(fixture.origin.cancelCount == 1)
    }

    @Test(
        "a response to a token is shared only if it is public, or has s-maxage or must-revalidate")
    func tokens() async {
        for (control, isShared) in [
            ("max-age=60", false), ("max-age=60, public", true), ("s-maxage=60", true),
            ("max-age=60, must-revalidate", true), ("max-age=60, private", false),
        ] {
            let fixture = CacheFixture { exchange, _ in
                let token = exchange.fields.first { $0.name == "Authorization" }?.value ?? ""
                return .init(200, ["Cache-Control": control], body: token)
            }
            let first = await fixture.send("GET", "http://a.test/", ["Authorization": "A"])
            let second = await fixture.send("GET", "http://a.test/", ["Authorization": "B"])
            #expect(first.text == "A" && second.text == (isShared ? "A" : "B"), "\(control)")
        }
    }

    @Test("ranges are answered from a whole stored body")
    func ranges() async {
        let fixture = CacheFixture { _, _ in
            .init(200, ["Cache-Control": "max-age=60", "ETag": "\"a\""], body: "0123456789")
        }
        _ = await fixture.send()
        let part = await fixture.send("GET", "http://a.test/", ["Range": "bytes=2-4"])
        #expect(part.status == 206 && part.text == "234")
        #expect(part["Content-Range"] == "bytes 2-4/10" && part["Content-Length"] == "3")
        let none = await fixture.send("GET", "http://a.test/", ["Range": "bytes=10-"])
        #expect(none.status == 416 && none["Content-Range"] == "bytes */10")
        #expect(fixture.origin.requests.count == 1)
    }

    @Test("a manager with a cache and a stub answers twice with one request")
    func manager() async throws {
        let stub = StubTransport()
        stub.on("/user", .json(["name": "Ann"]).header("Cache-Control", "max-age=60"))
        var configuration = SessionConfiguration()
        configuration.clock = ManualClock()
        let api = HTTPSessionManager(
            baseURL: URL(string: "http://a.test/"), configuration: configuration,
            transport: CachingTransport(around: stub))
        for _ in 0..<2 {
            #expect(try await api.get("user", as: [String: String].self) == ["name": "Ann"])
        }
        #expect(stub.requests.count == 1)
    }
}
