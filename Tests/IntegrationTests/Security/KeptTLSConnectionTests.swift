import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite("Kept connections with TLS", .timeLimit(.minutes(5)))
struct KeptTLSConnectionTests {
    private static let versions = ["TLSv1.2", "TLSv1.3"]

    private let server: FixtureServer

    init() throws {
        server = try FixtureServer()
    }

    private func manager(_ relay: StunnelRelay) -> SessionManager {
        var configuration = SessionConfiguration()
        configuration.maximumConnectionsPerHost = 1
        let manager = SessionManager(configuration: configuration)
        manager.securityPolicy.certificateAuthorities = relay.authority
        return manager
    }

    private func send(
        _ path: String, _ relay: StunnelRelay, _ manager: SessionManager, method: String = "GET",
        body: [UInt8]? = nil
    ) async throws -> Response<Data> {
        var request = URLRequest(url: try #require(URL(string: relay.baseURL + path)))
        request.httpMethod = method
        request.httpBody = body.map { Data($0) }
        return await manager.response(for: request, serializer: HTTPResponseSerializer())
    }

    @Test("a healthy connection is reused repeatedly, with or without tickets", arguments: versions)
    func reuse(version: String) async throws {
        let relay = try await StunnelRelay(to: server.port, version: version)
        let manager = manager(relay)
        let connections = server.acceptedConnectionCount
        for number in 0..<20 {
            let response = try await send("/delay/\(number)", relay, manager)
            #expect(response.error == nil)
            let metrics = try #require(response.metrics?.exchanges.first)
            #expect(metrics.isConnectionReused == (number > 0))
            #expect(metrics.tlsVersion == version)
        }
        #expect(server.acceptedConnectionCount == connections + 1)
    }

    @Test(
        "a second response on an idle connection never answers the next request",
        arguments: versions
    )
    func poisoning(version: String) async throws {
        let relay = try await StunnelRelay(to: server.port, version: version)
        let manager = manager(relay)
        let good = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood".utf8)
        let evil = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil".utf8)
        server.route("/twice") { _ in
            .script([.send(good), .pause(milliseconds: 50), .send(evil), .endRequest])
        }
        for _ in 0..<3 {
            let first = try await send("/twice", relay, manager)
            #expect(first.value == Data("good".utf8))
            // The transport closes the connection because of the second response.
            #expect(server.wait(upTo: 10_000) { $0.openConnections == 0 })
            let next = try await send("/json", relay, manager)
            #expect(next.head?.headers["Content-Type"] == "application/json")
            #expect(next.metrics?.exchanges.first?.isConnectionReused == false)
        }
    }

    @Test(
        "an idle connection that the server closes is not used for the next request",
        arguments: versions
    )
    func closed(version: String) async throws {
        let relay = try await StunnelRelay(to: server.port, version: version)
        let manager = manager(relay)
        for method in ["POST", "GET", "POST"] {
            #expect(try await send("/text", relay, manager).error == nil)
            server.closeIdleConnections()
            // From here on, the transport can see the end of the connection.
            #expect(try await relay.becomesIdle())
            let next = try await send("/text", relay, manager, method: method)
            #expect(next.error == nil)
            #expect(next.metrics?.exchanges.first?.isConnectionReused == false)
            server.closeIdleConnections()
            #expect(try await relay.becomesIdle())
        }
    }

    @Test(
        "a request that was read and not answered is resent only if idempotent",
        arguments: ["POST", "PATCH", "GET", "PUT"], [0, 100_000]
    )
    func lost(method: String, size: Int) async throws {
        let isSafe = method == "GET" || method == "PUT"
        let body = method == "GET" ? nil : DeterministicBytes.prefix(size)
        for version in Self.versions {
            let relay = try await StunnelRelay(to: server.port, version: version)
            let manager = manager(relay)
            let attempts = Locked(0)
            server.route("/once") { request in
                let attempt = attempts.withLock {
                    $0 += 1
                    return $0
                }
                return attempt == 1 && request.requestIndex > 0
                    ? .script([.close]) : .text("\(request.body.count)")
            }
            #expect(try await send("/text", relay, manager).error == nil)
            let response = try await send("/once", relay, manager, method: method, body: body)
            #expect(attempts.withLock { $0 } == (isSafe ? 2 : 1))
            #expect(response.error?.urlError.code == (isSafe ? nil : .networkConnectionLost))
            if isSafe { #expect(response.value == Data("\(body?.count ?? 0)".utf8)) }
            #expect(try await send("/text", relay, manager).error == nil)
        }
    }

    @Test("the sessions of many hosts are kept at the same time")
    func manyHosts() async throws {
        let server = try await CertificateServer()
        let hosts = (1...40).map { "host\($0).test" }
        var configuration = SessionConfiguration()
        configuration.route.addressOverrides = hosts.map {
            Exchange.Route.AddressOverride(
                host: $0, port: server.port(.good), addresses: ["127.0.0.1"])
        }
        var policy = SecurityPolicy(certificateAuthorities: server.pki.authorities)
        policy.validatesDomainName = false
        let client = TrustClient(policy, to: [], configuration: configuration)
        for round in ["new 1", "resumed 1", "resumed 1"] {
            for host in hosts {
                let result = try await client.get(server.url(.good, "once", host: host))
                #expect(result.text == round, "\(host): \(result)")
            }
        }
    }

    @Test("a new connection resumes the TLS session of the last", arguments: versions)
    func resumption(version: String) async throws {
        let nginx = try await MutualTLSServer(try await TestIdentities.shared(), version: version)
        let manager = SessionManager()
        manager.securityPolicy.certificateAuthorities = nginx.authority
        var clients: [MutualTLSServer.Client] = []
        for _ in 0..<10 {
            clients.append(try await nginx.client(manager, at: "who-once", .nobody))
        }
        #expect(clients.map(\.isResumed) == [false] + Array(repeating: true, count: 9))
        #expect(Set(clients.map(\.connection)).count == 10)
        // It does so even while the exchange that created the session is under way.
        let (heads, continuation) = AsyncStream.makeStream(of: Void.self)
        manager.dataTaskDidReceiveResponse = { _, _ in
            continuation.yield()
            return .allow
        }
        let url = try #require(URL(string: nginx.url("slow", .nobody)))
        let slow = manager.dataTask(
            with: URLRequest(url: url), serializer: HTTPResponseSerializer(),
            completionHandler: nil)
        slow.resume()
        for await _ in heads { break }
        #expect(try await nginx.client(manager, at: "who-once", .nobody).isResumed)
        slow.cancel()
        // Another manager has its own sessions.
        let other = SessionManager()
        other.securityPolicy.certificateAuthorities = nginx.authority
        #expect(try await nginx.client(other, at: "who-once", .nobody).isResumed == false)
        other.securityPolicy.certificateAuthorities = URL(
            fileURLWithPath: nginx.authority.path.replacing("/ca.pem", with: "/./ca.pem"))
        #expect(try await nginx.client(other, at: "who-once", .nobody).isResumed == false)
    }
}
