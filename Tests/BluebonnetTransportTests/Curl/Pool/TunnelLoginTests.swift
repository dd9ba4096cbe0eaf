import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Tunnel credentials and their refusals", .timeLimit(.minutes(5)))
struct TunnelLoginTests {
    let transport = CurlTransport()

    private func proxy(
        _ port: UInt16, _ change: (inout Exchange.Route.Proxy) -> Void = { _ in }
    ) -> Exchange.Route.Proxy {
        var proxy = Exchange.Route.Proxy(.http, host: "127.0.0.1", port: Int(port))
        proxy.tunnelsPlainHTTP = true
        change(&proxy)
        return proxy
    }

    private func perform(
        _ url: String, _ pool: Exchange.Pool, _ change: (inout Exchange) -> Void = { _ in }
    ) async -> ExchangeRecorder.Record {
        await transport.perform(
            Exchange(method: "GET", url: url, pool: pool).with(change).with {
                $0.timeouts.whole = 10
            })
    }

    @Test("an exchange's credentials are sent only with CONNECT, and replace all others")
    func ownLogin() async throws {
        let server = try FixtureServer()
        server.recordsRequests = true
        server.route("example.test:80") { _ in
            .raw("HTTP/1.1 200 Connection established\r\n\r\n", then: .endRequest)
        }
        let route = Exchange.Route(
            proxy: proxy(server.port) {
                $0.username = "route"
                $0.password = "hunter2"
                $0.fields = [.init(name: "X-Via", value: "b")]
            })
        let pool = Exchange.Pool(maximumConnections: 1, route: route)
        let logins = ["Digest own", nil, "Digest other", "Digest other", nil]
        for login in logins {
            let record = await perform("http://example.test/text", pool) {
                $0.tunnelAuthorization = login
                $0.connectsAnew = true
            }
            #expect(record.failure == nil)
            let requests = server.recordedRequests.suffix(2)
            let (connect, get) = (try #require(requests.first), try #require(requests.last))
            #expect(connect.method == "CONNECT")
            #expect(
                connect.headers.values(of: "Proxy-Authorization")
                    == [login ?? "Basic cm91dGU6aHVudGVyMg=="])
            #expect(connect.headers["X-Via"] == "b")
            #expect(get.target == "/text")
            #expect(get.headers["Proxy-Authorization"] == nil)
        }
        #expect(server.requestCount == 2 * logins.count)
    }

    @Test("they replace a field of the route, and are not sent to a forwarding proxy")
    func otherFields() async throws {
        let server = try FixtureServer()
        server.recordsRequests = true
        let field = Exchange.Field(name: "proxy-authorization", value: "Basic field")
        for (url, tunnels, login) in [
            ("http://example.test/", true, "Digest own"),
            ("http://example.test/", false, "Basic field"),
        ] {
            let route = Exchange.Route(
                proxy: proxy(server.port) {
                    $0.fields = [field]
                    $0.tunnelsPlainHTTP = tunnels
                })
            _ = await perform(url, Exchange.Pool(route: route)) {
                $0.tunnelAuthorization = "Digest own"
            }
            let request = try #require(server.recordedRequests.last)
            #expect(request.headers.values(of: "Proxy-Authorization") == [login])
        }
    }

    @Test(
        "the reported target equals that of the CONNECT request",
        arguments: [
            "http://example.test/", "https://EXAMPLE.test:8443/x", "http://[::1]:81/",
            "https://127.1/", "https://example.test./", "http://[fe80::1%25lo]/",
        ])
    func target(url: String) async throws {
        let server = try FixtureServer()
        server.recordsRequests = true
        _ = await perform(url, Exchange.Pool(route: Exchange.Route(proxy: proxy(server.port))))
        let request = try #require(server.recordedRequests.last)
        #expect(request.method == "CONNECT")
        #expect(URLAuthority(of: url)?.tunnelTarget == request.target)
    }

    @Test("a failure has the fields of a refusal, or none if the head is malformed")
    func refusals() async throws {
        let challenges = "Proxy-Authenticate: Basic realm=\"a\"\r\nproxy-authenticate: Digest x\r\n"
        let fields = [
            Exchange.Field(name: "Proxy-Authenticate", value: "Basic realm=\"a\""),
            Exchange.Field(name: "proxy-authenticate", value: "Digest x"),
        ]
        for (answer, status, expected) in [
            ("407 No\r\n\(challenges)\r\n", 407, fields),
            (
                "407 No\r\nProxy-Authenticate: Basic\r\n realm=\"a\"\r\nproxy-authenticate: Digest x\r\n\r\n",
                407, fields
            ),
            ("503 Later\r\nRetry-After: 3\r\n\r\n", 503, [.init(name: "Retry-After", value: "3")]),
            ("407\r\n\r\n", 407, []),
            ("407 No\r\nno colon\r\n\(challenges)\r\n", 407, []),
            ("407 No\r\n\(challenges)Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 407, []),
        ] as [(String, Int, [Exchange.Field])] {
            let server = try FaultServer(
                FaultScript([.request, .send("HTTP/1.1 \(answer)"), .drain]))
            let pool = Exchange.Pool(route: Exchange.Route(proxy: proxy(server.port)))
            let failure = await perform("https://example.test/", pool).failure
            #expect(failure?.proxyStatus == status, "\(answer)")
            #expect(failure?.proxyFields == expected, "\(answer)")
        }
    }

    @Test(
        "an interim response to CONNECT opens no tunnel, and the error names it",
        arguments: ["100 Continue", "102 Processing", "103 Early Hints", "101 Switching"],
        [true, false])
    func interim(answer: String, isSecure: Bool) async throws {
        let directory = try ServerDirectory()
        defer { withExtendedLifetime(directory) {} }
        let certificates = try await TestCertificates.make(in: directory)
        let server = try FaultServer(
            FaultScript([
                .request, .send("HTTP/1.1 \(answer)\r\nA: b\r\n\r\n"),
                .send("HTTP/1.1 200 Connection established\r\n\r\n"), .serve,
            ]),
            identity: isSecure
                ? ServerIdentity(
                    chainFile: certificates.certificate, keyFile: certificates.key) : nil)
        let proxy = proxy(server.port) {
            if isSecure {
                $0.scheme = .https
                $0.host = "localhost"
                $0.certificateAuthorityFile = certificates.authority
            }
        }
        let pool = Exchange.Pool(route: Exchange.Route(proxy: proxy))
        let failure = await perform("http://example.test/", pool).failure
        #expect(failure?.code == .cannotConnectToHost)
        #expect(failure?.proxyStatus == nil)
        let words = "it sent the interim response \(answer.prefix(3)) to CONNECT"
        #expect(failure?.message.contains(words) == true, "\(failure as Any)")
    }

    @Test("the failure of a 407 tells whether credentials were sent")
    func words() async throws {
        let server = try FixtureServer()
        server.route("example.test:443") { _ in
            .raw("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=a\r\n\r\n")
        }
        for (username, own, words) in [
            (nil, nil, "it requires a login, and none was sent"),
            ("name", nil, "it did not accept the login"),
            (nil, "Digest own", "it did not accept the login"),
        ] as [(String?, String?, String)] {
            let route = Exchange.Route(proxy: proxy(server.port) { $0.username = username })
            let failure = await perform("https://example.test/", Exchange.Pool(route: route)) {
                $0.tunnelAuthorization = own
            }.failure
            #expect(failure?.code == .userAuthenticationRequired)
            #expect(failure?.message.hasSuffix(words) == true, "\(failure as Any)")
        }
    }
}
