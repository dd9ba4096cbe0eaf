import BluebonnetFixtureServer
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Bytes after a response", .timeLimit(.minutes(5)))
struct ExcessBytesTests {
    /// Responses that are read at once, completely, and without a byte of what follows.
    enum Response: String, CaseIterable, Sendable {
        case withoutBody, withLength, inChunks

        var text: String {
            let size = EasyHandleTemplate.receiveBufferSize
            let status = self == .withoutBody ? "204 No Content" : "200 OK"
            let start = "HTTP/1.1 \(status)\r\nX: "
            let rest =
                switch self {
                case .withoutBody: "\r\n\r\n"
                case .withLength: "\r\nContent-Length: 3\r\n\r\nabc"
                case .inChunks:
                    "\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
                }
            let filling = size - start.utf8.count - rest.utf8.count
            return start + String(repeating: "x", count: filling) + rest
        }
    }

    private static let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"

    let fixture: TransportFixture
    let pool = Exchange.Pool(maximumConnectionsPerHost: 1000)

    init() throws {
        fixture = try TransportFixture()
    }

    private func exchange(with server: FaultServer) -> Exchange {
        Exchange(method: "GET", url: "http://127.0.0.1:\(server.port)/", pool: pool)
            .with { $0.timeouts.idle = 40 }
    }

    private func expectGood(_ recorder: ExchangeRecorder) async {
        let record = await recorder.atEnd
        #expect(record.failure == nil)
        #expect(String(decoding: record.body, as: UTF8.self) == "good")
    }

    /// Starts an exchange whose response continues on the test's signal.
    private func startFirst(
        _ beginning: String = "", then rest: String
    ) -> (server: FaultServer, exchange: (recorder: ExchangeRecorder, transfer: any Transfer))? {
        let script = FaultScript([
            .request, .send(beginning), .await(signals: 1), .send(rest), .request,
            .pause(milliseconds: 10), .answer,
        ])
        guard let server = try? FaultServer(script) else { return nil }
        let first = fixture.transport.begin(exchange(with: server))
        guard server.wait(upTo: 10_000, until: { $0.requests == 1 }) else { return nil }
        return (server, first)
    }

    /// Suspends an exchange after its head.
    private func suspend(
        _ exchange: (recorder: ExchangeRecorder, transfer: any Transfer)
    ) async {
        _ = await exchange.recorder.when { $0.head != nil }
        exchange.transfer.suspend()
    }

    private func arrive(_ text: String, from server: FaultServer) async {
        server.signal()
        let count = text.utf8.count
        #expect(
            await SystemSockets.settles {
                SystemSockets.unreadCount(ofClientsOf: server.port) == count
            })
    }

    @Test(
        "they never answer a request that starts in the turn in which the response ends",
        arguments: Response.allCases)
    func sameTurn(_ response: Response) async throws {
        let text = response.text + Self.evil
        let (server, first) = try #require(startFirst(then: text))
        let loop = await BlockedLoop(of: fixture.transport, with: fixture.server)
        await arrive(text, from: server)
        let second = fixture.transport.begin(exchange(with: server))
        loop.letGo()
        #expect(await first.recorder.atEnd.failure == nil)
        await expectGood(second.recorder)
        #expect(server.counters.acceptedConnections == 2)
    }

    /// Responses cut in two, with more bytes after the end in the second part.
    static let cutResponses = [
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\na", "bc\r\n0\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r", "\n"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n", "\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na", "bc"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n", "\r\nabc"),
    ]

    @Test(
        "any such bytes end the connection, wherever the response was cut",
        arguments: cutResponses, [evil, "H", "HTTP/1.1 200 OK\r\nContent-Le", "\r\n", "junk"])
    func cutInTwo(response: (String, String), excess: String) async throws {
        let (server, first) = try #require(startFirst(response.0, then: response.1 + excess))
        // The first part has been read, so it is not read together with the rest.
        #expect(
            await SystemSockets.settles {
                SystemSockets.unreadCount(ofClientsOf: server.port) == 0
            })
        server.signal()
        #expect(await first.recorder.atEnd.failure == nil)
        await expectGood(fixture.transport.begin(exchange(with: server)).recorder)
        #expect(server.counters.acceptedConnections == 2)
    }

    @Test("they never answer a request that starts when their exchange is resumed")
    func resumption() async throws {
        let rest = "abc" + Self.evil
        let (server, first) = try #require(
            startFirst("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", then: rest))
        await suspend(first)
        let loop = await BlockedLoop(of: fixture.transport, with: fixture.server)
        await arrive(rest, from: server)
        first.transfer.resume()
        let second = fixture.transport.begin(exchange(with: server))
        loop.letGo()
        #expect(await first.recorder.atEnd.failure == nil)
        await expectGood(second.recorder)
        #expect(server.counters.acceptedConnections == 2)
    }

    @Test("an early response to the next request does not count as such bytes")
    func answeredSoon() async throws {
        let rest = "3\r\nabc\r\n0\r\n\r\n"
        let (server, first) = try #require(
            startFirst("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", then: rest))
        await suspend(first)
        // Keeps the host known, so that many connections to it open at once.
        let hanging = fixture.transport.begin(fixture.exchange("/hang").with { $0.pool = pool })
        #expect(fixture.server.wait(upTo: 10_000) { $0.openConnections > 0 })
        let loop = await BlockedLoop(of: fixture.transport, with: fixture.server)
        await arrive(rest, from: server)
        first.transfer.resume()
        let second = fixture.transport.begin(exchange(with: server))
        // These give the server time to answer the second before libcurl returns.
        let others = (0..<300).map { _ in
            fixture.transport.begin(fixture.exchange("/text").with { $0.pool = pool })
        }
        loop.letGo()
        #expect(await first.recorder.atEnd.failure == nil)
        await expectGood(second.recorder)
        #expect(server.counters.acceptedConnections == 1)
        for other in others { #expect(await other.recorder.atEnd.failure == nil) }
        hanging.transfer.cancel()
    }
}
