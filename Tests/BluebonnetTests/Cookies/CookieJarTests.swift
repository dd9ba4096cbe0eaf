import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("CookieJar")
struct CookieJarTests {
    static func cookie(
        _ name: String = "a", _ value: String = "b", domain: String = "www.example.com",
        path: String = "/", more: [HTTPCookiePropertyKey: any Sendable] = [:]
    ) throws -> HTTPCookie {
        var properties: [HTTPCookiePropertyKey: Any] = more
        properties[.name] = name
        properties[.value] = value
        properties[.domain] = domain
        properties[.path] = path
        return try #require(HTTPCookie(properties: properties))
    }

    @Test("a jar is a value, and a copy is independent")
    func value() throws {
        var jar = CookieJar()
        try jar.store("a=1")
        let copy = jar
        try jar.store("a=2", "b=3")
        #expect(try copy.sent() == "a=1")
        #expect(try jar.sent() == "a=2; b=3")
    }

    @Test("an empty jar does not read the clock")
    func emptyIsCheap() throws {
        var jar = CookieJar()
        let url = try #require(URL(string: "https://www.example.com/"))
        var reads = 0
        func clock() -> Date {
            reads += 1
            return start
        }
        #expect(jar.cookieHeader(for: url, at: clock()) == nil)
        #expect(reads == 0)
        try jar.store("a=b")
        #expect(jar.cookieHeader(for: url, at: clock()) == "a=b")
        #expect(reads == 1)
    }

    @Test("cookies are removed individually, by kind, or all at once")
    func removing() throws {
        var jar = CookieJar()
        try jar.store(
            "a=1", "b=2; Max-Age=10", "c=3; Max-Age=20; Domain=example.com", "d=4; Path=/x")
        jar.remove(name: "a", domain: "www.example.com", path: "/x")
        jar.remove(name: "A", domain: "www.example.com", path: "/")
        #expect(jar.count == 4)
        jar.remove(name: "c", domain: ".EXAMPLE.com", path: "/")
        #expect(jar.count == 3)
        jar.removeSessionCookies()
        #expect(try jar.sent() == "b=2")
        jar.removeExpired(at: start + 9)
        #expect(jar.count == 1)
        jar.removeExpired(at: start + 10)
        #expect(jar.isEmpty)
        try jar.store("a=1")
        jar.removeAll()
        #expect(jar.isEmpty)
        #expect(jar.cookies.isEmpty)
    }

    @Test("a request removes the expired cookies that it finds")
    func expiryOnUse() throws {
        var jar = CookieJar()
        try jar.store("a=1; Max-Age=10", "b=2; Max-Age=20", "c=3; Max-Age=10; Domain=example.com")
        let url = try #require(URL(string: "https://www.example.com/"))
        #expect(jar.cookieHeader(for: url, at: start + 15) == "b=2")
        #expect(jar.count == 1)
    }

    @Test("Foundation's cookies survive a round trip")
    func foundation() throws {
        var jar = CookieJar()
        try jar.store(
            "a=1; Secure; HttpOnly; Path=/x; Domain=example.com; Max-Age=100", "b=", "c=\"3\"")
        let cookies = jar.cookies
        #expect(cookies.map(\.name) == ["a", "b", "c"])
        #expect(cookies.map(\.value) == ["1", "", "\"3\""])
        #expect(cookies.map(\.domain) == [".example.com", "www.example.com", "www.example.com"])
        #expect(cookies.map(\.path) == ["/x", "/", "/"])
        #expect(cookies.map(\.isSecure) == [true, false, false])
        #expect(cookies.map(\.isHTTPOnly) == [true, false, false])
        #expect(cookies.map(\.isSessionOnly) == [false, true, true])
        #expect(cookies.map(\.expiresDate) == [start + 100, nil, nil])
        var other = CookieJar()
        for cookie in cookies { other.setCookie(cookie, at: start) }
        for url in ["https://www.example.com/x", "http://example.com/x", "https://example.com/x"] {
            #expect(try other.sent(to: url) == jar.sent(to: url))
        }
        #expect(try jar.sent(to: "https://example.com/x") == "a=1")
    }

    @Test("the program's own cookies are checked like received ones")
    func setting() throws {
        var jar = CookieJar()
        for cookie in try [
            Self.cookie("a", "b; c=d"), Self.cookie("a", "b\r\nX: y"), Self.cookie("a=", "b"),
            Self.cookie("a", "b", domain: ".com"), Self.cookie("a", "b", domain: ".127.0.0.1"),
            Self.cookie("a", "b", domain: "ex ample.com"), Self.cookie("__Secure-a", "b"),
            Self.cookie("a", String(repeating: "v", count: 4096)), Self.cookie("a", "b", path: "x"),
        ] {
            jar.setCookie(cookie)
            #expect(jar.isEmpty, "\(cookie.name) \(cookie.value) \(cookie.domain)")
        }
        jar.setCookie(try Self.cookie("a", "b", domain: "LOCALHOST"))
        #expect(try jar.sent(to: "http://localhost:8080/") == "a=b")
        let past: [HTTPCookiePropertyKey: any Sendable] = [.expires: Date(timeIntervalSince1970: 0)]
        jar.setCookie(try Self.cookie("a", "b", domain: "localhost", more: past))
        #expect(jar.isEmpty)
    }

    @Test("the cost of a request does not grow with the jar")
    func lookupIsIndexed() throws {
        var jar = CookieJar()
        for number in 0..<3000 { try jar.store("a=b", from: "https://h\(number).test/") }
        #expect(jar.count == 3000)
        var small = CookieJar()
        try small.store("a=b", from: "https://h1500.test/")
        let url = try #require(URL(string: "https://h1500.test/"))
        /// Returns the shortest of several rounds, which other work on the machine affects least.
        func cost(of jar: CookieJar) -> Duration {
            var jar = jar
            let rounds = (0..<10).map { _ in
                ContinuousClock().measure {
                    for _ in 0..<50 { _ = jar.cookieHeader(for: url, at: start) }
                }
            }
            return rounds.min() ?? .zero
        }
        // The first use of a copy pays for the copy. A scan would cost 100 times as much.
        #expect(cost(of: jar) < cost(of: small) * 30)
    }
}
