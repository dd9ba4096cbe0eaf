import BluebonnetFixtureServer
import BluebonnetTestSupport
import CBluebonnetTestFaults
import Foundation
import Testing

@testable import BluebonnetTransport

/// libcurl is held up once it has sent a request, so that it finds the answer there when it looks
/// for the first time, and never watches the connection for an exchange that is suspended.
@Suite(
    "An exchange that is paused before libcurl ever watched its connection", .serialized,
    .enabled(if: bt_answer_await("", 0) == 0), .timeLimit(.minutes(5)))
struct PausedAtOnceTests {
    private static let thread = "bt-paused"
    /// Of the second response; a part of it is left in the kernel when it pauses.
    private static let size = EasyHandleTemplate.receiveBufferSize * 3 / 2

    /// How the exchange before it on the connection ends.
    enum Former: String, CaseIterable, Sendable {
        /// Well, and nobody can tell its connection from one with bytes behind the response.
        case ends
        /// Because its body cannot be decoded, on a connection that might have been one with HTTP/2.
        case fails

        var beginning: String {
            let coding = self == .fails ? "Content-Encoding: gzip\r\n" : ""
            return "HTTP/1.1 200 OK\r\n\(coding)Transfer-Encoding: chunked\r\n\r\n"
        }

        /// The beginning of a body in gzip, and no more.
        var rest: [UInt8] {
            Array("3\r\n".utf8) + [0x1F, 0x8B, 0x08] + Array("\r\n0\r\n\r\n".utf8)
        }
    }

    let transport = CurlTransport(threadName: PausedAtOnceTests.thread)
    let other: FixtureServer

    init() throws {
        other = try FixtureServer()
    }

    private func script(_ former: Former) -> FaultScript {
        let body = [UInt8](repeating: UInt8(ascii: "b"), count: Self.size)
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
        return FaultScript([
            .request, .send(former.beginning), .await(signals: 1), .send(former.rest), .request,
            .send(answer),
        ])
    }

    @Test(
        "keeps that connection, whatever becomes of the exchange before it on it",
        arguments: Former.allCases)
    func keepsItsConnection(former: Former) async throws {
        let directory = try ServerDirectory()
        let certificates = try await TestCertificates.make(in: directory)
        let isSecure = former == .fails
        let server = try FaultServer(
            script(former),
            identity: isSecure
                ? ServerIdentity(
                    chainFile: certificates.certificate, keyFile: certificates.key) : nil)
        let pool = Exchange.Pool(
            maximumConnectionsPerHost: 2, certificateAuthorityFile: certificates.authority,
            httpVersion: isSecure ? .automatic : .http1)
        let authority = isSecure ? "https://localhost" : "http://127.0.0.1"
        let exchange = Exchange(
            method: "GET", url: "\(authority):\(server.port)/", pool: pool
        )
        .with { $0.timeouts.idle = 40 }
        let first = transport.begin(exchange)
        _ = await first.recorder.when { $0.head != nil }
        first.transfer.suspend()
        let loop = await BlockedLoop(of: transport, with: other)
        server.signal()
        #expect(
            await SystemSockets.settles { SystemSockets.unreadCount(ofClientsOf: server.port) > 0 })
        // libcurl takes leave of the first and begins with the second in one call.
        first.transfer.resume()
        let second = transport.begin(exchange)
        second.transfer.suspend()
        bt_answer_await(Self.thread, Int32(Self.size))
        loop.letGo()
        _ = await second.recorder.when { $0.head != nil || !$0.ends.isEmpty }
        #expect(bt_answer_count() == 1)
        bt_answer_await(Self.thread, 0)
        second.transfer.resume()
        #expect((await first.recorder.atEnd.failure == nil) == (former == .ends))
        let record = await second.recorder.atEnd
        #expect(record.failure == nil)
        #expect(record.body.count == Self.size)
        #expect(server.counters.acceptedConnections == 1)
    }
}
