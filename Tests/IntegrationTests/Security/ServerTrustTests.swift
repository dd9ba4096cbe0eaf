import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

@Suite("Challenges about servers", .timeLimit(.minutes(5)))
struct ServerTrustTests {
    private let server: CertificateServer

    init() async throws {
        server = try await CertificateServer()
    }

    private var strict: SecurityPolicy {
        SecurityPolicy(certificateAuthorities: server.pki.authorities)
    }

    private var askingAlways: SecurityPolicy {
        var policy = strict
        policy.serverTrustChallenge = .always
        return policy
    }

    private func client(_ policy: SecurityPolicy, _ hook: TrustHook) -> TrustClient {
        let client = server.client(policy)
        hook.answers(for: client.manager)
        return client
    }

    @Test("the hook is asked once about a rejected server, with its chain and the fault")
    func trusted() async throws {
        let hook = TrustHook(.trustServer)
        let client = client(strict, hook)
        let url = server.url(.missing)
        #expect(try await client.get(url + "once").text == "new 1")
        for connection in ["resumed 1", "resumed 2"] {
            #expect(try await client.get(url).text == connection)
        }
        let challenge = try #require(hook.challenges.first)
        #expect(hook.challenges.count == 1)
        #expect(challenge.scheme == .serverTrust && challenge.host == "localhost")
        #expect(challenge.port == server.port(.missing) && challenge.head == nil)
        let trust = try #require(challenge.serverTrust)
        #expect(trust.fault == .issuer)
        let good = try server.pki.certificate("good")
        #expect(trust.certificates == [good])
        #expect(trust.certificates.first?.publicKeyHash == good.publicKeyHash)
        #expect(trust.certificates.first?.issuer == "CN=intermediate")
    }

    @Test(
        "every fault of chain, name and pins can be overruled, and each server is a new question"
    )
    func faults() async throws {
        let hook = TrustHook(.trustServer)
        var policy = strict
        try policy.pinKeys(["rogue"], server.pki)
        let client = client(policy, hook)
        var expected: [Exchange.Failure.CertificateFault.Check?] = []
        for (certificate, fault) in [
            (TestPKI.Server.good, .pin), (.expired, .expiry), (.future, .start),
            (.selfSigned, .issuer), (.wrongHost, .pin),
        ] as [(TestPKI.Server, Exchange.Failure.CertificateFault.Check)] {
            expected.append(fault)
            let result = try await client.get(server.url(certificate))
            #expect(result.text == "new 1", "\(certificate): \(result)")
        }
        client.manager.securityPolicy = strict
        for host in ["localhost", "127.0.0.1"] {
            let result = try await client.get(server.url(.wrongHost, host: host))
            #expect(result.text == "new 1", "\(result)")
            expected.append(.hostName)
        }
        #expect(hook.faults == expected)
    }

    @Test(
        "any answer but trust keeps the policy's verdict, once for all tasks",
        arguments: [
            ChallengeDisposition.performDefaultHandling, .rejectProtectionSpace,
            .useCredential(URLCredential(user: "u", password: "p", persistence: .none)),
        ]
    )
    func refused(_ disposition: ChallengeDisposition) async throws {
        let hook = TrustHook(disposition)
        let client = client(strict, hook)
        for _ in 1...2 {
            let result = try await client.get(server.url(.selfSigned))
            #expect(result.fault?.check == .issuer, "\(result)")
        }
        #expect(hook.challenges.count == 1)
        #expect(try await client.get(server.url(.good)).text == "new 1")
        #expect(hook.challenges.count == 1)
    }

    @Test("a hook that is set after a refusal is asked, and existing connections are kept")
    func lateHook() async throws {
        let client = server.client(strict)
        #expect(try await client.get(server.url(.good)).text == "new 1")
        #expect(try await client.get(server.url(.selfSigned)).fault?.check == .issuer)
        let hook = TrustHook(.trustServer)
        hook.answers(for: client.manager)
        #expect(try await client.get(server.url(.selfSigned)).text == "new 1")
        #expect(hook.challenges.count == 1)
        #expect(try await client.get(server.url(.good)).text == "new 2")
    }

    @Test("with a policy that always asks, the hook is asked about good servers before sending")
    func always() async throws {
        for (disposition, check) in [
            (.performDefaultHandling, nil), (.trustServer, nil),
            (.rejectProtectionSpace, .challenge),
        ] as [(ChallengeDisposition, Exchange.Failure.CertificateFault.Check?)] {
            let hook = TrustHook(disposition)
            let client = client(askingAlways, hook)
            for path in ["once", "", ""] {
                let result = try await client.get(server.url(.good, path))
                #expect(result.fault?.check == check, "\(disposition): \(result)")
                #expect((result.text == nil) == (check != nil))
            }
            #expect(hook.faults == [nil])
        }
    }

    @Test("an override is called like a closure")
    func override() async throws {
        let manager = TrustingManager()
        manager.securityPolicy = strict
        let request = URLRequest(url: try #require(URL(string: server.url(.selfSigned))))
        let response = await manager.response(for: request, serializer: HTTPResponseSerializer())
        #expect(response.value.map { String(decoding: $0, as: UTF8.self) } == "new 1")
    }

    @Test("a policy that verifies nothing can still ask about every server")
    func anything() async throws {
        var policy = askingAlways
        policy.allowInvalidCertificates = true
        policy.validatesDomainName = false
        let own = try server.pki.certificate("selfSigned")
        let hook = TrustHook { challenge in
            challenge.serverTrust?.certificates == [own] ? .trustServer : .rejectProtectionSpace
        }
        let client = client(policy, hook)
        #expect(try await client.get(server.url(.selfSigned)).text == "new 1")
        #expect(try await client.get(server.url(.expired)).fault?.check == .challenge)
    }

    @Test("nothing is asked if the policy disables it or accepts the server, or without a hook")
    func unasked() async throws {
        var policy = strict
        policy.serverTrustChallenge = .never
        let hook = TrustHook(.trustServer)
        let silent = client(policy, hook)
        #expect(try await silent.get(server.url(.selfSigned)).fault?.check == .issuer)
        #expect(try await client(strict, hook).get(server.url(.good)).text == "new 1")
        #expect(hook.challenges.isEmpty)
        let lone = server.client(askingAlways)
        #expect(try await lone.get(server.url(.good)).text == "new 1")
        #expect(try await lone.get(server.url(.selfSigned)).fault?.check == .issuer)
    }

    @Test("a hook that changes nothing keeps the verdicts of every policy")
    func table() async throws {
        for row in TrustTable.rows {
            let client = client(try row.make(server.pki), TrustHook(.performDefaultHandling))
            for (certificate, expected) in zip(TrustTable.servers, row.verdicts) {
                for _ in 1...2 {
                    let result = try await client.get(server.url(certificate))
                    #expect(result.fault?.check == expected, "\(row): \(certificate), \(result)")
                }
            }
        }
    }

    @Test("tasks that meet the same server at once ask once, and all continue")
    func together() async throws {
        let hook = TrustHook { _ in
            // Time for the other tasks to arrive, which does not affect the result.
            await Task.yield()
            return .trustServer
        }
        let client = client(strict, hook)
        let url = server.url(.selfSigned)
        let texts = try await withThrowingTaskGroup { group in
            for _ in 1...16 { group.addTask { try await client.get(url).text } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.count == 16 && !texts.contains(nil))
        #expect(hook.challenges.count == 1)
    }

    @Test("an answer for one task leaves the question open for the next")
    func forOneTask() async throws {
        struct Unwilling: Error {}
        let answers = Locked<[ChallengeDisposition]>([.cancel, .fail(Unwilling()), .trustServer])
        let hook = TrustHook { _ in answers.withLock { $0.removeFirst() } }
        let client = client(strict, hook)
        let url = server.url(.selfSigned)
        #expect(try await client.get(url).error?.isCancelled == true)
        let failed = try await client.get(url).error
        #expect(failed?.context.underlying is Unwilling, "\(String(describing: failed))")
        #expect(try await client.get(url).text == "new 1")
        #expect(hook.challenges.count == 3)
    }

    @Test("another policy asks again")
    func policyChange() async throws {
        let hook = TrustHook(.trustServer)
        let client = client(strict, hook)
        let url = server.url(.selfSigned)
        #expect(try await client.get(url).text == "new 1")
        client.manager.securityPolicy.validatesDomainName = false
        #expect(try await client.get(url).text == "new 1")
        #expect(hook.challenges.count == 2)
    }

    @Test("the hook is asked about a redirect's server before the request is sent there")
    func redirect() async throws {
        let hook = TrustHook { challenge in
            challenge.url.path == "/secret" ? .rejectProtectionSpace : .trustServer
        }
        let client = client(strict, hook)
        let place = "to/localhost:\(server.port(.selfSigned))"
        let refused = try await client.get(server.url(.good, place + "/secret"))
        #expect(refused.fault?.check == .issuer, "\(refused)")
        let other = "to/localhost:\(server.port(.expired))/"
        #expect(try await client.get(server.url(.good, other)).text == "new 1")
        #expect(hook.faults == [.issuer, .expiry])
    }

    @Test("a body that can be read only once is sent completely after the question")
    func streamedBody() async throws {
        let hook = TrustHook(.trustServer)
        let client = client(strict, hook)
        var request = URLRequest(url: try #require(URL(string: server.url(.selfSigned))))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data(repeating: 7, count: 300_000))
        let response = await client.manager.response(
            for: request, serializer: HTTPResponseSerializer())
        #expect(response.head?.statusCode == 200, "\(response.result)")
        #expect(response.metrics?.exchanges.count == 2)
        #expect(response.metrics?.exchanges.last.map { $0.requestBodyBytes >= 300_000 } == true)
    }

    @Test("the hook is asked about the server behind a TLS proxy, and not about the proxy")
    func secureProxy() async throws {
        let proxy = try await HTTPSProxy()
        var route = Exchange.Route.Proxy(.https, host: "localhost", port: Int(proxy.port))
        for (authority, check) in [(proxy.authorityFile, nil), (nil, .issuer)]
            as [(String?, Exchange.Failure.CertificateFault.Check?)]
        {
            route.certificateAuthorityFile = authority
            var configuration = SessionConfiguration()
            configuration.route = Exchange.Route(proxy: route)
            let client = TrustClient(strict, to: [], configuration: configuration)
            let hook = TrustHook(.trustServer)
            hook.answers(for: client.manager)
            let result = try await client.get(server.url(.wrongHost))
            #expect(result.fault?.check == check, "\(result)")
            #expect(hook.faults == (check == nil ? [.hostName] : []))
        }
        proxy.stop()
    }
}

// @unchecked as in the superclass: no stored state is added.
private final class TrustingManager: SessionManager, @unchecked Sendable {
    override func didReceiveChallenge(
        _ task: SessionTask,
        challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition {
        challenge.serverTrust?.fault == .issuer ? .trustServer : .performDefaultHandling
    }
}
