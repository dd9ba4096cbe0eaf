import BluebonnetTransport
import Foundation
import Testing

@testable import Bluebonnet

@Suite("Security policies that refuse requests before sending", .timeLimit(.minutes(5)))
struct SecurityPolicyTests {
    private let rig = SessionRig()

    private var pinned: SecurityPolicy {
        get throws {
            var policy = SecurityPolicy(pinningMode: .publicKey)
            policy.pinnedPublicKeyHashes = [try PublicKeyHash(bytes: Data(repeating: 7, count: 32))]
            return policy
        }
    }

    /// Returns the error of a request, which must not reach the transport.
    private func refusal(_ url: String) async throws -> BluebonnetError {
        let request = URLRequest(url: try #require(URL(string: url)))
        let response = await rig.manager.response(
            for: request, serializer: HTTPResponseSerializer())
        #expect(rig.stub.exchanges.isEmpty)
        return try #require(response.error)
    }

    private func reason(_ error: BluebonnetError) -> String? {
        if case .securityPolicy(let text, _) = error { text } else { nil }
    }

    @Test(
        "a contradictory policy refuses every request with the reason",
        arguments: ["http://stub.test/a", "https://stub.test/a"])
    func contradiction(url: String) async throws {
        var policies = [
            SecurityPolicy(pinningMode: .publicKey), SecurityPolicy(pinningMode: .certificate),
        ]
        // Hashes are of keys and cannot pin whole certificates.
        var hashesOnly = try pinned
        hashesOnly.pinningMode = .certificate
        policies.append(hashesOnly)
        for policy in policies {
            for allows in [false, true] {
                rig.manager.securityPolicy = policy
                rig.manager.securityPolicy.allowInvalidCertificates = allows
                rig.manager.securityPolicy.validatesDomainName = !allows
                let error = try await refusal(url)
                #expect(reason(error)?.contains("no pin") == true, "\(error)")
            }
        }
        rig.manager.securityPolicy = try pinned
        rig.manager.securityPolicy.pinningMode = .none
        rig.manager.securityPolicy.allowInvalidCertificates = true
        let error = try await refusal(url)
        #expect(reason(error)?.contains("validatesDomainName to false") == true, "\(error)")
    }

    @Test("a policy with pins refuses http and names the request and the policy")
    func plainHTTP() async throws {
        rig.manager.securityPolicy = try pinned
        for url in ["http://stub.test/a", "HTTP://stub.test/a"] {
            let error = try await refusal(url)
            #expect(reason(error)?.contains("the manager's security policy pins") == true)
            #expect("\(error)".contains("stub.test/a"))
            #expect(error.urlError.code == .appTransportSecurityRequiresSecureConnection)
            #expect(error.context.request?.url?.absoluteString == url)
        }
        rig.manager.securityPolicy = SecurityPolicy()
        rig.manager.securityPolicies = ["*.test": try pinned]
        let error = try await refusal("http://stub.test/a")
        #expect(reason(error)?.contains("the security policy for *.test pins") == true)
    }

    @Test("a key that is not a host pattern refuses requests to every host")
    func invalidPattern() async throws {
        rig.manager.securityPolicies = ["https://stub.test": try pinned, "other.test": .default]
        for url in ["http://stub.test/a", "https://elsewhere.test/"] {
            let error = try await refusal(url)
            #expect(reason(error)?.contains("\"https://stub.test\"") == true, "\(error)")
        }
    }

    @Test(
        "with policies for hosts, a non-ASCII host is refused because its policy is unknown")
    func otherScript() async throws {
        rig.manager.securityPolicies = ["xn--tda.test": try pinned]
        let error = try await refusal("https://%C3%BC.test/")
        #expect(reason(error)?.contains("xn--") == true, "\(error)")
    }

    @Test("a host's policy gives its exchanges another pool, and equal policies share one")
    func pools() async throws {
        rig.manager.securityPolicies = [
            "a.test": try pinned, "*.b.test": try pinned, "c.test": SecurityPolicy(),
        ]
        let hosts = ["stub.test", "c.test", "a.test", "x.b.test", "b.test"]
        var pools: [Exchange.Pool] = []
        for (number, host) in hosts.enumerated() {
            let url = try #require(URL(string: "https://\(host)/"))
            rig.manager.dataTask(with: URLRequest(url: url), completionHandler: nil).resume()
            let exchange = await rig.stub.exchange(number)
            pools.append(exchange.exchange.pool)
            exchange.reply()
        }
        #expect(pools[0] === pools[1] && pools[0] === pools[4])
        #expect(pools[2] === pools[3])
        #expect(pools[2] !== pools[0])
        #expect(pools[0].trust == Exchange.Trust())
        #expect(pools[2].trust.pins?.publicKeyHashes == (try pinned).pinnedPublicKeyHashes)
    }

    @Test("a chain may end at a pin only if invalid certificates are allowed (T3 to T6)")
    func goals() throws {
        var policy = SecurityPolicy()
        #expect(policy.trust == Exchange.Trust())
        policy.allowInvalidCertificates = true
        policy.validatesDomainName = false
        #expect(policy.trust.goal == .anything && !policy.trust.verifiesHostName)
        policy = try pinned
        #expect(policy.trust.goal == .authority && policy.trust.pins != nil)
        policy.allowInvalidCertificates = true
        #expect(policy.trust.goal == .pin && policy.trust.verifiesHostName)
        policy.pinningMode = .none
        policy.allowInvalidCertificates = false
        #expect(policy.trust == Exchange.Trust())
    }
}
