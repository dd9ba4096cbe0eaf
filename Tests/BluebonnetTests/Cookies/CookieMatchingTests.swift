import Foundation
import Testing

import Bluebonnet

@Suite("Which URLs get a cookie")
struct CookieMatchingTests {
    @Test(
        "a Domain covers the host and its subdomains, and without it only the host",
        arguments: [
            ("www.example.com", "", "www.example.com", true),
            ("www.example.com", "", "example.com", false),
            ("www.example.com", "", "a.www.example.com", false),
            ("WWW.Example.COM", "", "www.example.com", true),
            ("www.example.com", "Domain=example.com", "example.com", true),
            ("www.example.com", "Domain=example.com", "a.b.example.com", true),
            ("www.example.com", "Domain=EXAMPLE.com", "x.eXample.com", true),
            ("www.example.com", "Domain=example.com", "notexample.com", false),
            ("www.example.com", "Domain=.example.com", "example.com", true),
            ("www.example.com", "Domain=..example.com", "www.example.com", false),
            ("www.example.com", "Domain=www.example.com", "a.www.example.com", true),
            ("www.example.com", "Domain=a.www.example.com", "www.example.com", false),
            ("www.example.com", "Domain=a.www.example.com", "a.www.example.com", false),
            ("www.example.com", "Domain=ww.example.com", "www.example.com", false),
            ("www.example.com", "Domain=xample.com", "www.example.com", false),
            ("www.example.com", "Domain=evil.com", "evil.com", false),
            ("www.example.com", "Domain=evil.com", "www.example.com", false),
            ("www.example.com", "Domain=", "www.example.com", true),
            ("www.example.com", "Domain=", "a.www.example.com", false),
            ("www.example.com", "Domain=.", "www.example.com", true),
            ("www.example.com", "Domain=\"example.com\"", "www.example.com", false),
            ("www.example.com", "Domain=www.example.com:443", "www.example.com", false),
            ("www.example.com", "Domain=https://example.com", "www.example.com", false),
            ("www.example.com", "Domain=*.example.com", "www.example.com", false),
            ("www.example.com", "Domain=exämple.com", "www.example.com", false),
            ("evil-example.com", "Domain=example.com", "evil-example.com", false),
            ("a_b.example.com", "Domain=example.com", "example.com", true),
            ("www.bücher.example", "Domain=xn--bcher-kva.example", "xn--bcher-kva.example", true),
        ]
    )
    func domains(from: String, attribute: String, to: String, goes: Bool) throws {
        let text = try sent("a=b; \(attribute)", from: "http://\(from)/", to: "http://\(to)/")
        #expect(text == (goes ? "a=b" : nil))
    }

    @Test(
        "a public suffix is refused as Domain, except for the host itself (fault 77)",
        arguments: [
            ("www.example.com", "com", "www.example.com", false),
            ("www.example.com", ".com", "www.example.com", false),
            ("www.example.co.uk", "co.uk", "www.example.co.uk", false),
            ("www.example.co.uk", "uk", "www.example.co.uk", false),
            ("www.example.co.uk", "example.co.uk", "example.co.uk", true),
            ("evil.github.io", "github.io", "victim.github.io", false),
            ("github.io", "github.io", "github.io", true),
            ("github.io", "github.io", "victim.github.io", false),
            ("localhost", "localhost", "localhost", true),
            ("localhost", "localhost", "a.localhost", false),
            ("a.localhost", "localhost", "localhost", false),
            ("a.internal", "internal", "b.internal", false),
            ("a.b.internal", "b.internal", "c.b.internal", true),
            ("a.xn--p1ai", "xn--p1ai", "b.xn--p1ai", false),
            ("a.b.kawasaki.jp", "b.kawasaki.jp", "a.b.kawasaki.jp", false),
            ("a.city.kawasaki.jp", "city.kawasaki.jp", "city.kawasaki.jp", true),
        ]
    )
    func publicSuffixes(from: String, domain: String, to: String, goes: Bool) throws {
        let line = "a=b; Domain=\(domain)"
        #expect(
            try sent(line, from: "http://\(from)/", to: "http://\(to)/") == (goes ? "a=b" : nil))
    }

    @Test(
        "an IP address matches only itself",
        arguments: [
            ("127.0.0.1", "", "127.0.0.1", true),
            ("127.0.0.1", "Domain=127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1", "Domain=0.0.1", "127.0.0.1", false),
            ("127.0.0.1", "Domain=127.0.0.1", "x.127.0.0.1", false),
            ("x.127.0.0.1", "Domain=127.0.0.1", "127.0.0.1", false),
            ("1.2.3.0x7f", "Domain=2.3.0x7f", "1.2.3.0x7f", false),
            ("[::1]", "", "[::1]", true), ("[::1]", "Domain=::1", "[::1]", true),
            ("[::ffff:1.2.3.4]", "Domain=3.4", "[::ffff:1.2.3.4]", false),
            ("127.0.0.1", "", "127.0.0.2", false),
        ]
    )
    func addresses(from: String, attribute: String, to: String, goes: Bool) throws {
        let text = try sent("a=b; \(attribute)", from: "http://\(from)/", to: "http://\(to)/")
        #expect(text == (goes ? "a=b" : nil))
    }

    @Test("a host with a trailing dot is separate and never a Domain (fault 77)")
    func trailingDots() throws {
        let dotted = "http://www.example.com./"
        #expect(try sent("a=b", from: dotted, to: dotted) == "a=b")
        #expect(try sent("a=b", from: dotted, to: "http://www.example.com/") == nil)
        #expect(try sent("a=b", from: "http://www.example.com/", to: dotted) == nil)
        for domain in ["example.com.", "www.example.com.", "com.", "example.com"] {
            #expect(try sent("a=b; Domain=\(domain)", from: dotted, to: dotted) == nil)
        }
        #expect(try sent("a=b; Domain=example.com.") == nil)
    }

    @Test(
        "a path covers itself and the paths below it",
        arguments: [
            ("/", "Path=/", "/anything", true), ("/", "Path=/foo", "/foo", true),
            ("/", "Path=/foo", "/foo/", true), ("/", "Path=/foo", "/foo/bar", true),
            ("/", "Path=/foo", "/foobar", false), ("/", "Path=/foo/", "/foo/bar", true),
            ("/", "Path=/foo/", "/foo", false), ("/", "Path=/foo", "/FOO", false),
            ("/", "Path=/foo", "/", false), ("/", "Path=/foo", "/foo?q=/bar", true),
            ("/", "Path=/foo?", "/foo?", false), ("/", "Path=/a%2Fb", "/a%2Fb", true),
            ("/", "Path=/a%2Fb", "/a/b", false), ("/", "Path=//", "/foo", false),
            ("/a/b", "", "/a", true), ("/a/b", "", "/a/c/d", true), ("/a/b", "", "/", false),
            ("/a/b", "", "/ab", false), ("/a/b/", "", "/a/b", true), ("/a/b/", "", "/a", false),
            ("/a", "", "/b", true), ("", "", "/b", true), ("?q=/x/y", "", "", true),
            ("/a/b", "Path=x", "/a", true), ("/a/b", "Path=", "/a", true),
            ("/a/b", "Path=x", "/", false), ("/a/b", "Path=/elsewhere", "/elsewhere", true),
            ("/a/b?c=/d/e", "", "/a/x", true), ("/a/b#/c/d", "", "/a/x", true),
        ]
    )
    func paths(from: String, attribute: String, to: String, goes: Bool) throws {
        let host = "http://www.example.com"
        let text = try sent("a=b; \(attribute)", from: host + from, to: host + to)
        #expect(text == (goes ? "a=b" : nil))
    }

    @Test("a Secure cookie is received and sent only over https (fault 77)")
    func secure() throws {
        let (plain, secure) = ("http://www.example.com/", "https://www.example.com/")
        #expect(try sent("a=b; Secure", from: secure, to: secure) == "a=b")
        #expect(try sent("a=b; Secure", from: secure, to: "HTTPS://www.example.com/") == "a=b")
        #expect(try sent("a=b; Secure", from: secure, to: plain) == nil)
        #expect(try sent("a=b; Secure", from: plain, to: secure) == nil)
        #expect(try sent("a=b", from: secure, to: plain) == "a=b")
        #expect(try sent("a=b", from: plain, to: secure) == "a=b")
    }

    @Test("ports are ignored, and other schemes and invalid hosts have no cookies")
    func otherURLs() throws {
        #expect(try sent("a=b", from: "http://h.test:81/", to: "http://h.test:82/") == "a=b")
        #expect(try sent("a=b", from: "ftp://h.test/", to: "ftp://h.test/") == nil)
        #expect(try sent("a=b", from: "file:///x", to: "file:///x") == nil)
        for host in ["h%2f.test", "h%00.test", "h%20.test", "h%3b.test"]
        where URL(string: "http://\(host)/") != nil {
            #expect(
                try sent("a=b", from: "http://\(host)/", to: "http://\(host)/") == nil, "\(host)")
        }
        let long = "http://" + String(repeating: "a.", count: 200) + "test/"
        #expect(try sent("a=b", from: long, to: long) == nil)
    }

    @Test("longer paths come first, then older cookies")
    func order() throws {
        var jar = CookieJar()
        try jar.store("a=1", "b=2; Path=/x/y", "c=3; Path=/x", "d=4; Domain=example.com")
        try jar.store("e=5; Path=/x/y")
        let url = "https://www.example.com/x/y"
        #expect(try jar.sent(to: url) == "b=2; e=5; c=3; a=1; d=4")
        try jar.store("a=new", "b=new; Path=/x/y", after: -3600)
        #expect(try jar.sent(to: url) == "b=new; e=5; c=3; a=new; d=4")
    }

    @Test("name, domain and path identify a cookie, byte by byte")
    func identity() throws {
        var jar = CookieJar()
        try jar.store(
            "a=1", "A=2", "a=3; Path=/x", "a=4; Domain=example.com", "\u{E9}=5", "e\u{301}=6")
        #expect(jar.count == 6)
        try jar.store("a=7; Domain=www.example.com")
        #expect(jar.count == 6)
        #expect(try jar.sent(to: "https://a.www.example.com/") == "a=7; a=4")
    }

    @Test("a cookie with a past date removes its predecessor and no other")
    func removal() throws {
        var jar = CookieJar()
        try jar.store("a=1", "a=2; Path=/x", "a=3; Domain=example.com", "b=4")
        try jar.store("a=; Max-Age=0")
        #expect(jar.count == 3)
        try jar.store("a=; Path=/x; Expires=1 Jan 1990 0:0:0", "b=; Max-Age=-1")
        #expect(try jar.sent(to: "https://www.example.com/x") == "a=3")
        try jar.store("a=; Domain=example.com; Max-Age=0")
        #expect(jar.isEmpty)
    }
}
