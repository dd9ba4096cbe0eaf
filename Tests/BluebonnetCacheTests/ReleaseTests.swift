import Bluebonnet
import BluebonnetCache
import BluebonnetTesting
import Foundation
import Testing

@Suite("What a cache retains", .timeLimit(.minutes(1)))
struct ReleaseTests {
    private final class Weak: Sendable {
        weak let transfer: (any Transfer)?
        weak let caller: Caller?

        init(_ transfer: any Transfer, _ caller: Caller) {
            (self.transfer, self.caller) = (transfer, caller)
        }
    }

    /// Sends a request, and returns weak references to what it consists of.
    private func send(
        _ fixture: CacheFixture, _ exchange: Exchange, cancels: Bool = false
    ) async -> Weak {
        let caller = Caller()
        let transfer = fixture.cache.start(exchange, reportingTo: caller)
        if cancels { transfer.cancel() }
        _ = await caller.result()
        return Weak(transfer, caller)
    }

    @Test(
        "nothing of an exchange is retained once it has ended",
        arguments: ["max-age=60", "no-store", "no-cache", "max-age=0"])
    func ended(control: String) async {
        let fixture = CacheFixture { exchange, _ in
            exchange.fields.contains { $0.name == "If-None-Match" }
                ? .init(304, ["ETag": "\"a\"", "Cache-Control": control])
                : .init(
                    200, ["Cache-Control": control, "ETag": "\"a\""],
                    body: String(repeating: "x", count: 100_000))
        }
        for method in ["GET", "GET", "HEAD", "GET"] {
            var exchange = fixture.exchange(method)
            for window in [nil, 1_000_000] {
                exchange.receiveWindow = window
                let weak = await send(fixture, exchange)
                #expect(weak.transfer == nil && weak.caller == nil, "\(method)")
            }
        }
        do {
            var exchange = fixture.exchange("GET", "http://a.test/b")
            exchange.limits.bodySize = 10
            let weak = await send(fixture, exchange)
            #expect(weak.transfer == nil && weak.caller == nil, "a limit")
        }
        fixture.origin.hold()
        let weak = await send(fixture, fixture.exchange("GET", "http://a.test/c"), cancels: true)
        fixture.origin.release()
        #expect(weak.transfer == nil && weak.caller == nil, "a cancel")
    }

    @Test("callers of endless responses that cannot be shared hold up nobody")
    func streams() async {
        let fixture = CacheFixture()
        fixture.origin.hold()
        let callers = (0..<30).map { _ in Caller() }
        let transfers = callers.map { fixture.cache.start(fixture.exchange(), reportingTo: $0) }
        let head = Exchange.Head(
            statusCode: 200, fields: [Exchange.Field(name: "Cache-Control", value: "no-store")])
        var answered = 0
        while answered < fixture.origin.held.count {
            fixture.origin.held[answered].report(
                Exchange.Report(head: head, body: [Exchange.Chunk(Data("a".utf8))]))
            answered += 1
        }
        #expect(answered == 30)
        #expect(callers.allSatisfy { $0.received.text == "a" })
        transfers.forEach { $0.cancel() }
    }

    @Test("a caller after a change does not get a response from before it")
    func changed() async {
        let fixture = CacheFixture { _, number in
            .init(200, ["Cache-Control": "max-age=60"], body: "\(number)")
        }
        fixture.origin.hold()
        let early = Caller()
        let transfer = fixture.cache.start(fixture.exchange(), reportingTo: early)
        let read = fixture.origin.held[0]
        fixture.origin.release(except: read)
        _ = await fixture.send("PUT", "http://a.test/")
        #expect(await fixture.send().text == "3")
        read.reply(
            200, fields: [.init(name: "Cache-Control", value: "max-age=60")],
            body: Data("old".utf8))
        #expect(await early.result().text == "old")
        #expect(await fixture.send().text == "3")
        withExtendedLifetime(transfer) {}
    }
}
