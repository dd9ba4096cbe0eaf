import BluebonnetFixtureServer
import BluebonnetTestSupport
import CBluebonnet
import CBluebonnetTestResolver
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Reuse of an easy handle", .timeLimit(.minutes(5)))
struct HandleReuseTests {
    @Test(
        "nothing of an exchange remains in the next, in any order",
        arguments: [1, 2, 3] as [UInt64])
    func switching(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 1))
        fixture.server.recordsRequests = true
        let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        for index in 0..<150 {
            let method = methods.randomElement(using: &generator) ?? "GET"
            let size = [nil, 0, 10, 70_000].randomElement(using: &generator) ?? nil
            var exchange = fixture.exchange(
                "/text?\(index)", method: method, body: size.map { DeterministicBytes.prefix($0) })
            let own = (0..<Int.random(in: 0..<3, using: &generator)).map {
                Exchange.Field(name: "X-\($0)", value: "\(index)")
            }
            let type =
                Bool.random(using: &generator)
                ? [Exchange.Field(name: "content-type", value: "a/\(index)")] : []
            exchange.fields = own + type
            let record = await fixture.transport.perform(exchange)
            #expect(record.failure == nil)
            #expect(record.body.isEmpty == (method == "HEAD"))
            let request = try #require(fixture.server.recordedRequests.last)
            #expect(request.method == method)
            #expect(request.query == "\(index)")
            #expect(request.body.count == size ?? 0)
            #expect(request.headers["Content-Length"] == size.map(String.init))
            #expect(request.headers["Content-Type"] == type.first?.value)
            #expect(request.headers.count { $0.name.hasPrefix("X-") } == own.count)
        }
        #expect(fixture.server.requestCount == 150)
    }

    @Test("an exchange on a kept connection keeps the known addresses for the next")
    func knownAddresses() async throws {
        let name = "kept.reuse.test"
        #expect(bt_resolver_answer(name, "127.0.0.1") == 0)
        let fixture = try TransportFixture()
        let exchange = { (path: String) in
            Exchange(
                method: "GET", url: "http://\(name):\(fixture.server.port)\(path)",
                pool: fixture.pool)
        }
        for isReused in [false, true] {
            let record = await fixture.transport.perform(exchange("/text"))
            #expect(record.ends.first?.metrics.isConnectionReused == isReused)
        }
        // The only connection is in use, so the last exchange opens another.
        let holding = fixture.transport.begin(exchange("/drip/1000/10"))
        _ = await holding.recorder.when { $0.byteCount > 0 }
        let record = await fixture.transport.perform(exchange("/text"))
        #expect(record.ends.first?.metrics.isConnectionReused == false)
        #expect(bt_resolver_count(name) == 1)
        holding.transfer.cancel()
    }

    @Test("a handle refreshes old addresses for each exchange, whatever it did before")
    func freshAddresses() throws {
        let mayLeaveThem = LibcurlQuirks.current.searchesOldAddresses
        let (loop, pool) = (try EventLoop(), Exchange.Pool())
        let connectionPool = try ConnectionPool(pool: pool, loop: loop)
        let handle = try connectionPool.idleHandle(isSecure: false)
        let exchange = Exchange(method: "GET", url: "http://a.test/", pool: pool)
        for hasConnected in [true, false, true] {
            try handle.configure(for: exchange)
            #expect(!handle.leavesOldAddresses)
            handle.hasConnected = hasConnected
            handle.leaveOldAddresses()
            #expect(handle.leavesOldAddresses == (mayLeaveThem && !hasConnected))
        }
    }

    @Test("with many connections, a handle still uses and keeps those of its pool")
    func manyConnections() async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 200))
        fixture.server.route("/held") { _ in .script([.hold]) }
        let held = (0..<150).map { _ in fixture.transport.begin(fixture.exchange("/held")) }
        #expect(fixture.server.wait(upTo: 20_000) { $0.requests == 150 })
        for index in 0..<5 {
            let record = await fixture.transport.perform(fixture.exchange("/text"))
            #expect(record.failure == nil)
            #expect(record.ends.first?.metrics.isConnectionReused == (index > 0))
        }
        #expect(fixture.server.acceptedConnectionCount == 151)
        held.forEach { $0.transfer.cancel() }
    }

    @Test("a head that starts with a folded line does not change the response before it")
    func foldedFirst() async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 1))
        let long = String(repeating: "x", count: 40_000)
        let interim = "HTTP/1.1 103 Early Hints\r\n"
        let starts = [
            "HTTP/1.1 200 OK\r\n first: x", "HTTP/1.1 200 OK\r\n\tfirst: x",
            "HTTP/1.1 200 OK\r\n first: \(long)", "\(interim) first: x",
            "\(interim)\r\n\(interim)\r\nHTTP/1.1 200 OK\r\n first: x",
            "\(interim)A: b\r\n\r\nHTTP/1.1 200 OK\r\n first: x",
        ]
        for start in starts + starts {
            _ = await fixture.transport.perform(fixture.exchange("/headers/20"))
            let folded = await fixture.perform(raw: start + "\r\n\r\n")
            #expect(folded.failure?.code == .badServerResponse, "\(start.prefix(60))")
            #expect(
                folded.failure?.message == "the first header line begins with white space",
                "\(start.prefix(60))")
            #expect(folded.head == nil)
        }
    }

    @Test("heads that start with no field, or with a very long one, take nothing from the body")
    func firstFields() async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 1))
        let long = String(repeating: "x", count: 40_000)
        let interim = "HTTP/1.1 103 Early Hints\r\n"
        let heads = [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\nA: b\n",
            "HTTP/1.1 200 OK\r\nA: \(long)\r\n", "\(interim)\r\nHTTP/1.1 200 OK\r\nA: b\r\n",
            "\(interim)A: \(long)\r\n\r\n\(interim)\r\nHTTP/1.1 200 OK\r\n",
            "HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n",
        ]
        for head in heads + heads {
            let record = await fixture.perform(raw: head + "\r\n a body\r\n\r\n")
            #expect(record.failure == nil, "\(head.prefix(60))")
            #expect(record.body == Data(" a body\r\n\r\n".utf8), "\(head.prefix(60))")
            _ = await fixture.transport.perform(fixture.exchange("/headers/20"))
        }
    }

    @Test("an exchange that is canceled between status line and fields leaves no trace")
    func cancelledInHead() async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 1))
        fixture.server.route("/stuck") { _ in
            .script([.send(Array("HTTP/1.1 200 OK\r\n".utf8)), .hold])
        }
        for _ in 0..<5 {
            _ = await fixture.transport.perform(fixture.exchange("/text"))
            let stuck = fixture.exchange("/stuck").with { $0.timeouts.head = 0.05 }
            #expect(await fixture.transport.perform(stuck).failure?.timeout == .head)
            let record = await fixture.perform(raw: "HTTP/1.1 200 OK\r\n\r\nbody")
            #expect(record.body == Data("body".utf8))
        }
    }

    @Test("the metrics of an exchange canceled at once contain nothing of the previous one")
    func metrics() async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 1))
        _ = await fixture.transport.perform(
            fixture.exchange("/text", method: "POST", body: [1, 2]))
        let (recorder, transfer) = fixture.transport.begin(
            fixture.exchange("/hang", method: "POST", body: [1, 2, 3]))
        transfer.cancel()
        let metrics = try #require(await recorder.atEnd.ends.first?.metrics)
        #expect(metrics.requestBodyBytes == 0 || metrics.requestBodyBytes == 3)
        #expect(metrics.headDuration == nil)
        #expect(metrics.protocolVersion.isEmpty)
    }

    @Test("the system's error number is that of the exchange itself")
    func systemErrorNumber() async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnections: 1))
        let closed = try ReservedPort()
        let refused = await fixture.transport.perform(
            Exchange(method: "GET", url: closed.baseURL + "/", pool: fixture.pool))
        #expect(refused.failure?.code == .cannotConnectToHost)
        #expect(refused.failure?.systemErrorNumber == ECONNREFUSED)
        let broken = await fixture.perform(raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
        #expect(broken.failure?.code == .networkConnectionLost)
        #expect(broken.failure?.systemErrorNumber == nil)
    }
}
