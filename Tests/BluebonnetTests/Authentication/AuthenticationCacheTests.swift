import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Remembered credentials", .timeLimit(.minutes(5)))
struct AuthenticationCacheTests {
    static func space(
        _ origin: String = "http://a.test",
        _ realm: String = "r",
        _ party: AuthenticationParty = .server
    ) throws -> ProtectionSpaceKey {
        let url = try #require(URL(string: origin))
        return ProtectionSpaceKey(
            party: party, origin: try #require(AuthenticationOrigin(url)), realm: realm
        )
    }

    static func digest(_ cache: AuthenticationCache, _ parameters: String) throws -> DigestSession {
        let text = "Digest realm=r, \(parameters)"
        let offered = try #require(ChallengeParser.challenges(in: [text]).first)
        return cache.session(for: try #require(DigestChallenge(offered)), in: try space())
    }

    static func user(
        _ cache: AuthenticationCache,
        _ url: String,
        _ party: AuthenticationParty = .server
    ) throws -> String? {
        cache.credential(for: try .test(url), party: party)?.entry.credential.user
    }

    @Test(
        "a credential is sent only to its scheme, host and port (fault 74)",
        arguments: [
            ("http://a.test/dir/x", true), ("HTTP://A.TEST:80/dir/", true),
            ("http://a.test:81/dir/x", false), ("https://a.test/dir/x", false),
            ("https://a.test:80/dir/x", false), ("http://b.a.test/dir/x", false),
            ("http://a.test.b/dir/x", false), ("http://a.test./dir/x", false),
        ]
    )
    func origins(url: String, isSent: Bool) throws {
        let cache = AuthenticationCache()
        #expect(cache.isEmpty)
        try cache.store(.test(), .basic(usesUTF8: true), for: Self.space(), request: .test())
        #expect(!cache.isEmpty)
        #expect((try Self.user(cache, url) != nil) == isSent)
        #expect(try Self.user(cache, url, .proxy) == nil)
    }

    @Test(
        "Basic is sent to the folder of the request and below (RFC 7617 section 2.2)",
        arguments: [
            ("http://a.test/dir/", true), ("http://a.test/dir/sub/x?y=/", true),
            ("http://a.test/dir", false), ("http://a.test/", false), ("http://a.test", false),
            ("http://a.test/dirt/x", false), ("http://a.test/?/dir/", false),
        ]
    )
    func basicPaths(url: String, isSent: Bool) throws {
        let cache = AuthenticationCache()
        try cache.store(.test(), .basic(usesUTF8: true), for: Self.space(), request: .test())
        #expect((try Self.user(cache, url) != nil) == isSent)
    }

    @Test("the deepest of several folders counts, and the folders of one realm add up")
    func overlap() throws {
        let cache = AuthenticationCache()
        func store(_ user: String, _ realm: String, _ url: String) throws {
            try cache.store(
                .test(user), .basic(usesUTF8: true), for: Self.space("http://a.test", realm),
                request: .test(url)
            )
        }
        try store("outer", "r", "http://a.test/x")
        try store("inner", "s", "http://a.test/in/x")
        #expect(try Self.user(cache, "http://a.test/out/x") == "outer")
        #expect(try Self.user(cache, "http://a.test/in/y/z") == "inner")
        try store("inner", "s", "http://a.test/also/x")
        #expect(try Self.user(cache, "http://a.test/in/x") == "inner")
        #expect(try Self.user(cache, "http://a.test/also/x") == "inner")
        try store("other", "s", "http://a.test/also/x")
        #expect(try Self.user(cache, "http://a.test/in/x") == "outer")
    }

    @Test("Digest is sent to its domain on the same origin, or to the whole origin")
    func domain() throws {
        let cache = AuthenticationCache()
        func reaches(_ domain: String, _ url: String) throws -> Bool {
            let session = try Self.digest(cache, "nonce=n, domain=\"\(domain)\"")
            try cache.store(.test(), .digest(session), for: Self.space(), request: .test())
            return try Self.user(cache, url) != nil
        }
        #expect(try reaches("", "http://a.test/"))
        #expect(try reaches("/x /y", "http://a.test/y/z"))
        #expect(try !reaches("/x /y", "http://a.test/z"))
        #expect(try reaches("http://a.test:80/x", "http://a.test/x"))
        #expect(try !reaches("http://b.test/", "http://b.test/"))
        #expect(try !reaches("//b.test/", "http://a.test/"))
        #expect(try !reaches("http:// ::", "http://a.test/"))
    }

    @Test("a proxy's credential is used for every request through it, and a server's never for it")
    func proxy() throws {
        let cache = AuthenticationCache()
        let request = try AuthenticatedRequest.test(proxy: .testProxy)
        try cache.store(
            .test(), .basic(usesUTF8: true),
            for: Self.space("http://proxy.test:3128", "p", .proxy), request: request
        )
        let other = try AuthenticatedRequest.test("http://b.test/", proxy: .testProxy)
        #expect(cache.credential(for: other, party: .proxy) != nil)
        #expect(cache.credential(for: other, party: .server) == nil)
        #expect(try Self.user(cache, "http://proxy.test:3128/") == nil)
        #expect(try cache.credential(for: .test("http://b.test/"), party: .proxy) == nil)
    }

    @Test("a refused credential is forgotten unless it has been replaced")
    func forgetting() throws {
        let cache = AuthenticationCache()
        let space = try Self.space()
        try cache.store(.test("a"), .basic(usesUTF8: true), for: space, request: .test())
        cache.forget(.test("b"), for: space)
        cache.forget(.test("a", "other"), for: space)
        #expect(cache.entry(for: space) != nil)
        cache.forget(.test("a"), for: space)
        #expect(cache.isEmpty)
        try cache.store(.test("a"), .basic(usesUTF8: true), for: space, request: .test())
        cache.removeAll()
        #expect(cache.isEmpty)
        try cache.store(
            .test("a", "b", .none), .basic(usesUTF8: true), for: space, request: .test())
        #expect(cache.isEmpty)
    }

    @Test("the most recent origins, realms and nonces are kept")
    func bounds() throws {
        let cache = AuthenticationCache(maximumOriginCount: 3, maximumNonceCount: 4)
        func store(_ host: String, _ realm: String) throws {
            let url = "http://\(host)/"
            try cache.store(
                .test(realm), .basic(usesUTF8: true), for: Self.space(url, realm),
                request: .test(url)
            )
        }
        for index in 0..<3 { try store("h\(index)", "r") }
        #expect(try Self.user(cache, "http://h0/") == "r")
        try store("h3", "r")
        #expect(try Self.user(cache, "http://h1/") == nil)
        for host in ["h0", "h2", "h3"] { #expect(try Self.user(cache, "http://\(host)/") == "r") }

        for index in 0..<17 { try store("h3", "x\(index)") }
        #expect(cache.entry(for: try Self.space("http://h3/", "r")) == nil)
        #expect(cache.entry(for: try Self.space("http://h3/", "x0")) == nil)
        #expect(cache.entry(for: try Self.space("http://h3/", "x1")) != nil)

        let space = try Self.space()
        let first = try Self.digest(cache, "nonce=n0")
        #expect(cache.turn(of: first, in: space)?.nonceCount == 1)
        for index in 1..<10 { _ = try Self.digest(cache, "nonce=n\(index)") }
        #expect(cache.turn(of: first, in: space)?.nonceCount == 1)
    }

    @Test("the count of a nonce grows without gaps over tasks and threads")
    func nonceCount() async throws {
        let cache = AuthenticationCache()
        let session = try Self.digest(cache, "nonce=n, qop=auth")
        let again = try Self.digest(cache, "nonce=n, qop=auth")
        #expect(session.firstClientNonce == again.firstClientNonce)
        let space = try Self.space()
        let counts = await withTaskGroup(of: [UInt32].self) { group in
            for index in 0..<8 {
                group.addTask {
                    (0..<250).compactMap { _ in
                        cache.turn(of: index % 2 == 0 ? session : again, in: space)?.nonceCount
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(counts.sorted() == Array(1...2000))
    }

    @Test("the client's nonces have 32 bytes and are unique")
    func clientNonces() {
        let nonces = Set((0..<1000).map { _ in AuthenticationCache.randomNonce() })
        #expect(nonces.count == 1000)
        #expect(nonces.allSatisfy { $0.utf8.count == 32 })
    }
}
