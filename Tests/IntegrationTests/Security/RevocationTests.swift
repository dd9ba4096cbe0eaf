import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("Revoked certificates", .timeLimit(.minutes(5)))
struct RevocationTests {
    private typealias Check = Exchange.Failure.CertificateFault.Check

    private func policy(_ pki: TestPKI, lists: String? = "lists.pem") -> SecurityPolicy {
        var policy = SecurityPolicy(certificateAuthorities: pki.authorities)
        policy.certificateRevocationLists = lists.map(pki.file)
        return policy
    }

    @Test("with revocation lists, a revoked certificate is refused on every connection")
    func revoked() async throws {
        let server = try await CertificateServer()
        let plain = server.client(policy(server.pki, lists: nil))
        #expect(try await plain.get(server.url(.revoked)).text == "new 1")
        var pinned = policy(server.pki)
        try pinned.pinKeys(["revoked", "good"], server.pki)
        for policy in [policy(server.pki), pinned] {
            let client = server.client(policy)
            for _ in 1...2 {
                let result = try await client.get(server.url(.revoked))
                #expect(result.fault?.check == .revocation, "\(result)")
                #expect("\(result)".contains("revoked"))
            }
            #expect(try await client.get(server.url(.good, "once")).text == "new 1")
            #expect(try await client.get(server.url(.good)).text == "resumed 1")
        }
    }

    @Test("a missing or outdated list fails closed")
    func incompleteLists() async throws {
        let server = try await CertificateServer()
        for lists in ["someLists.pem", "oldLists.pem"] {
            let client = server.client(policy(server.pki, lists: lists))
            let result = try await client.get(server.url(.good))
            #expect(result.fault?.check == .revocation, "\(lists): \(result)")
        }
        for lists in ["none.pem", "good.pem", "index"] {
            let client = server.client(policy(server.pki, lists: lists))
            let error = try #require(try await client.get(server.url(.good)).error)
            #expect("\(error)".contains(lists) && error.certificateFault == nil, "\(error)")
        }
    }

    @Test("openssl s_server gets the same verdicts")
    func opensslServer() async throws {
        let pki = try await TestPKI.make(in: ServerDirectory())
        for (certificate, check) in [(TestPKI.Server.revoked, Check.revocation), (.good, nil)]
            as [(TestPKI.Server, Check?)]
        {
            let server = try await OpenSSLServer(certificate, of: pki)
            let client = TrustClient(policy(pki), to: [])
            let result = try await client.get("https://localhost:\(server.port)/")
            #expect(result.fault?.check == check, "\(result)")
        }
    }

    @Test("a policy whose lists would have no effect refuses everything")
    func contradictions() async throws {
        let pki = try await TestPKI.make(in: ServerDirectory())
        var inMemory = policy(pki)
        inMemory.trustedCertificates = [try pki.certificate("root")]
        var remote = policy(pki)
        remote.certificateRevocationLists = URL(string: "https://a.test/lists.pem")
        var remoteAuthorities = policy(pki)
        remoteAuthorities.certificateAuthorities = URL(string: "https://a.test/authorities.pem")
        for policy in [inMemory, remote, remoteAuthorities] {
            let result = try await TrustClient(policy, to: []).get("https://localhost:1/")
            guard case .securityPolicy = result.error else {
                Issue.record("\(result)")
                continue
            }
        }
    }
}
