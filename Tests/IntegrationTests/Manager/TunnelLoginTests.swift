import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Credentials for tunnels, on sockets", .timeLimit(.minutes(5)))
struct TunnelLoginTests {
    private static let opened = FaultAction.send("HTTP/1.1 200 Connection established\r\n\r\n")
    private static let served: [FaultAction] = [.request, opened, .serve]

    private let asked = Counts()

    private static func refused(_ challenge: String) -> [FaultAction] {
        let head =
            "HTTP/1.1 407 No\r\nProxy-Authenticate: \(challenge)\r\nContent-Length: 4\r\n\r\n"
        return [.request, .send(head + "body"), .drain]
    }

    private func manager(
        _ proxy: Exchange.Route.Proxy,
        _ change: (inout SessionConfiguration) -> Void = { _ in },
        answer: @escaping @Sendable (AuthenticationChallenge) -> URLCredential
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.route = Exchange.Route(proxy: proxy)
        change(&configuration)
        let manager = HTTPSessionManager(configuration: configuration)
        manager.didReceiveChallenge = { [asked] _, challenge in
            asked.add(challenge.isProxy ? 1 : 0, Int64(challenge.port))
            return .useCredential(answer(challenge))
        }
        return manager
    }

    private func tunneling(_ server: FaultServer) -> Exchange.Route.Proxy {
        var proxy = Exchange.Route.Proxy(.http, host: "127.0.0.1", port: Int(server.port))
        proxy.tunnelsPlainHTTP = true
        return proxy
    }

    private func fetch(_ url: String, _ manager: HTTPSessionManager) async throws
        -> Response<Data>
    {
        let request = URLRequest(url: try #require(URL(string: url)))
        return await manager.response(for: request, serializer: HTTPResponseSerializer())
    }

    @Test(
        "the hook authenticates to a proxy in plain text and within TLS, for any HTTP version",
        arguments: [Exchange.Route.Proxy.Scheme.http, .https], [Exchange.HTTPVersion.http1, .http2])
    func realProxies(scheme: Exchange.Route.Proxy.Scheme, version: Exchange.HTTPVersion)
        async throws
    {
        guard version == .http1 || LibcurlQuirks.current.speaksHTTP2 else { return }
        let login = Credentials(user: "bluebonnet", password: "alamo-fire")
        let file = Data("bluebonnets bloom in April\n".utf8)
        let nginx = try await NginxServer(files: ["a.txt": file])
        let secure = scheme == .https ? try await HTTPSProxy(credentials: login) : nil
        let plain = secure == nil ? try await HTTPProxyServer(credentials: login) : nil
        let port = Int(try #require(secure?.port ?? plain?.port))
        var proxy = Exchange.Route.Proxy(scheme, host: "localhost", port: port)
        proxy.certificateAuthorityFile = secure?.authorityFile
        let manager = manager(proxy) {
            $0.httpVersion = version
        } answer: { _ in
            URLCredential(user: login.user, password: login.password, persistence: .forSession)
        }
        manager.securityPolicy.certificateAuthorities = URL(fileURLWithPath: nginx.authorityFile)
        // The tunnel is kept, and a forwarded request has the credentials, too.
        for (url, exchangeCount) in [
            (nginx.tlsURL("files/a.txt"), 2), (nginx.tlsURL("files/a.txt"), 1),
            (nginx.url("files/a.txt"), 1),
        ] {
            let response = try await fetch(url, manager)
            #expect(response.value == file, "\(response.result)")
            #expect(response.metrics?.exchanges.count == exchangeCount)
            if version == .http2, url.hasPrefix("https") {
                #expect(response.metrics?.exchanges.last?.protocolVersion == "HTTP/2")
            }
        }
        #expect(asked.all.map(\.total) == [Int64(port)])
        let requests = secure?.requests ?? plain?.requests ?? []
        #expect(requests.count { $0.hasPrefix("CONNECT ") } == 2)
        plain?.stop()
        secure?.stop()
    }

    @Test("Digest proves the CONNECT request, counts its nonce, and renews a stale one")
    func digest() async throws {
        let server = try FaultServer(
            FaultScript(
                Self.refused(#"Digest realm="r", nonce="n1", qop="auth", algorithm=SHA-256"#),
                [.request, Self.opened, .request, .answer, .close],
                Self.refused(
                    #"Digest realm="r", nonce="n2", qop="auth", algorithm=SHA-256, stale=true"#),
                Self.served))
        let manager = manager(tunneling(server)) { _ in
            URLCredential(user: "ann", password: "secret", persistence: .forSession)
        }
        for _ in 0..<2 {
            let response = try await fetch("http://Example.test:8080/a?b", manager)
            #expect(response.value == Data(FaultScript.goodBody), "\(response.result)")
            #expect(response.metrics?.exchanges.count == 2)
            #expect(server.wait(upTo: 5000) { $0.openConnections <= 1 })
        }
        #expect(asked.all.count == 1)
        let (connects, others) = (
            server.requests.filter { $0.method == "CONNECT" },
            server.requests.filter { $0.method != "CONNECT" }
        )
        #expect(others.map(\.target) == ["/a?b", "/a?b"])
        #expect(others.allSatisfy { $0.headers["Proxy-Authorization"] == nil })
        #expect(connects.count == 4)
        #expect(connects.first?.headers["Proxy-Authorization"] == nil)
        for (connect, (nonce, count)) in zip(
            connects.dropFirst(), [("n1", "00000001"), ("n1", "00000002"), ("n2", "00000001")])
        {
            let value = try #require(connect.headers["Proxy-Authorization"])
            let parameters = Self.parameters(of: value)
            #expect(parameters["nonce"] == nonce && parameters["nc"] == count)
            #expect(parameters["uri"] == connect.target)
            #expect(connect.headers["Host"] == connect.target)
            let client = try #require(parameters["cnonce"])
            let (key, action) = (
                try Self.hash("ann:r:secret"), try Self.hash("CONNECT:\(connect.target)")
            )
            let proof = try Self.hash("\(key):\(nonce):\(count):\(client):auth:\(action)")
            #expect(parameters["response"] == proof)
        }
    }

    private static func hash(_ text: String) throws -> String {
        try MessageDigest.sha256.hash(of: Data(text.utf8))
            .map { String(format: "%02x", $0) }.joined()
    }

    private static func parameters(of field: String) -> [String: String] {
        var parameters: [String: String] = [:]
        for match in field.matches(of: #/([a-z]+)=(?:"([^"]*)"|([^",\s]+))/#) {
            parameters[String(match.output.1)] = String(match.output.2 ?? match.output.3 ?? "")
        }
        return parameters
    }

    @Test("a tunnel is used only with the credentials that opened it")
    func separateTunnels() async throws {
        let refusal = Self.refused("Basic realm=r")
        let server = try FaultServer(
            FaultScript(refusal, Self.served, refusal, Self.served, refusal))
        let manager = manager(tunneling(server)) { challenge in
            URLCredential(
                user: challenge.url.lastPathComponent, password: "secret", persistence: .none)
        }
        for user in ["ann", "bob", "ann"] {
            let response = try await fetch("http://example.test/\(user)", manager)
            #expect(response.value == Data(FaultScript.goodBody), "\(response.result)")
        }
        let logins = server.requests.filter { $0.method == "CONNECT" }.map {
            $0.headers["Proxy-Authorization"]
        }
        let ann = "Basic YW5uOnNlY3JldA==", bob = "Basic Ym9iOnNlY3JldA=="
        #expect(logins == [nil, ann, nil, bob, nil])
        let tunnels = server.requests.filter { $0.method == "GET" }.map(\.connectionIndex)
        #expect(tunnels == [1, 3, 1])
    }

    @Test("credentials that a proxy refuses repeatedly are an error that says so")
    func refusedLogins() async throws {
        let server = try FaultServer(
            FaultScript(repeating: Self.refused("Basic realm=r"), count: 4))
        let manager = manager(tunneling(server)) { _ in
            URLCredential(user: "ann", password: "open sesame", persistence: .forSession)
        }
        let response = try await fetch("https://example.test/", manager)
        let error = try #require(response.error)
        #expect(error.urlError.code == .userAuthenticationRequired)
        #expect("\(error)".contains("it refused 3 credentials"))
        #expect(!"\(error)".contains("sesame"))
        #expect(server.requests.count == 4)
        #expect(asked.all.count == 3)
    }
}
