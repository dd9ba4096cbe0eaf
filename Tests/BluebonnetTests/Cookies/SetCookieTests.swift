import Foundation
import Testing

@testable import Bluebonnet

@Suite("Parsing a Set-Cookie line")
struct SetCookieTests {
    @Test(
        "name and value are separated by the first equals sign, trimmed and otherwise unchanged",
        arguments: [
            ("a=b", "a=b"), ("  a\t= b \t; x", "a=b"), ("a=", "a="), ("a=b=c==", "a=b=c=="),
            ("a=\"b; c\"", "a=\"b"), ("a=\"b c\"", "a=\"b c\""), ("a=b,c=d", "a=b,c=d"),
            ("a b=c d", "a b=c d"), ("a=b\tc", "a=b\tc"), ("\"a\"=b", "\"a\"=b"),
            ("a=%3B", "a=%3B"),
            ("ä=ö", "ä=ö"), ("a=b;;;; ;=;==", "a=b"), ("A=B", "A=B"), ("a=b; a=c; d=e", "a=b"),
            ("$Version=1", "$Version=1"), ("expires=x", "expires=x"),
            ("a={\"k\": [1]}", "a={\"k\": [1]}"),
        ]
    )
    func pairs(line: String, expected: String) throws {
        #expect(try sent(line) == expected)
    }

    @Test(
        "a line without a name is ignored",
        arguments: ["", " ", ";", "=", "=b", " = b", "a", "a; b=c", ";a=b", "; Path=/", "\u{FEFF}"]
    )
    func nameless(line: String) throws {
        #expect(try sent(line) == nil)
    }

    @Test(
        "a line with a control character is ignored (fault 77)",
        arguments: [
            "a=b\u{0}", "a=b\rc", "a=b\nSet-Cookie: x=y", "a\u{1F}=b", "a=\u{7F}", "a=b; x=\u{8}",
            "a=b; Path=/\u{1}", "\u{B}a=b", "a=b; Path=/x\ty", "a=b; Domain=example.com\u{0}.evil",
        ]
    )
    func controls(line: String) throws {
        var jar = CookieJar()
        try jar.store(line)
        #expect(jar.isEmpty)
    }

    @Test("name and value are limited to 4,096 bytes together (fault 77)")
    func size() throws {
        let fits = "name=" + String(repeating: "v", count: 4092)
        #expect(try sent(fits) == fits)
        #expect(try sent(fits + "v") == nil)
        #expect(try sent("name=" + String(repeating: "ä", count: 2047)) == nil)
        #expect(try sent(String(repeating: "n", count: 4097) + "=") == nil)
        #expect(try sent(fits + "; x=" + String(repeating: "y", count: 9000)) == fits)
    }

    @Test("an attribute longer than 1,024 bytes is ignored")
    func longAttributes() throws {
        let path = "/" + String(repeating: "p", count: 1023)
        #expect(try sent("a=b; Path=\(path)") == nil)
        #expect(try sent("a=b; Path=\(path)", to: "https://www.example.com\(path)") == "a=b")
        #expect(try sent("a=b; Path=\(path)p") == "a=b")
        #expect(try sent("a=b; Path=/x; Path=\(path)p") == nil)
        let zeros = String(repeating: "0", count: 1023)
        #expect(try sent("a=b; Max-Age=\(zeros)0") == nil)
        #expect(try sent("a=b; Max-Age=\(zeros)00") == "a=b")
    }

    @Test("attributes are read in any case, and the last of a kind counts")
    func attributes() throws {
        let line = try #require(
            SetCookie("a=b; SECURE; hTTPoNLY=x ; sAMEsITE = LAX; pATH=/x; DOMAIN = .EXAMPLE.com")
        )
        #expect(line.isSecure)
        #expect(line.isHTTPOnly)
        #expect(line.sameSite == .lax)
        #expect(line.path == "/x")
        #expect(line.domain == "example.com")
        let last = try #require(
            SetCookie("a=b; Path=/x; Path=/y; Domain=a.b; Domain=c.d; SameSite=Lax; SameSite=huh")
        )
        #expect(last.path == "/y")
        #expect(last.domain == "c.d")
        #expect(last.sameSite == nil)
        #expect(try #require(SetCookie("a=b; Path=/x; Path=y")).path == nil)
        #expect(try #require(SetCookie("a=b; Path=/x; Path")).path == nil)
        #expect(try #require(SetCookie("a=b; Domain=a.b; Domain=")).domain == "a.b")
        #expect(try #require(SetCookie("a=b; Domain=a.b; Domain=.")).domain == nil)
    }

    @Test(
        "a cookie expires by Max-Age or Expires",
        arguments: [
            ("", true), ("Max-Age=60", true), ("Max-Age=59", false), ("Max-Age=0", false),
            ("Max-Age=-1", false), ("Max-Age=99999999999999999999999", true),
            ("Max-Age=-99999999999999999999999", false), ("Max-Age=+1", true),
            ("Max-Age=1.5", true), ("Max-Age=\"0\"", true), ("Max-Age=-", true), ("Max-Age=", true),
            ("Max-Age=1; Max-Age=60", true), ("Max-Age=60; Max-Age=1", false),
            ("Max-Age=1; Max-Age=x", false),
            ("Expires=Tue, 14 Nov 2023 22:14:20 GMT", true),
            ("Expires=Tue, 14 Nov 2023 22:14:19 GMT", false),
            ("Expires=Thu, 01 Jan 1970 00:00:00 GMT", false), ("Expires=0", true),
            ("Expires=", true), ("Expires=Fri, 31 Dec 9999 23:59:59 GMT", true),
            ("Expires=1 Jan 1970 0:0:0; Max-Age=60", true),
            ("Max-Age=60; Expires=1 Jan 1970 0:0:0", true),
            ("Max-Age=1; Expires=1 Jan 2040 0:0:0", false),
            ("Expires=1 Jan 2040 0:0:0; Expires=nonsense", true),
            ("Expires=1 Jan 2040 0:0:0; Expires=1 Jan 1980 0:0:0", false),
        ]
    )
    func lifetime(attributes: String, isAlive: Bool) throws {
        // The clock of these tests starts at 22:13:20.
        #expect(try sent("a=b; \(attributes)", after: 59.5) == (isAlive ? "a=b" : nil))
    }
}
