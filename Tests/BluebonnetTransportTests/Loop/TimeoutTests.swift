import BluebonnetTransport
import FixtureServer
import Foundation
import FoundationNetworking
import Testing

@Suite("Timeouts", .timeLimit(.minutes(1)))
struct TimeoutTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 2))
    }

    private func exchange(
        _ path: String, _ timeouts: Exchange.Timeouts, body: [UInt8]? = nil
    ) -> Exchange {
        fixture.exchange(path, method: body == nil ? "GET" : "POST", body: body)
            .with { $0.timeouts = timeouts }
    }

    @Test("silence ends an exchange, before the head and in the body")
    func idle() async throws {
        let half = Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc".utf8)
        fixture.server.route("/half") { _ in .script([.send(half), .hold]) }
        for path in ["/hang", "/half"] {
            let record = await fixture.transport.perform(exchange(path, .init(idle: 0.15)))
            #expect(record.failure?.code == .timedOut)
            let total = try #require(record.ends.first?.metrics.totalDuration)
            #expect(total >= 0.15)
        }
    }

    @Test("a slow but steady response is not idle, but may be too long as a whole")
    func whole() async {
        let steady = await fixture.transport.perform(exchange("/drip/20/40", .init(idle: 0.5)))
        #expect(steady.failure == nil)
        let long = await fixture.transport.perform(exchange("/drip/100/20", .init(whole: 0.3)))
        #expect(long.failure?.code == .timedOut)
        #expect(!long.body.isEmpty)
    }

    @Test("waiting in line is not idle, but counts for the whole")
    func queued() async {
        let blocking = (0..<2).map { _ in fixture.transport.begin(exchange("/delay/400", .init())) }
        let patient = fixture.transport.begin(exchange("/text", .init(idle: 0.2)))
        let hurried = fixture.transport.begin(exchange("/text", .init(whole: 0.1)))
        #expect(await hurried.recorder.atEnd.failure?.code == .timedOut)
        #expect(await patient.recorder.atEnd.failure == nil)
        for other in blocking { #expect(await other.recorder.atEnd.failure == nil) }
    }

    @Test("a server that does not answer a connection is given up after the connect timeout")
    func connect() async {
        let listener = FullListener()
        let url = "http://127.0.0.1:\(listener.port)/"
        var exchange = Exchange(method: "GET", url: url, pool: fixture.pool)
        exchange.timeouts.connect = 0.2
        #expect(await fixture.transport.perform(exchange).failure?.code == .timedOut)
        exchange.timeouts = .init(idle: 0.1)
        #expect(await fixture.transport.perform(exchange).failure?.code == .timedOut)
        exchange.timeouts = .init(connect: 30, whole: 0.1)
        #expect(await fixture.transport.perform(exchange).failure?.code == .timedOut)
    }

    @Test("a suspended exchange is not idle, and is again from the moment it is resumed")
    func suspended() async {
        let (recorder, transfer) = fixture.transport.begin(exchange("/hang", .init(idle: 0.1)))
        transfer.suspend()
        _ = await fixture.transport.perform(exchange("/delay/300", .init()))
        #expect(recorder.now.ends.isEmpty)
        transfer.resume()
        #expect(await recorder.atEnd.failure?.code == .timedOut)
    }

    @Test("no number of seconds is too large, too small or no number")
    func extremes() async {
        for seconds in [Double.infinity, .greatestFiniteMagnitude, 1e12, 2_147_483.7] {
            let timeouts = Exchange.Timeouts(connect: seconds, idle: seconds, whole: seconds)
            #expect(await fixture.transport.perform(exchange("/text", timeouts)).failure == nil)
        }
        for seconds in [0, -1, -Double.infinity, 1e-9] {
            let record = await fixture.transport.perform(exchange("/hang", .init(whole: seconds)))
            #expect(record.failure?.code == .timedOut)
        }
        _ = await fixture.transport.perform(
            exchange("/text", .init(connect: .nan, idle: .nan, whole: .nan)))
    }

    @Test("an upload that the server does not read is idle")
    func stalledUpload() async {
        let listener = FullListener()
        let url = "http://127.0.0.1:\(listener.port)/"
        var exchange = Exchange(method: "POST", url: url, pool: fixture.pool)
        exchange.body = .data(Data(count: 30_000_000))
        exchange.timeouts.idle = 0.3
        #expect(await fixture.transport.perform(exchange).failure?.code == .timedOut)
    }
}
