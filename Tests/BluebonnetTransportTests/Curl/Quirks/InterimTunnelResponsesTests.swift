import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Interim responses to CONNECT", .timeLimit(.minutes(5)))
struct InterimTunnelResponsesTests {
    private static let opened = "HTTP/1.1 200 Connection established\r\n\r\n"
    private static let early = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"

    let transport = CurlTransport()

    /// Fetches through a tunnel for plain HTTP, which the server serves itself.
    private func fetch(
        through server: FaultServer, _ change: (inout Exchange) -> Void = { _ in }
    ) async -> ExchangeRecorder.Record {
        var proxy = Exchange.Route.Proxy(.http, host: "127.0.0.1", port: Int(server.port))
        proxy.tunnelsPlainHTTP = true
        let pool = Exchange.Pool(route: Exchange.Route(proxy: proxy))
        return await transport.perform(
            Exchange(method: "GET", url: "http://example.test/", pool: pool).with(change).with {
                $0.timeouts.whole = 20
            })
    }

    @Test(
        "any number of them may come first, in one piece or in many",
        arguments: [
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 102 Processing\r\n\r\n", early,
            "HTTP/1.0 100\r\n\r\n", "HTTP/1.1 199 \nA: b\n\n",
            "HTTP/1.1 100 Continue\r\n\r\n\(early)HTTP/1.1 102 Processing\r\nA: b\r\n\r\n",
        ], [true, false])
    func skipped(interim: String, isWhole: Bool) async throws {
        let bytes = Array((interim + Self.opened).utf8)
        let server = try FaultServer(
            FaultScript([
                .request, isWhole ? .send(bytes) : .drip(bytes, milliseconds: 1), .serve,
            ]))
        let record = await fetch(through: server)
        #expect(record.failure == nil, "\(record.failure as Any)")
        #expect(record.head?.statusCode == 200)
        #expect(record.body == Data(FaultScript.goodBody))
        #expect(server.requests.map(\.method) == ["CONNECT", "GET"])
    }

    @Test("a refusal behind one is that refusal")
    func refused() async throws {
        let answer = "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=a\r\n\r\n"
        let server = try FaultServer(FaultScript([.request, .send(Self.early + answer), .drain]))
        let failure = await fetch(through: server).failure
        #expect(failure?.proxyStatus == 407)
        #expect(failure?.proxyFields.count == 1)
    }

    @Test("the loop rests while the rest of one is awaited")
    func rests() async throws {
        let server = try FaultServer(
            FaultScript([
                .request, .send("HTTP/1.1 10"), .await(signals: 1), .send("0 Continue\r\n"),
                .await(signals: 2), .send("\r\n" + Self.opened), .serve,
            ]))
        async let fetched = fetch(through: server)
        let clock = ContinuousClock()
        for _ in 0..<2 {
            #expect(server.wait(upTo: 5000) { $0.requests == 1 })
            let turns = transport.turnCount
            // For as long as a loop that spins takes for thousands of turns.
            try await clock.sleep(for: .milliseconds(100))
            #expect(transport.turnCount - turns < 25)
            server.signal()
        }
        #expect(await fetched.failure == nil)
    }

    @Test(
        "what goes beyond the limits or breaks off opens no tunnel, and the error says why",
        arguments: [
            (String(repeating: early, count: 17) + opened, "the interim response 103 to CONNECT"),
            ("HTTP/1.1 101 Switching\r\n\r\n" + opened, "the interim response 101 to CONNECT"),
            ("HTTP/1.1 100 Go\r\nA: \(String(repeating: "b", count: 9000))\r\n\r\n", "too long"),
            ("HTTP/1.1 100 Go\r\nA", "opened no tunnel"), ("HTTP/1.", "opened no tunnel"),
            (early + "HTTP/1.1 10", "opened no tunnel"),
        ])
    func refusals(answer: String, words: String) async throws {
        let server = try FaultServer(
            FaultScript([.request, .send(answer), .halfClose, .drain]))
        let failure = await fetch(through: server).failure
        #expect(failure?.code == .cannotConnectToHost, "\(failure as Any)")
        #expect(failure?.proxyStatus == nil)
        #expect(failure?.message.contains(words) == true, "\(failure as Any)")
    }

    @Test("as many as an exchange takes are skipped")
    func limit() async throws {
        for (count, isGood) in [(3, true), (4, false)] {
            let server = try FaultServer(
                FaultScript([
                    .request, .send(String(repeating: Self.early, count: count) + Self.opened),
                    .serve,
                ]))
            let record = await fetch(through: server) { $0.limits.interimResponseCount = 3 }
            #expect((record.failure == nil) == isGood, "\(record.failure as Any)")
        }
    }

    @Test("a proxy that never goes on is given up in time")
    func silent() async throws {
        let server = try FaultServer(FaultScript([.request, .send("HTTP/1.1 100"), .drain]))
        let failure = await fetch(through: server) { $0.timeouts.connect = 0.3 }.failure
        #expect(failure?.timeout == .connect)
    }

    @Test("inside TLS to the proxy none can be skipped, and the error names it")
    func insideTLS() async throws {
        let certificates = try await TestCertificates.make(in: ServerDirectory())
        let server = try FaultServer(
            FaultScript([.request, .send("HTTP/1.1 100 Continue\r\n\r\n" + Self.opened), .serve]),
            identity: ServerIdentity(
                chainFile: certificates.certificate, keyFile: certificates.key))
        var proxy = Exchange.Route.Proxy(.https, host: "localhost", port: Int(server.port))
        proxy.certificateAuthorityFile = certificates.authority
        let pool = Exchange.Pool(route: Exchange.Route(proxy: proxy))
        let record = await transport.perform(
            Exchange(method: "GET", url: "https://example.test/", pool: pool).with {
                $0.timeouts.whole = 10
            })
        #expect(record.failure?.code == .cannotConnectToHost)
        #expect(record.failure?.message.contains("interim response 100 to CONNECT") == true)
    }

    @Test("interim responses of the host behind the tunnel stay its own")
    func behind() async throws {
        let server = try FaultServer(
            FaultScript([
                .request, .send(Self.opened), .request,
                .send(String(repeating: Self.early, count: 2)), .answer, .close,
            ]))
        let record = await fetch(through: server) { $0.limits.interimResponseCount = 1 }
        #expect(record.failure?.limit == .interimResponseCount)
    }

    @Test(
        "its beginning tells what it is",
        arguments: [
            ("HTTP/1.1 100 \r\n\r\nHTTP", 17), ("HTTP/1.0 199\n\nx", 14), ("", 0), ("H", 0),
            ("HTTP/1.1", 0), ("HTTP/1.1 1", 0), ("HTTP/1.1 10", 0), ("HTTP/1.1 100", 0),
            ("HTTP/1.1 100 \r\nA: b\r\n\r", 0), ("HTTP/1.1 2", nil), ("HTTP/1.1 101", nil),
            ("HTTP/1.2", nil), ("HTTP/2 100", nil), ("HTTP/1.1 1000", nil), ("HTTP/1.1  100", nil),
            ("http/1.1 100", nil), ("X", nil),
        ] as [(String, Int?)])
    func beginnings(text: String, length: Int?) {
        #expect(InterimTunnelResponses.length(ofInterimIn: Array(text.utf8)[...]) == length)
    }
}
