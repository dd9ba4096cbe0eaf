import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Idle connections", .timeLimit(.minutes(5)))
struct IdleConnectionTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture(pool: Exchange.Pool(maximumConnectionsPerHost: 1))
    }

    @Test("a second response on an idle connection never answers the next request")
    func poisoning() async {
        let good = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood".utf8)
        let evil = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil".utf8)
        fixture.server.route("/twice") { _ in
            .script([.send(good), .pause(milliseconds: 50), .send(evil), .endRequest])
        }
        for _ in 0..<3 {
            let first = await fixture.transport.perform(fixture.exchange("/twice"))
            #expect(String(decoding: first.body, as: UTF8.self) == "good")
            // The transport closes the connection because of the second response.
            #expect(fixture.server.wait(upTo: 5000) { $0.openConnections == 0 })
            let next = await fixture.transport.perform(fixture.exchange("/json"))
            #expect(next.failure == nil)
            #expect(next.head?["Content-Type"] == "application/json")
        }
    }

    @Test("a connection whose response precedes the request is watched like any other")
    func watchedFromTheStart() async throws {
        let isClosed = Locked(false)
        // libcurl can read such a response without waiting for it.
        let server = try RawServer { connection, index in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood")
            connection.readHead()
            if index == 0 {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
                // The transport closes the connection because of it.
                connection.read(1)
                isClosed.withLock { $0 = true }
            }
        }
        let exchange = Exchange(method: "GET", url: server.baseURL, pool: fixture.pool)
        let first = await fixture.transport.perform(exchange)
        #expect(String(decoding: first.body, as: UTF8.self) == "good")
        #expect(await SystemSockets.settles { isClosed.withLock { $0 } })
        let next = await fixture.transport.perform(exchange)
        #expect(String(decoding: next.body, as: UTF8.self) == "good")
        #expect(next.ends.first?.metrics.isConnectionReused == false)
    }

    @Test(
        "they are watched again when only their own exchange can use them",
        .enabled(if: LibcurlQuirks.current.speaksHTTP2))
    func watchedAgain() async {
        fixture.server.route("/twice") { _ in
            .script([
                .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood".utf8)),
                .pause(milliseconds: 50), .send(Array("HTTP/1.1 200 OK\r\n".utf8)), .endRequest,
            ])
        }
        // With shared connections, an exchange without a head can be on any of them.
        let pool = Exchange.Pool(httpVersion: .http2)
        let pending = fixture.transport.begin(
            fixture.exchange("/delay/1500").with { $0.pool = pool })
        let first = fixture.exchange("/twice").with { $0.pool = pool }
        #expect(await fixture.transport.perform(first).failure == nil)
        #expect(await pending.recorder.atEnd.failure == nil)
        #expect(fixture.server.wait(upTo: 5000) { $0.openConnections == 1 })
    }

    @Test("idle connections that the server closes are not used, and are closed at once")
    func closed() async {
        let pool = Exchange.Pool()
        let exchange = fixture.exchange("/delay/30").with { $0.pool = pool }
        let pairs = (0..<20).map { _ in fixture.transport.begin(exchange) }
        for pair in pairs { _ = await pair.recorder.atEnd }
        let port = fixture.server.port
        #expect(
            await SystemSockets.settles {
                fixture.server.closeIdleConnections()
                return SystemSockets.clients(of: port, in: .closeWait).isEmpty
                    && SystemSockets.clients(of: port, in: .established).isEmpty
            })
        for method in ["POST", "GET"] {
            let next = fixture.exchange("/text", method: method).with { $0.pool = pool }
            #expect(await fixture.transport.perform(next).failure == nil)
        }
    }

    @Test(
        "a request lost on a kept connection is sent again only if idempotent",
        arguments: ["POST", "PATCH", "GET", "PUT"], [0, 10, 100_000]
    )
    func lost(method: String, size: Int) async {
        let isSafe = method == "GET" || method == "PUT"
        let attempts = Locked(0)
        fixture.server.route("/once") { request in
            let attempt = attempts.withLock {
                $0 += 1
                return $0
            }
            return attempt == 1 && request.requestIndex > 0
                ? .script([.close]) : .text("\(request.body.count)")
        }
        #expect(await fixture.transport.perform(fixture.exchange("/text")).failure == nil)
        let record = await fixture.transport.perform(
            fixture.exchange("/once", method: method, body: DeterministicBytes.prefix(size)))
        #expect(attempts.withLock { $0 } == (isSafe ? 2 : 1))
        #expect(record.failure?.code == (isSafe ? nil : .networkConnectionLost))
        if isSafe { #expect(String(decoding: record.body, as: UTF8.self) == "\(size)") }
        #expect(await fixture.transport.perform(fixture.exchange("/text")).failure == nil)
    }
}
