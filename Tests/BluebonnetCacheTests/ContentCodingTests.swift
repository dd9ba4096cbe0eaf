import Bluebonnet
import BluebonnetCache
import BluebonnetTesting
import Foundation
import Testing

@Suite("Coded bodies in a cache", .timeLimit(.minutes(1)))
struct ContentCodingTests {
    private let coded =
        Data(
            base64Encoded: "H4sIAAAAAAACA8tIzcnJV8hAkACAiPnlEQAAAA==") ?? Data()

    private func reply(_ fixture: CacheFixture, _ control: String, pieces: Int = 1) {
        guard let server = fixture.origin.held.last else { return }
        let fields = [
            Exchange.Field(name: "Content-Encoding", value: "gzip"),
            Exchange.Field(name: "Cache-Control", value: control),
            Exchange.Field(name: "Content-Length", value: "\(coded.count)"),
        ]
        server.report(Exchange.Report(head: Exchange.Head(statusCode: 200, fields: fields)))
        let size = (coded.count + pieces - 1) / pieces
        for start in stride(from: 0, to: coded.count, by: size) {
            let piece = coded[start..<min(start + size, coded.count)]
            server.report(Exchange.Report(body: [Exchange.Chunk(Data(piece))]))
        }
        server.report(Exchange.Report(end: Exchange.End()))
    }

    @Test("a body is stored as it came, and each caller gets it as it wants it", arguments: [1, 5])
    func stored(pieces: Int) async {
        let fixture = CacheFixture()
        fixture.origin.hold()
        let first = Caller()
        let transfer = fixture.cache.start(fixture.exchange(), reportingTo: first)
        reply(fixture, "max-age=60", pieces: pieces)
        #expect(await first.result().text == "hello hello hello")
        #expect(await fixture.send().text == "hello hello hello")
        var raw = fixture.exchange()
        raw.decodesContent = false
        let received = await fixture.send(raw)
        #expect(received.body == coded && received.isHit)
        #expect(received["Content-Length"] == "\(coded.count)")
        withExtendedLifetime(transfer) {}
    }

    @Test("a body that is not stored is decoded on its way", arguments: [1, 5])
    func passed(pieces: Int) async {
        let fixture = CacheFixture()
        fixture.origin.hold()
        let caller = Caller()
        let transfer = fixture.cache.start(fixture.exchange(), reportingTo: caller)
        reply(fixture, "no-store", pieces: pieces)
        #expect(await caller.result().text == "hello hello hello")
        withExtendedLifetime(transfer) {}
    }

    @Test("a caller whose limit a body exceeds fails alone, and the others get it")
    func limits() async {
        let fixture = CacheFixture()
        fixture.origin.hold()
        var small = fixture.exchange()
        small.limits.bodySize = 5
        let callers = [Caller(), Caller()]
        let transfers = [
            fixture.cache.start(small, reportingTo: callers[0]),
            fixture.cache.start(fixture.exchange(), reportingTo: callers[1]),
        ]
        reply(fixture, "max-age=60")
        #expect(await callers[0].result().failure?.code == .dataLengthExceedsMaximum)
        #expect(await callers[1].result().text == "hello hello hello")
        withExtendedLifetime(transfers) {}
    }

    @Test("a range of a coded body is left to the server if the caller wants it decoded")
    func ranges() async {
        let fixture = CacheFixture()
        fixture.origin.hold()
        let first = Caller()
        let transfer = fixture.cache.start(fixture.exchange(), reportingTo: first)
        reply(fixture, "max-age=60")
        _ = await first.result()
        var exchange = fixture.exchange("GET", "http://a.test/", ["Range": "bytes=2-4"])
        exchange.decodesContent = false
        #expect(await fixture.send(exchange).body == coded[2...4])
        exchange.decodesContent = true
        #expect(await fixture.send(exchange).text == "hello hello hello")
        withExtendedLifetime(transfer) {}
    }
}
