import Bluebonnet
import BluebonnetTesting
import Foundation
import Testing

@Suite("Requests that share an exchange", .timeLimit(.minutes(1)))
struct CollapsingTests {
    /// Begins an exchange whose head comes 5 seconds before a second request, and its body afterwards.
    private func bodies(_ control: String) async -> (CacheFixture, [Caller.Received]) {
        let fixture = CacheFixture { _, number in
            .init(200, ["Cache-Control": control], body: "\(number)")
        }
        fixture.origin.hold()
        let callers = [Caller(), Caller()]
        let first = fixture.cache.start(fixture.exchange(), reportingTo: callers[0])
        let held = fixture.origin.held[0]
        let head = Exchange.Head(
            statusCode: 200, fields: [.init(name: "Cache-Control", value: control)])
        held.report(Exchange.Report(head: head, body: [Exchange.Chunk(Data("first".utf8))]))
        await fixture.clock.advance(by: .seconds(5))
        let second = fixture.cache.start(fixture.exchange(), reportingTo: callers[1])
        held.report(Exchange.Report(end: Exchange.End()))
        fixture.origin.release()
        defer { withExtendedLifetime((first, second)) {} }
        return (fixture, [await callers[0].result(), await callers[1].result()])
    }

    @Test("a request that joins a response that is arriving gets its age (4)")
    func joins() async {
        let (fixture, received) = await bodies("max-age=10")
        #expect(received.map(\.text) == ["first", "first"])
        #expect(received[0]["Age"] == nil && received[1]["Age"] == "5")
        #expect(received[1].cache?.isCollapsed == true)
        #expect(fixture.origin.requests.count == 1)
    }

    @Test(
        "a request does not join a response that is arriving and already stale (4.2.4)",
        arguments: ["max-age=5", "max-age=0, must-revalidate", "no-cache, max-age=10"])
    func stale(_ control: String) async {
        let (fixture, received) = await bodies(control)
        #expect(received.map(\.text) == ["first", "2"])
        #expect(fixture.origin.requests.count == 2)
    }

    @Test("fields that private names reach the first caller and none who waits (5.2.2.7)")
    func fields() async {
        let fixture = CacheFixture { _, _ in
            .init(
                200, ["Cache-Control": "private=\"X-A\", max-age=10", "X-A": "me", "X-B": "all"])
        }
        fixture.origin.hold()
        let callers = [Caller(), Caller()]
        let transfers = callers.map { fixture.cache.start(fixture.exchange(), reportingTo: $0) }
        fixture.origin.release()
        let received = [await callers[0].result(), await callers[1].result()]
        #expect(received.map { $0["X-A"] } == ["me", nil])
        #expect(received.map { $0["X-B"] } == ["all", "all"])
        #expect(fixture.origin.requests.count == 1)
        withExtendedLifetime(transfers) {}
    }
}
