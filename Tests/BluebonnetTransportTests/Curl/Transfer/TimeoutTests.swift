import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Timeouts", .timeLimit(.minutes(5)))
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
            #expect(record.failure?.timeout == .idle)
            let total = try #require(record.ends.first?.metrics.totalDuration)
            #expect(total >= 0.15)
        }
    }

    @Test("a slow but steady response is not idle, but can exceed the whole timeout")
    func whole() async {
        let steady = await fixture.transport.perform(exchange("/drip/20/40", .init(idle: 0.5)))
        #expect(steady.failure == nil)
        let long = await fixture.transport.perform(exchange("/drip/100/20", .init(whole: 0.3)))
        #expect(long.failure?.code == .timedOut)
        #expect(long.failure?.timeout == .whole)
        #expect(!long.body.isEmpty)
    }

    @Test("waiting in the queue is not idle, but counts for the whole timeout")
    func queued() async {
        let blocking = (0..<2).map { _ in fixture.transport.begin(exchange("/delay/400", .init())) }
        let patient = fixture.transport.begin(exchange("/text", .init(idle: 0.2)))
        let hurried = fixture.transport.begin(exchange("/text", .init(whole: 0.1)))
        #expect(await hurried.recorder.atEnd.failure?.code == .timedOut)
        #expect(await patient.recorder.atEnd.failure == nil)
        for other in blocking { #expect(await other.recorder.atEnd.failure == nil) }
    }

    @Test("the connect timeout ends an exchange if the server does not answer")
    func connect() async throws {
        let listener = try FullListener()
        let url = "http://127.0.0.1:\(listener.port)/"
        var exchange = Exchange(method: "GET", url: url, pool: fixture.pool)
        exchange.timeouts.connect = 0.2
        let failure = await fixture.transport.perform(exchange).failure
        #expect(failure?.code == .timedOut)
        #expect(failure?.timeout == .connect)
        exchange.timeouts = .init(idle: 0.1)
        #expect(await fixture.transport.perform(exchange).failure?.timeout == .idle)
        exchange.timeouts = .init(connect: 30, head: 0.01, whole: 0.1)
        #expect(await fixture.transport.perform(exchange).failure?.timeout == .whole)
    }

    @Test("a suspended exchange is not idle, and its timeout restarts at the resume")
    func suspended() async {
        let (recorder, transfer) = fixture.transport.begin(exchange("/hang", .init(idle: 0.1)))
        transfer.suspend()
        _ = await fixture.transport.perform(exchange("/delay/300", .init()))
        #expect(recorder.now.ends.isEmpty)
        transfer.resume()
        #expect(await recorder.atEnd.failure?.code == .timedOut)
    }

    @Test("any number of seconds is valid")
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
    func stalledUpload() async throws {
        let listener = try FullListener()
        let url = "http://127.0.0.1:\(listener.port)/"
        var exchange = Exchange(method: "POST", url: url, pool: fixture.pool)
        exchange.body = .data(Data(count: 30_000_000))
        exchange.timeouts.idle = 0.3
        #expect(await fixture.transport.perform(exchange).failure?.code == .timedOut)
    }

    @Test("the head timeout ends a slow head, however steady it is (fault 46)")
    func slowHead() async {
        fixture.server.route("/slow") { request in
            if request.query == "body" {
                let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n".utf8)
                return .script([
                    .send(head),
                    .generate {
                        $0 < 15 ? [.pause(milliseconds: 20), .send([0x61])] : nil
                    },
                ])
            }
            return .script([
                .send(Array("HTTP/1.1 200 OK\r\n".utf8)),
                .generate { index in
                    [.pause(milliseconds: 20), .send(Array("A\(index): b\r\n".utf8))]
                },
            ])
        }
        let timeouts = Exchange.Timeouts(head: 0.2, idle: 5)
        for body in [nil, [1, 2, 3], DeterministicBytes.prefix(300_000)] {
            let record = await fixture.transport.perform(exchange("/slow", timeouts, body: body))
            #expect(record.failure?.timeout == .head)
            #expect(record.ends.first?.metrics.totalDuration ?? 9 < 1)
        }
        #expect(
            await fixture.transport.perform(exchange("/hang", timeouts)).failure?.timeout == .head)
        // After the head, the body can take longer.
        #expect(await fixture.transport.perform(exchange("/slow?body", timeouts)).failure == nil)
    }

    @Test("the wait for the head does not start while the request is being sent")
    func slowRequest() async throws {
        // The server answers after it has read everything, which takes longer than the timeout.
        let server = try RawServer { connection, _ in
            connection.readHead()
            for _ in 0..<30 {
                connection.read(1_000_000)
                usleep(60_000)
            }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        var exchange = Exchange(method: "POST", url: server.baseURL + "/", pool: fixture.pool)
        exchange.body = .data(Data(count: 30_000_000))
        // The buffers are read in a third of it, which leaves time for a busy machine.
        exchange.timeouts.head = 1
        let record = await fixture.transport.perform(exchange)
        #expect(record.failure == nil)
        #expect(record.ends.first?.metrics.totalDuration ?? 0 > 1.2)
    }

    @Test("a resumed exchange waits for its head again")
    func suspendedBeforeHead() async {
        for isSent in [false, true] {
            let before = fixture.server.requestCount
            let (recorder, transfer) = fixture.transport.begin(exchange("/hang", .init(head: 0.2)))
            if isSent { #expect(fixture.server.wait(upTo: 5000) { $0.requests > before }) }
            transfer.suspend()
            _ = await fixture.transport.perform(exchange("/delay/400", .init()))
            #expect(recorder.now.ends.isEmpty)
            transfer.resume()
            #expect(await recorder.atEnd.failure?.timeout == .head)
        }
    }

    @Test("the wait for a connection has its own timeout, which ends with the wait")
    func queue() async {
        let blocking = (0..<2).map { _ in fixture.transport.begin(exchange("/delay/400", .init())) }
        let hurried = fixture.transport.begin(exchange("/text", .init(queue: 0.1)))
        let suspended = fixture.transport.begin(exchange("/text", .init(queue: 0.1)))
        suspended.transfer.suspend()
        let patient = fixture.transport.begin(exchange("/delay/700", .init(queue: 0.6)))
        let failure = await hurried.recorder.atEnd.failure
        #expect(failure?.code == .timedOut)
        #expect(failure?.timeout == .queue)
        #expect(suspended.recorder.now.ends.isEmpty)
        #expect(await patient.recorder.atEnd.failure == nil)
        suspended.transfer.resume()
        #expect(await suspended.recorder.atEnd.failure == nil)
        for other in blocking { #expect(await other.recorder.atEnd.failure == nil) }
    }
}
