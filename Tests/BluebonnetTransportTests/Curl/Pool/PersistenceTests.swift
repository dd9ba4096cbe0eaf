import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

@testable import BluebonnetTransport

@Suite("Keeping connections", .timeLimit(.minutes(2)))
struct PersistenceTests {
    let transport = CurlTransport()

    /// Returns a server with fields about its connection in each response, which always keeps it.
    private static func server(_ fields: String, version: String = "1.1") throws -> RawServer {
        try RawServer { connection, _ in
            while !connection.readHead().isEmpty {
                connection.send(
                    "HTTP/\(version) 200 OK\r\nContent-Length: 2\r\n\(fields)\r\n\r\nok")
            }
        }
    }

    private func exchange(with server: RawServer, pool: Exchange.Pool) -> Exchange {
        Exchange(method: "GET", url: server.baseURL, pool: pool)
    }

    @Test(
        "one that its server will close is closed and not used again (RFC 9112 section 9.6)",
        arguments: [
            "Connection: close", "connection: CLOSE", "Connection: foo, close",
            "Connection: foo,close ,bar", "Connection: keep-alive\r\nConnection: close",
            "Connection: close, keep-alive", "Keep-Alive: max=0", "Keep-Alive: timeout=0",
        ])
    func closedByServer(fields: String) async throws {
        let server = try Self.server(fields)
        let pool = Exchange.Pool()
        for _ in 0..<3 {
            let record = await transport.perform(exchange(with: server, pool: pool))
            #expect(record.ends.first?.metrics.isConnectionReused == false)
            #expect(await SystemSockets.settles { SystemSockets.clientCount(of: server.port) == 0 })
        }
        #expect(server.acceptedCount == 3)
    }

    @Test(
        "one without a valid statement of its server is used again",
        arguments: [
            "Connection: keep-alive", "X-Connection: close", "Keep-Alive: timeout=60, max=100",
            "Keep-Alive: timeout=x", "Keep-Alive: max", "Keep-Alive: timeout=99999999999999999999",
            "Keep-Alive: ,;=", "X: y",
        ])
    func keptByServer(fields: String) async throws {
        let server = try Self.server(fields)
        let pool = Exchange.Pool()
        for number in 0..<3 {
            let record = await transport.perform(exchange(with: server, pool: pool))
            #expect(record.ends.first?.metrics.isConnectionReused == (number > 0))
        }
        #expect(server.acceptedCount == 1)
    }

    @Test("HTTP/1.0 keeps a connection if both sides want it", arguments: [true, false])
    func version10(isKept: Bool) async throws {
        let server = try Self.server("Connection: \(isKept ? "keep-alive" : "x")", version: "1.0")
        let pool = Exchange.Pool()
        for _ in 0..<2 { _ = await transport.perform(exchange(with: server, pool: pool)) }
        #expect(server.acceptedCount == (isKept ? 1 : 2))
    }

    @Test(
        "one that the request asks to close is closed, even if its server would keep it",
        arguments: ["close", "Close", "foo, close"])
    func closedByRequest(value: String) async throws {
        let server = try Self.server("X: y")
        let pool = Exchange.Pool()
        for _ in 0..<3 {
            let closing = exchange(with: server, pool: pool).with {
                $0.fields.append(Exchange.Field(name: "Connection", value: value))
            }
            #expect(await transport.perform(closing).failure == nil)
            #expect(await SystemSockets.settles { SystemSockets.clientCount(of: server.port) == 0 })
        }
        for _ in 0..<2 { _ = await transport.perform(exchange(with: server, pool: pool)) }
        #expect(server.acceptedCount == 4)
    }

    // MARK: Idle connections

    /// Performs this many exchanges at once, which leave as many connections.
    private func leave(_ count: Int, at server: FixtureServer, in pool: Exchange.Pool) async {
        let exchange = Exchange(method: "GET", url: server.baseURL + "/delay/100", pool: pool)
        let pairs = (0..<count).map { _ in transport.begin(exchange) }
        for pair in pairs { #expect(await pair.recorder.atEnd.failure == nil) }
        #expect(server.acceptedConnectionCount > 1)
    }

    private func isOpen(_ count: Int, to server: FixtureServer) async -> Bool {
        await SystemSockets.settles { SystemSockets.clientCount(of: server.port) == count }
    }

    @Test("idle ones are closed after their timeout, with their descriptors")
    func idle() async throws {
        let server = try FixtureServer()
        let short = Exchange.Pool(idleConnectionTimeout: 1)
        let long = Exchange.Pool(idleConnectionTimeout: nil)
        let begin = MonotonicInstant.now
        await leave(20, at: server, in: short)
        await leave(3, at: server, in: long)
        #expect(await isOpen(3, to: server))
        #expect(MonotonicInstant.now.seconds(since: begin) >= 0.9)
        #expect(await transport.openSocketCount == 3)
        withExtendedLifetime((short, long)) {}
    }

    @Test("one that its server keeps for a shorter time is closed before that")
    func keepAlive() async throws {
        let server = try Self.server("Keep-Alive: timeout=3")
        let pool = Exchange.Pool(idleConnectionTimeout: 3600)
        let begin = MonotonicInstant.now
        _ = await transport.perform(exchange(with: server, pool: pool))
        #expect(await SystemSockets.settles { SystemSockets.clientCount(of: server.port) == 0 })
        #expect(MonotonicInstant.now.seconds(since: begin) >= 1.9)
        // The descriptor belongs to libcurl, which closes it at its next check.
        #expect(await SystemSockets.settles(asking: { await transport.openSocketCount == 0 }))
    }

    @Test("one that is in use is not idle, however long its exchange is paused")
    func paused() async throws {
        let server = try FixtureServer()
        let pool = Exchange.Pool(idleConnectionTimeout: 1)
        server.route("/large") { _ in .text(String(repeating: "x", count: 8_000_000)) }
        let exchange = Exchange(method: "GET", url: server.baseURL + "/large", pool: pool).with {
            $0.receiveWindow = 100_000
        }
        let (recorder, transfer) = transport.begin(exchange)
        #expect(await SystemSockets.settles { recorder.now.body.count >= 100_000 })
        await leave(2, at: server, in: pool)
        #expect(await isOpen(1, to: server))
        transfer.didConsume(1 << 40)
        #expect(await recorder.atEnd.failure == nil)
        #expect(await recorder.atEnd.body.count == 8_000_000)
    }

    @Test("none serves a new exchange after its maximum lifetime")
    func lifetime() async throws {
        let server = try Self.server("X: y")
        let exchange = exchange(
            with: server, pool: Exchange.Pool(maximumConnectionLifetime: 1))
        let begin = MonotonicInstant.now
        #expect(
            await SystemSockets.settles(asking: {
                _ = await transport.perform(exchange)
                return server.acceptedCount == 2
            }))
        #expect(MonotonicInstant.now.seconds(since: begin) >= 1)
        #expect(await SystemSockets.settles { SystemSockets.clientCount(of: server.port) == 1 })
    }

    @Test("idle ones are closed at once with their pool, and the others later")
    func closing() async throws {
        let server = try FixtureServer()
        let pool = Exchange.Pool()
        await leave(10, at: server, in: pool)
        let (recorder, transfer) = transport.begin(
            Exchange(method: "GET", url: server.baseURL + "/delay/600000", pool: pool))
        #expect(await SystemSockets.settles { server.counters.requests == 11 })
        await pool.close()
        #expect(SystemSockets.clientCount(of: server.port) == 1)
        #expect(await SystemSockets.settles(asking: { await transport.openSocketCount == 1 }))
        transfer.cancel()
        #expect(await recorder.atEnd.failure?.code == .cancelled)
        await leave(3, at: server, in: pool)
        await pool.close()
        #expect(SystemSockets.clientCount(of: server.port) == 0)
        #expect(await transport.openSocketCount == 0)
    }

    @Test(
        "times are rounded up to whole seconds, at least one",
        arguments: [
            (-1, 1), (0, 1), (.nan, 1), (0.3, 1), (1, 1), (1.2, 2), (29.5, 30), (.infinity, nil),
            (1e300, nil), (nil, nil),
        ] as [(TimeInterval?, Int?)])
    func ages(seconds: TimeInterval?, expected: Int?) {
        let ages = ConnectionAges(
            of: Exchange.Pool(idleConnectionTimeout: seconds, maximumConnectionLifetime: seconds))
        #expect(ages.idle == expected && ages.lifetime == expected)
    }
}
