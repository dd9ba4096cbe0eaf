import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

@testable import Bluebonnet

@Suite("Choosing a client identity for a host", .timeLimit(.minutes(5)))
struct ClientIdentitiesTests {
    @Test(
        "the most specific pattern wins, and without one the any-host identity, at its origin only"
    )
    func choice() async throws {
        let made = try await TestIdentities.shared()
        let (any, exact, wide) = (
            try made.identity("one"), try made.identity("two"), try made.identity("rsa")
        )
        var identities = ClientIdentities(anyHost: any)
        identities[host: "Api.Example.com"] = exact
        identities[host: "*.example.com."] = wide
        identities[host: "*.deep.example.com"] = exact
        identities[host: "*.0.0.1"] = wide
        identities[host: "[::1]"] = exact
        identities[host: "*"] = wide
        identities[host: "https://other.test"] = wide
        for (host, expected) in [
            ("api.example.com", exact), ("API.EXAMPLE.COM.", exact), ("a.example.com", wide),
            ("a.b.example.com", wide), ("a.deep.example.com", exact), ("deep.example.com", wide),
            ("::1", exact), ("example.com", nil), ("badexample.com", nil), ("127.0.0.1", nil),
            ("other.test", nil), ("com", nil), ("api.example.com.evil", nil),
        ] as [(String, ClientIdentity?)] {
            let host = try #require(URLHost(name: host))
            #expect(identities.identity(for: host, hasLeftOrigin: true) == expected, "\(host)")
            let atOrigin = identities.identity(for: host, hasLeftOrigin: false)
            #expect(atOrigin == expected ?? any, "\(host)")
        }
        #expect(identities[host: "API.example.com."] == exact)
        identities[host: "api.example.com"] = nil
        let api = try #require(URLHost(name: "api.example.com"))
        #expect(identities.identity(for: api, hasLeftOrigin: true) == wide)
    }

    @Test("there is a pool for each identity in use, and http has no identity")
    func pools() async throws {
        let made = try await TestIdentities.shared()
        let (one, two) = (try made.identity("one"), try made.identity("two"))
        var identities = ClientIdentities(anyHost: one)
        identities[host: "two.test"] = two
        identities[host: "also-one.test"] = one
        let pools = ConnectionPools(identities) { identity, _ in
            Exchange.Pool(identity: identity?.tls)
        }
        func pool(_ url: String, hasLeftOrigin: Bool = false) -> Exchange.Pool {
            pools.pool(for: URL(string: url), hasLeftOrigin: hasLeftOrigin, route: nil)
        }
        #expect(pool("https://a.test/").identity == one.tls)
        #expect(pool("https://a.test/") === pool("HTTPS://b.test/"))
        #expect(pool("https://a.test/") === pool("https://also-one.test/", hasLeftOrigin: true))
        #expect(pool("https://two.test/").identity == two.tls)
        #expect(pool("https://a.test/", hasLeftOrigin: true).identity == nil)
        #expect(pool("http://two.test/").identity == nil)
        #expect(pool("http://a.test/") === pool("https://a.test/", hasLeftOrigin: true))
    }
}
