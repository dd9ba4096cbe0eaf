import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Stalled connections", .timeLimit(.minutes(2)))
struct ConnectionWaitCausesTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture(
            pool: Exchange.Pool(maximumConnectionsPerHost: 2, maximumConnections: 3))
        fixture.server.route("/large") { _ in .text(String(repeating: "x", count: 8_000_000)) }
    }

    /// Returns an exchange that waits only briefly while nothing moves.
    private func impatient(_ url: String? = nil) -> Exchange {
        fixture.exchange("/text").with {
            $0.url = url ?? $0.url
            $0.timeouts.queueStall = 0.3
        }
    }

    /// Starts an exchange whose response is not consumed, and returns when it stalls.
    private func beginUnread() async -> any Transfer {
        let (recorder, transfer) = fixture.transport.begin(
            fixture.exchange("/large").with { $0.receiveWindow = 100_000 })
        #expect(await SystemSockets.settles { recorder.now.body.count >= 100_000 })
        return transfer
    }

    @Test("they end exchanges that wait for one, with an explanation")
    func unread() async {
        let held = [await beginUnread(), await beginUnread()]
        let failure = await fixture.transport.perform(impatient()).failure
        #expect(failure?.timeout == .queueStall && failure?.code == .timedOut)
        #expect(failure?.message.contains("2 with an unread response") == true)
        #expect(failure?.message.contains("connection to \(fixture.server.baseURL)") == true)
        for transfer in held { transfer.cancel() }
        #expect(await fixture.transport.perform(impatient()).failure == nil)
    }

    @Test("different kinds of exchanges can hold them")
    func causes() async {
        let source = PromptedSource()
        let sending = fixture.transport.begin(
            fixture.exchange("/echo-body", method: "POST").with {
                $0.body = .stream(source.stream())
            })
        await source.later(1)
        let suspended = fixture.transport.begin(fixture.exchange("/delay/600000"))
        #expect(await SystemSockets.settles { fixture.server.requestCount == 1 })
        suspended.transfer.suspend()
        var message = await fixture.transport.perform(impatient()).failure?.message ?? ""
        #expect(message.contains("(1 suspended, 1 waiting for more of their request's body)"))
        suspended.transfer.resume()
        message = await fixture.transport.perform(impatient()).failure?.message ?? ""
        #expect(message.contains("1 waiting for the server"))
        suspended.transfer.cancel()
        sending.transfer.cancel()
    }

    @Test("they can be all connections of the pool")
    func pool() async {
        let held = [await beginUnread(), await beginUnread()]
        let other = fixture.transport.begin(
            Exchange(
                method: "GET", url: "http://localhost:\(fixture.server.port)/delay/600000",
                pool: fixture.pool))
        #expect(await SystemSockets.settles { fixture.server.requestCount == 3 })
        let url = "http://127.0.0.2:\(fixture.server.port)/text"
        let message = await fixture.transport.perform(impatient(url)).failure?.message ?? ""
        #expect(message.contains("no connection of the pool became free"))
        #expect(message.contains("2 with an unread response, 1 waiting for the server"))
        for transfer in held + [other.transfer] { transfer.cancel() }
    }

    @Test("a connection on which a byte moves occasionally is not stalled")
    func trickle() async {
        fixture.server.route("/trickle") { _ in
            .script(
                [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n".utf8))]
                    + Array(repeating: [.pause(milliseconds: 100), .send([0x61])], count: 12)
                    .joined()
                    + [.endRequest])
        }
        let held = [await beginUnread()]
        let slow = fixture.transport.begin(fixture.exchange("/trickle"))
        #expect(await SystemSockets.settles { !slow.recorder.now.body.isEmpty })
        #expect(await fixture.transport.perform(impatient()).failure == nil)
        #expect(await slow.recorder.atEnd.failure == nil)
        for transfer in held { transfer.cancel() }
    }

    @Test("they do not end an exchange that is suspended in the queue")
    func suspendedInQueue() async {
        let held = [await beginUnread(), await beginUnread()]
        let waiting = fixture.transport.begin(impatient())
        waiting.transfer.suspend()
        #expect(await fixture.transport.perform(impatient()).failure?.timeout == .queueStall)
        #expect(waiting.recorder.now.ends.isEmpty)
        for transfer in held { transfer.cancel() }
        waiting.transfer.resume()
        #expect(await waiting.recorder.atEnd.failure == nil)
    }
}
