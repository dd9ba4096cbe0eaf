import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("Connections of security policies", .timeLimit(.minutes(5)))
struct PolicyPoolTests {
    private let server: CertificateServer

    init() async throws {
        server = try await CertificateServer()
    }

    private var strict: SecurityPolicy {
        SecurityPolicy(certificateAuthorities: server.pki.authorities)
    }

    private var lax: SecurityPolicy {
        var policy = SecurityPolicy()
        policy.allowInvalidCertificates = true
        policy.validatesDomainName = false
        return policy
    }

    private func pinned(_ names: String...) throws -> SecurityPolicy {
        var policy = strict
        try policy.pinKeys(names, server.pki)
        return policy
    }

    @Test("a strict manager never uses a lax manager's connection or session")
    func strictBesideLax() async throws {
        let laxClient = server.client(lax)
        let url = server.url(.selfSigned)
        #expect(try await laxClient.get(url).text == "new 1")
        let clients = [server.client(strict), server.client(try pinned("good"))]
        for client in clients {
            #expect(try await client.get(url).fault?.check == .issuer)
        }
        // The lax manager's connection is open all the time.
        #expect(try await laxClient.get(url).text == "new 2")
        for client in clients {
            #expect(try await client.get(url).fault?.check == .issuer)
        }
    }

    @Test(
        "a changed pin applies to the next task, with new connections and sessions"
    )
    func rotation() async throws {
        let client = server.client(try pinned("good"))
        let url = server.url(.good)
        #expect(try await client.get(url).text == "new 1")
        #expect(try await client.get(url).text == "new 2")
        client.manager.securityPolicy = try pinned("rogue")
        #expect(try await client.get(url).fault?.check == .pin)
        client.manager.securityPolicy.pinnedPublicKeyHashes.insert(
            try server.pki.certificate("good").publicKeyHash)
        #expect(try await client.get(url).text == "new 1")
        #expect(try await client.get(url).text == "new 2")
        // Making a policy stricter in place does not keep its connections either.
        client.manager.securityPolicy = lax
        #expect(try await client.get(server.url(.wrongHost)).text == "new 1")
        client.manager.securityPolicy.allowInvalidCertificates = false
        client.manager.securityPolicy.validatesDomainName = true
        #expect(try await client.get(server.url(.wrongHost)).fault?.check == .issuer)
    }

    @Test("a task keeps the policy from its creation")
    func capture() async throws {
        let client = server.client(try pinned("good"))
        let url = try #require(URL(string: server.url(.good)))
        let result = await withCheckedContinuation { continuation in
            let task = client.manager.dataTask(
                with: URLRequest(url: url), serializer: HTTPResponseSerializer()
            ) { continuation.resume(returning: $0.result) }
            client.manager.securityPolicy.pinnedPublicKeyHashes = []
            task.resume()
        }
        #expect(try result.get() == Data("new 1".utf8))
    }

    @Test("every hop of a redirect is checked with the policy of its host")
    func redirects() async throws {
        let good = "localhost:\(server.port(.good))/"
        let wild = "a.bluebonnet.test:\(server.port(.wildcard))/"
        let untrusted = "a.bluebonnet.test:\(server.port(.selfSigned))/"
        let cases: [(SecurityPolicy, [HostPattern: SecurityPolicy], String, Verdict)] = [
            // The policy of the destination is stricter, laxer, or the same.
            (strict, ["a.bluebonnet.test": try pinned("good")], "\(good)to/\(wild)", .pin),
            (strict, ["*.bluebonnet.test": try pinned("wildcard")], "\(good)to/\(wild)", nil),
            (strict, ["*.bluebonnet.test": lax], "\(good)to/\(untrusted)", nil),
            (strict, [:], "\(good)to/\(untrusted)", .issuer),
            (lax, ["a.bluebonnet.test": strict], "\(good)to/\(untrusted)", .issuer),
            (lax, ["*.bluebonnet.test": try pinned("good")], "\(good)to/\(wild)", .pin),
            (try pinned("good"), ["*.bluebonnet.test": lax], "\(wild)to/\(good)", nil),
            (try pinned("rogue"), ["*.bluebonnet.test": lax], "\(wild)to/\(good)", .pin),
            // The longest pattern wins, on the way back, too.
            (
                lax, ["*.bluebonnet.test": lax, "a.bluebonnet.test": strict],
                "\(wild)to/\(good)to/\(wild)", nil
            ),
            (
                lax, ["*.bluebonnet.test": strict, "a.bluebonnet.test": try pinned("good")],
                "\(good)to/\(good)to/\(wild)", .pin
            ),
        ]
        for (number, (policy, policies, path, check)) in cases.enumerated() {
            let client = server.client(policy)
            client.manager.securityPolicies = policies
            for _ in 0..<2 {
                let result = try await client.get("https://" + path)
                #expect(result.fault?.check == check, "\(number): \(result)")
                #expect((result.text != nil) == (check == nil), "\(number): \(result)")
            }
        }
    }

    private typealias Verdict = Exchange.Failure.CertificateFault.Check?

    @Test("changing one host's policy keeps the connections of the others")
    func neighbours() async throws {
        let client = server.client(strict)
        client.manager.securityPolicies = ["a.bluebonnet.test": try pinned("wildcard")]
        #expect(try await client.get(server.url(.good)).text == "new 1")
        #expect(try await client.get(server.url(.wildcard)).text == "new 1")
        client.manager.securityPolicies["a.bluebonnet.test"] = try pinned("good")
        #expect(try await client.get(server.url(.good)).text == "new 2")
        #expect(try await client.get(server.url(.wildcard)).fault?.check == .pin)
        client.manager.securityPolicies = [:]
        #expect(try await client.get(server.url(.good)).text == "new 3")
        #expect(try await client.get(server.url(.wildcard)).text == "new 1")
    }

    @Test("a policy with pins refuses a redirect to http before it is sent")
    func redirectToPlainHTTP() async throws {
        let plain = try FixtureServer()
        var configuration = SessionConfiguration()
        configuration.followsRedirectsToPlainHTTP = true
        let client = TrustClient(
            strict, to: [server.port(.wildcard)], configuration: configuration)
        client.manager.securityPolicies = ["127.0.0.1": try pinned("good")]
        client.manager.taskWillPerformHTTPRedirection = { _, _, _ in
            URL(string: plain.baseURL + "/text").map { URLRequest(url: $0) }
        }
        let result = try await client.get(server.url(.good, "to/localhost/"))
        guard case .securityPolicy(let text, _) = result.error else {
            Issue.record("\(result)")
            return
        }
        #expect(text.contains("refuses http") && text.contains("127.0.0.1"))
        #expect(plain.requestCount == 0)
    }

    @Test("a TLS proxy is checked by its route, not by the pins of the server behind it")
    func secureProxy() async throws {
        let proxy = try await HTTPSProxy()
        for (authority, policy, check) in [
            (proxy.authorityFile, try pinned("good"), nil),
            (proxy.authorityFile, try pinned("rogue"), Verdict.some(.pin)),
            (proxy.authorityFile, SecurityPolicy(), .issuer),
            (nil, try pinned("good"), .issuer), (nil, lax, .issuer),
        ] {
            var route = Exchange.Route.Proxy(.https, host: "localhost", port: Int(proxy.port))
            route.certificateAuthorityFile = authority
            var configuration = SessionConfiguration()
            configuration.route = Exchange.Route(proxy: route)
            let manager = HTTPSessionManager(configuration: configuration)
            manager.securityPolicy = policy
            let request = URLRequest(url: try #require(URL(string: server.url(.good))))
            let response = await manager.response(
                for: request, serializer: HTTPResponseSerializer())
            #expect(response.error?.certificateFault?.check == check, "\(response.result)")
            guard let fault = response.error?.certificateFault else { continue }
            let port = authority == nil ? Int(proxy.port) : server.port(.good)
            #expect(fault.host == "localhost:\(port)")
        }
        proxy.stop()
    }

    @Test("a changed authority file applies to the next connection of every manager")
    func authoritiesChange() async throws {
        let file = server.pki.file("changing.pem")
        let clients = (1...2).map { _ in
            server.client(SecurityPolicy(certificateAuthorities: file))
        }
        for client in clients {
            let missing = try await client.get(server.url(.good)).error
            #expect(
                missing.map { "\($0)".contains(file.path) } == true,
                "\(String(describing: missing))")
        }
        let texts = ["other", "root"].map { server.pki.directory.text(of: "\($0).pem") }
        for (text, check) in [(texts[0], Verdict.some(.issuer)), (texts.joined(), nil)] {
            // As a whole, with another inode, like the update of a package.
            try Data(text.utf8).write(to: file, options: .atomic)
            for client in clients {
                let result = try await client.get(server.url(.good))
                #expect(result.fault?.check == check, "\(result)")
            }
        }
    }

    @Test("an authority file is read once per policy, with pins or without")
    func authoritiesAreKept() async throws {
        for usesPins in [false, true] {
            let copy = server.pki.directory.path(of: "authorities-\(usesPins).pem")
            try FileManager.default.copyItem(atPath: server.pki.authorities.path, toPath: copy)
            var policy = usesPins ? try pinned("root") : strict
            policy.certificateAuthorities = URL(fileURLWithPath: copy)
            let client = server.client(policy)
            #expect(try await client.get(server.url(.good)).text == "new 1")
            try FileManager.default.removeItem(atPath: copy)
            // Other hosts, so that no session is resumed.
            for other in [TestPKI.Server.ipAddress, .wildcard] {
                let result = try await client.get(server.url(other))
                #expect(result.text == "new 1", "\(result)")
            }
        }
    }
}
