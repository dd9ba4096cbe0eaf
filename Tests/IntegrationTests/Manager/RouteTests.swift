import BluebonnetTransport
import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Testing

@Suite("Routes to a server", .timeLimit(.minutes(5)))
struct RouteTests {
    private static var file: Data { Data("bluebonnets bloom in April\n".utf8) }

    /// tinyproxy accepts no space in either.
    private static let login = Credentials(user: "bluebonnet", password: "alamo-fire")

    private let nginx: NginxServer

    init() async throws {
        nginx = try await NginxServer(files: ["a.txt": Self.file])
    }

    private func manager(
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        change(&configuration)
        let manager = HTTPSessionManager(configuration: configuration)
        manager.securityPolicy.certificateAuthorities =
            URL(fileURLWithPath: nginx.authorityFile)
        return manager
    }

    private func fetch(
        _ url: String,
        _ manager: HTTPSessionManager
    ) async throws -> Response<Data> {
        let request = URLRequest(url: try #require(URL(string: url)))
        return await manager.response(for: request, serializer: HTTPResponseSerializer())
    }

    @Test("an HTTP proxy forwards http and opens tunnels for https, with and without credentials")
    func httpProxy() async throws {
        for credentials in [nil, Self.login] {
            let server = try await HTTPProxyServer(credentials: credentials)
            let manager = manager {
                $0.route = Exchange.Route(
                    proxy: Exchange.Route.Proxy(
                        .http, host: "127.0.0.1", port: Int(server.port),
                        username: credentials?.user, password: credentials?.password
                    )
                )
            }
            for url in [nginx.url("files/a.txt"), nginx.tlsURL("files/a.txt")] {
                let response = try await fetch(url, manager)
                #expect(response.value == Self.file, "\(response.result)")
                #expect(response.metrics?.exchanges.first?.remotePort == Int(server.port))
            }
            #expect(server.requests.contains { $0.hasPrefix("GET http://127.0.0.1:") })
            #expect(server.requests.contains { $0.hasPrefix("CONNECT localhost:") })
            server.stop()
        }
    }

    @Test(
        "a proxy that refuses a tunnel is a failure with its status code and no secret")
    func refusedTunnel() async throws {
        let server = try await HTTPProxyServer(credentials: Self.login)
        let manager = manager {
            $0.route = Exchange.Route(
                proxy: Exchange.Route.Proxy(
                    .http, host: "127.0.0.1", port: Int(server.port), username: "nobody",
                    password: "open sesame"
                )
            )
        }
        let response = try await fetch(nginx.tlsURL("files/a.txt"), manager)
        guard case .transport(let failure, _) = response.error else {
            Issue.record("\(response.result)")
            return
        }
        #expect(failure.proxyStatus == 401 || failure.proxyStatus == 407)
        #expect(!"\(failure)".contains("sesame"))
        #expect(nginx.requests.isEmpty)
        server.stop()
    }

    @Test("the hook authenticates to a forwarding proxy, also for tunnels")
    func challengingProxy() async throws {
        let server = try await HTTPProxyServer(credentials: Self.login)
        let manager = manager {
            $0.route = Exchange.Route(
                proxy: .init(.http, host: "127.0.0.1", port: Int(server.port)),
                noProxy: ["elsewhere.test"]
            )
        }
        let asked = Counts()
        manager.didReceiveChallenge = { _, challenge in
            asked.add(challenge.isProxy ? 1 : 0, Int64(challenge.port))
            let login = Self.login
            return .useCredential(
                URLCredential(user: login.user, password: login.password, persistence: .forSession))
        }
        for exchangeCount in [2, 1] {
            let response = try await fetch(nginx.url("files/a.txt"), manager)
            #expect(response.value == Self.file, "\(response.result)")
            #expect(response.metrics?.exchanges.count == exchangeCount)
        }
        let tunneled = try await fetch(nginx.tlsURL("files/a.txt"), manager)
        #expect(tunneled.value == Self.file, "\(tunneled.result)")
        #expect(tunneled.metrics?.exchanges.count == 1)
        #expect(asked.all.map(\.total) == [Int64(server.port)])
        #expect(asked.all.map(\.completed) == [1])
        server.stop()
    }

    @Test("an HTTPS proxy is verified and used")
    func httpsProxy() async throws {
        let server = try await HTTPSProxy(credentials: Self.login)
        var proxy = Exchange.Route.Proxy(
            .https, host: "localhost", port: Int(server.port),
            username: server.proxy.credentials?.user, password: server.proxy.credentials?.password
        )
        let unverified = manager { $0.route = Exchange.Route(proxy: proxy) }
        let refused = try await fetch(nginx.url("files/a.txt"), unverified)
        #expect(refused.error?.urlError.code == .serverCertificateHasUnknownRoot)
        proxy.certificateAuthorityFile = server.authorityFile
        let verified = manager { $0.route = Exchange.Route(proxy: proxy) }
        for url in [nginx.url("files/a.txt"), nginx.tlsURL("files/a.txt")] {
            let response = try await fetch(url, verified)
            #expect(response.value == Self.file, "\(response.result)")
        }
        #expect(server.requests.count >= 2)
        server.stop()
    }

    @Test("a SOCKS proxy resolves names itself and carries both schemes")
    func socks() async throws {
        let server = try await SOCKSServer(credentials: Credentials())
        let manager = manager {
            $0.route = Exchange.Route(
                proxy: Exchange.Route.Proxy(
                    .socks5h, host: "127.0.0.1", port: Int(server.port),
                    username: server.credentials?.user, password: server.credentials?.password
                )
            )
        }
        for url in [nginx.url("files/a.txt"), nginx.tlsURL("files/a.txt")] {
            let response = try await fetch(url, manager)
            #expect(response.value == Self.file, "\(response.result)")
        }
        #expect(server.targets.contains { $0.contains("localhost") })
        server.stop()
    }

    @Test("a host in the list of exceptions is reached without the proxy")
    func exceptions() async throws {
        let server = try await HTTPProxyServer()
        let proxy = Exchange.Route.Proxy(.http, host: "127.0.0.1", port: Int(server.port))
        let manager = manager {
            $0.route = Exchange.Route(proxy: proxy, noProxy: ["127.0.0.1"])
        }
        #expect(try await fetch(nginx.url("files/a.txt"), manager).value == Self.file)
        #expect(server.requests.isEmpty)
        server.stop()
    }

    @Test("a host can be given an address, and the certificate must still be the host's")
    func addressOverride() async throws {
        let manager = manager {
            $0.route.addressOverrides = [
                .init(host: "localhost", port: Int(nginx.tlsPort), addresses: ["127.0.0.1"]),
                .init(host: "elsewhere.test", port: Int(nginx.tlsPort), addresses: ["127.0.0.1"]),
            ]
        }
        #expect(try await fetch(nginx.tlsURL("files/a.txt"), manager).value == Self.file)
        let wrong = "https://elsewhere.test:\(nginx.tlsPort)/files/a.txt"
        let response = try await fetch(wrong, manager)
        #expect(response.error?.urlError.code == .serverCertificateUntrusted)
    }

    @Test(
        "HTTP/2 carries many tasks on one connection on request",
        .enabled(if: LibcurlQuirks.current.speaksHTTP2))
    func http2() async throws {
        let manager = manager {
            $0.httpVersion = .http2
            $0.maximumConnectionsPerHost = 2
        }
        // Its head reveals the server's version.
        _ = try await fetch(nginx.tlsURL("files/a.txt"), manager)
        let url = nginx.tlsURL("files/a.txt")
        try await withThrowingTaskGroup(of: Exchange.Metrics?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let response = try await fetch(url, manager)
                    #expect(response.value == Self.file)
                    return response.metrics?.exchanges.first
                }
            }
            var ports = Set<Int>()
            for try await metrics in group {
                #expect(metrics?.protocolVersion == "HTTP/2")
                #expect(metrics?.tlsVersion.hasPrefix("TLSv1.") == true)
                #expect(metrics?.tlsCipherSuite.isEmpty == false)
                if let metrics { ports.insert(metrics.localPort) }
            }
            #expect(ports.count <= 2)
        }
    }

    @Test(
        "the timeout that expired is named",
        arguments: [Exchange.Failure.Timeout.head, .idle, .whole, .queue]
    )
    func timeouts(expected: Exchange.Failure.Timeout) async throws {
        let server = try FixtureServer()
        let manager = manager {
            $0.timeouts = Exchange.Timeouts(
                connect: 5,
                head: expected == .head ? 0.2 : nil,
                idle: expected == .idle ? 0.2 : nil,
                whole: expected == .whole ? 0.2 : nil,
                queue: expected == .queue ? 0.2 : nil
            )
            $0.maximumConnectionsPerHost = 1
        }
        let hanging = manager.dataTask(
            with: URLRequest(url: try #require(URL(string: server.baseURL + "/hang"))),
            completionHandler: nil
        )
        if expected == .queue { hanging.resume() }
        let response = try await fetch(server.baseURL + "/hang", manager)
        #expect(response.error?.timeout == expected, "\(response.result)")
        #expect(response.error?.isTimeout == true)
        #expect(response.metrics?.exchanges.count == 1)
        hanging.cancel()
    }

    @Test("of tasks that wait for a connection, the one with the highest priority is first")
    func priority() async throws {
        let server = try FixtureServer()
        server.recordsRequests = true
        let manager = manager { $0.maximumConnectionsPerHost = 1 }
        let group = DispatchGroup()
        manager.completionGroup = group
        func task(_ path: String, _ priority: Float) throws -> DataTask {
            let url = try #require(URL(string: server.baseURL + path))
            let task = manager.dataTask(with: URLRequest(url: url), completionHandler: nil)
            task.priority = priority
            return task
        }
        let hanging = try task("/hang", 0.5)
        hanging.resume()
        #expect(server.wait(upTo: 5000) { $0.requests == 1 })
        let low = try task("/text?low", 0)
        let usual = try task("/text?usual", 0.5)
        let high = try task("/text?high", 1)
        let raised = try task("/text?raised", 0)
        for task in [low, usual, high, raised] { task.resume() }
        raised.priority = 0.9
        hanging.cancel()
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
        let order = server.recordedRequests.compactMap(\.query)
        #expect(order == ["high", "raised", "usual", "low"])
    }
}
