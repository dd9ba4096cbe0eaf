import Foundation
import Testing
import BluebonnetTestSupport

import Bluebonnet

@Suite("Cookies that servers should not set")
struct HostileCookieTests {
    @Test(
        "a cookie set over http neither replaces, removes nor hides a Secure cookie",
        arguments: [
            ("a=evil", false), ("a=evil; Max-Age=0", false), ("a=evil; Domain=example.com", false),
            ("a=evil; Path=/login/en", false), ("a=evil; Path=/login", false), ("b=other", true),
            ("a=evil; Path=/log", true), ("A=other", true),
        ]
    )
    func secureStays(line: String, isStored: Bool) throws {
        var jar = CookieJar()
        try jar.store("a=good; Secure; Path=/login")
        try jar.store(line, from: "http://www.example.com/login/x")
        #expect(jar.count == (isStored ? 2 : 1))
        #expect(try #require(try jar.sent(to: "https://www.example.com/login")).contains("a=good"))
        try jar.store("a=new; Path=/login")
        #expect(try #require(try jar.sent(to: "https://www.example.com/login")).contains("a=new"))
    }

    @Test("a Secure cookie is protected from parent domains and subdomains, and no others")
    func secureAcrossDomains() throws {
        var jar = CookieJar()
        try jar.store("a=good; Secure; Domain=example.com", "b=good; Secure")
        try jar.store("a=evil", "b=evil; Domain=example.com", from: "http://x.y.example.com/")
        try jar.store("b=evil; Domain=example.com", from: "http://example.com/")
        #expect(jar.count == 2)
        try jar.store("b=own", from: "http://x.y.example.com/")
        try jar.store("a=own", from: "http://other.com/")
        try jar.store("a=own", from: "http://notexample.com/")
        #expect(jar.count == 5)
    }

    @Test("an expired Secure cookie is not protected")
    func expiredSecure() throws {
        var jar = CookieJar()
        try jar.store("a=old; Secure; Max-Age=10")
        try jar.store("a=new", from: "http://www.example.com/", after: 11)
        #expect(try jar.sent(after: 11) == "a=new")
    }

    @Test(
        "the prefix of a name is enforced, ignoring case",
        arguments: [
            ("__Secure-a=b; Secure", true), ("__Secure-a=b", false), ("__sEcure-a=b", false),
            ("__Secure-a=b; Secure; Domain=example.com; Path=/x", true),
            ("__Host-a=b; Secure; Path=/", true), ("__Host-a=b; Secure", false),
            ("__Host-a=b; Path=/", false), ("__Host-a=b; Secure; Path=/x", false),
            ("__HOST-a=b; Secure; Path=/; Domain=www.example.com", false),
            ("__host-a=b; Secure; Path=/; Domain=example.com", false),
            ("=__Host-a=b", false), ("__Host-=b", false), ("__Secure=b", true),
            ("Secure-a=b", true),
            ("__Host-a=b; Secure; Path=/; Domain=", true),
        ]
    )
    func prefixes(line: String, isStored: Bool) throws {
        var jar = CookieJar()
        try jar.store(line)
        #expect(jar.isEmpty == !isStored)
        var plain = CookieJar()
        try plain.store(line, from: "http://www.example.com/")
        #expect(
            plain.isEmpty
                == (isStored ? line.contains("Secure;") || line.hasSuffix("Secure") : true))
    }

    @Test("a domain keeps fifty cookies, and the least recently used are removed (fault 77)")
    func domainLimit() throws {
        var jar = CookieJar()
        for number in 0..<50 { try jar.store("n\(number)=v; Path=/p\(number)") }
        let url = try #require(URL(string: "https://www.example.com/p0"))
        #expect(jar.cookieHeader(for: url, at: start) == "n0=v")
        try jar.store("new=v; Path=/new")
        #expect(jar.count == 50)
        #expect(try jar.sent(to: "https://www.example.com/p0") == "n0=v")
        #expect(try jar.sent(to: "https://www.example.com/p1") == nil)
        #expect(try jar.sent(to: "https://www.example.com/p2") == "n2=v")
        #expect(try jar.sent(to: "https://www.example.com/new") == "new=v")
    }

    @Test("from a full domain expired cookies are removed first, then those that are not Secure")
    func whoGoesFirst() throws {
        var jar = CookieJar()
        try jar.store("secure=v; Secure", "plain=v; Path=/plain")
        for number in 0..<47 { try jar.store("n\(number)=v; Secure; Path=/p\(number)") }
        try jar.store("brief=v; Max-Age=1; Path=/brief")
        try jar.store("x=v; Secure; Path=/x", after: 2)
        #expect(jar.count == 50)
        #expect(try jar.sent(to: "https://www.example.com/plain", after: 2) == "plain=v; secure=v")
        #expect(try jar.sent(to: "https://www.example.com/brief") == "secure=v")
        try jar.store("y=v; Secure; Path=/y", after: 2)
        #expect(jar.count == 50)
        #expect(try jar.sent(to: "https://www.example.com/plain", after: 2) == "secure=v")
        try jar.store("flood=v", from: "http://www.example.com/", after: 2)
        #expect(try jar.sent(after: 2) == "secure=v")
        try jar.store("z=v; Secure; Path=/z", after: 2)
        #expect(jar.count == 50)
        #expect(try jar.sent(after: 2) == nil)
    }

    @Test("of a thousand cookies in one response, fifty are kept (fault 77)")
    func thousand() throws {
        var jar = CookieJar()
        let url = try #require(URL(string: "https://www.example.com/"))
        jar.store((0..<1000).map { "n\($0)=v" }, from: url, at: start)
        #expect(jar.count == 50)
        let expected = (950..<1000).map { "n\($0)=v" }.joined(separator: "; ")
        #expect(try jar.sent() == expected)
    }

    @Test("a jar keeps 3,000 cookies, and removes expired, then least recently used ones")
    func totalLimit() throws {
        var jar = CookieJar()
        func host(_ number: Int) -> String { "https://h\(number).example.com/" }
        for number in 0..<60 {
            let lines = (0..<50).map { "n\($0)=v; Path=/\($0)" }
            jar.store(lines, from: try #require(URL(string: host(number))), at: start)
        }
        #expect(jar.count == 3000)
        #expect(jar.cookieHeader(for: try #require(URL(string: host(0) + "0")), at: start) != nil)
        try jar.store("a=1", "b=2", from: "https://other.test/")
        #expect(jar.count == 3000)
        #expect(try jar.sent(to: host(0) + "0") == "n0=v")
        #expect(try jar.sent(to: host(0) + "1") == nil)
        #expect(try jar.sent(to: host(0) + "2") == nil)
        #expect(try jar.sent(to: host(0) + "3") == "n3=v")

        try jar.store("n0=v; Path=/0; Max-Age=1", from: host(59))
        try jar.store("c=3", from: "https://other.test/", after: 2)
        #expect(jar.count == 3000)
        #expect(try jar.sent(to: host(0) + "3", after: 2) == "n3=v")
        #expect(try jar.sent(to: host(59) + "0") == nil)
        #expect(try jar.sent(to: "https://other.test/", after: 2) == "a=1; b=2; c=3")
    }

    @Test("no line traps or adds forbidden characters to the Cookie field", arguments: 1...20)
    func randomLines(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "=", ";", " ", "\t", "\u{0}", "\r\n", "\"", ",", "é", "\u{7F}", "\u{85}",
            "\u{2028}",
            "Domain", "Path", "Max-Age", "Expires", "Secure", "__Host-", "/", ".", "example.com",
            "999999999999999999999", "-", "1", ":", "jan", "31", "2030", "10:00:00", "SameSite",
            "😀",
        ]
        var jar = CookieJar()
        for _ in 0..<500 {
            let line = (0..<Int.random(in: 0...14, using: &random))
                .compactMap { _ in pieces.randomElement(using: &random) }.joined()
            try jar.store("x=y;" + line, line)
        }
        for path in ["", "a", "1/1"] {
            guard let text = try jar.sent(to: "https://www.example.com/\(path)") else { continue }
            let isClean = text.utf8.allSatisfy { $0 == 9 || ($0 >= 0x20 && $0 != 0x7F) }
            #expect(isClean)
            #expect(text.components(separatedBy: "; ").allSatisfy { $0.contains("=") })
        }
    }
}
