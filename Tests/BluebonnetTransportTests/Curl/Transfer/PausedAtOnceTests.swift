import BluebonnetFixtureServer
import BluebonnetTestSupport
import CBluebonnetTestFaults
import Foundation
import Testing

@testable import BluebonnetTransport

/// libcurl is blocked after it has sent a request, so that it finds the response at its first
/// check.
///
/// It then never watches the connection for an exchange that is suspended.
@Suite(
    "A paused exchange whose connection libcurl never watched", .serialized,
    .enabled(if: bt_answer_await("", 0) == 0), .timeLimit(.minutes(5)))
struct PausedAtOnceTests {
    private static let thread = "bt-paused"
    /// The size of the second response, a part of which is still in the kernel when it pauses.
    private static let size = EasyHandleTemplate.receiveBufferSize * 3 / 2

    /// The end of the previous exchange on the connection.
    enum Former: String, CaseIterable, Sendable {
        /// A success.
        ///
        /// Its connection looks like one with bytes after the response.
        case ends
        /// A body that cannot be decoded, on a connection that could have been HTTP/2.
        case fails

        var beginning: String {
            let coding = self == .fails ? "Content-Encoding: gzip\r\n" : ""
            return "HTTP/1.1 200 OK\r\n\(coding)Transfer-Encoding: chunked\r\n\r\n"
        }

        /// The start of a gzip body, and no more.
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
        "it keeps that connection, however the previous exchange on it ends",
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
        // libcurl ends the first and starts the second in one call.
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
