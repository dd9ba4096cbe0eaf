import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("Redacting secrets in a text")
struct RedactorTests {
    static let secret = "Kq7+/zR4=w9&Xb<2\"Lm"

    static func redactor(_ fields: [String: String], url: String = "http://a.test/") -> TaskRedactor
    {
        let fields = fields.map { Exchange.Field(name: $0.key, value: $0.value) }
        let message = RequestMessage(method: "GET", url: url, fields: fields)
        return TaskRedactor(sent: [SentRequest(message, to: nil, credential: [])])
    }

    @Test("a secret is found in every escaped form", arguments: Escaping.allCases)
    func escaped(escaping: Escaping) {
        let redactor = Self.redactor(["X-Api-Key": Self.secret])
        let told = escaping.applied(to: Self.secret)
        let shown = redactor.redacted("<p>it is \(told), isn't it</p>", by: .server)
        #expect(shown == "<p>it is <redacted>, isn't it</p>", "\(told)")
    }

    @Test("random secrets with any characters are found in each form")
    func random() throws {
        var generator = SeededGenerator(seed: 7)
        let letters = Array("abcXYZ0189+/=%&\\\"<é€ ._-")
        for _ in 0..<200 {
            let length = Int.random(in: 16...60, using: &generator)
            let middle = (0..<length).compactMap { _ in letters.randomElement(using: &generator) }
            let secret = "x\(String(middle))end"
            let escaping = Escaping.allCases.randomElement(using: &generator) ?? .none
            let redactor = TaskRedactor(credentials: [.test("user", secret)])
            let told = escaping.applied(to: secret)
            let shown = redactor.redacted("before:\(told)|after", by: .server)
            #expect(shown == "before:<redacted>|after", "\(escaping): \(secret)")
        }
    }

    @Test("pieces of a secret are hidden wherever a text is cut, and plain words are not")
    func pieces() {
        let secret = "0123456789abcdefghijklmnopqrstuvwxyz"
        let redactor = Self.redactor(["Authorization": "Bearer \(secret)"])
        for start in [0, 1, 7, 20] {
            for count in [8, 9, 16] {
                let piece = secret.dropFirst(start).prefix(count)
                let shown = redactor.redacted("it is \(piece)…", by: .server)
                #expect(shown == "it is <redacted>…")
            }
        }
        let plain = "Bearer tokens such as 0123456 are refused; see /help?page=4"
        #expect(redactor.redacted(plain, by: .server) == plain)
    }

    @Test(
        "the excerpt ends before a secret that crosses its end", arguments: [12, 13, 400, 9000])
    func cut(length: Int) {
        let letters = (0..<length).map { (place: Int) -> UInt8 in UInt8(97 + place * 7 % 26) }
        let secret = String(decoding: letters, as: UTF8.self)
        let redactor = Self.redactor(["Cookie": "a=\(secret)"])
        for escaping in [Escaping.none, .unicode, .percent] {
            for offset in [0, 100, 107, 108, 112, 119, 120] {
                let before = String(repeating: "-", count: offset)
                let told = escaping.applied(to: secret)
                let body = Data("\(before)\(told) tail".utf8)
                let shown = BodyExcerpt.text(body, charset: nil, redactor: redactor) ?? ""
                let tail = " tail"
                let count = max(0, 120 - offset - told.count)
                let rest = String(tail.prefix(count))
                let mark = offset < 120 ? "<redacted>" : ""
                let end = count < tail.count ? "…" : ""
                let expected = "\(before.prefix(120))\(mark)\(rest)\(end)"
                #expect(shown == expected, "\(escaping) at \(offset)")
            }
        }
    }

    @Test("the same holds in every encoding of a body, and in binary data")
    func encodings() throws {
        let redactor = Self.redactor(["Authorization": Self.secret])
        for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf32BigEndian, .isoLatin1] {
            let body = try #require("told: \(Self.secret) é".data(using: encoding))
            let shown = BodyExcerpt.text(body, charset: "iso-8859-1", redactor: redactor)
            #expect(["told: <redacted> é", "bytes with a secret"].contains(shown), "\(encoding)")
        }
        let binary = Data([0, 1, 0xFF] + Self.secret.utf8)
        let shown = BodyExcerpt.text(binary, charset: nil, redactor: redactor)
        #expect(shown == "bytes with a secret")
        let harmless = BodyExcerpt.text(Data([0, 1, 0xFF]), charset: nil, redactor: redactor)
        #expect(harmless == "the bytes 00 01 FF")
    }

    @Test(
        "the secret part of a field is known",
        arguments: [
            ("Authorization", "Bearer \(secret)", [secret]),
            ("Authorization", secret, [secret]),
            (
                "authorization", "Basic \(Data("user:pass:word".utf8).base64EncodedString())",
                ["pass:word", Data("user:pass:word".utf8).base64EncodedString()]
            ),
            (
                "Proxy-Authorization",
                #"Digest username="u", realm="of words", uri="/a,b", response="0f1e2d3c""#,
                ["0f1e2d3c"]
            ),
            (
                "Authorization",
                #"Digest username="a \"b\\", cnonce="9d8c7b", response="0f1e2d3c""#,
                ["9d8c7b", "0f1e2d3c"]
            ),
            (
                "Authorization", "Digest username=\"\u{301}a, b\", response=\"0f1e2d3c\"",
                ["0f1e2d3c"]
            ),
            ("Cookie", "a=one; session=\"two=3\"; lone", ["one", "two=3", "lone"]),
            ("X-Session-Token", "v=1f2e3d; s=4c5b6a", ["1f2e3d", "4c5b6a"]),
            ("Referer", "http://b.test/?token=one&page=second", ["one", "second"]),
            ("X-Passphrase", "correct horse battery", ["correct", "horse", "battery"]),
            ("X-Api-Key", "part=of-one-key", ["part=of-one-key", "of-one-key"]),
        ]
    )
    func fields(name: String, value: String, secrets: [String]) {
        let redactor = Self.redactor([name: value])
        for secret in secrets {
            #expect(redactor.redacted("[\(secret)]", by: .server) == "[<redacted>]")
        }
        let plain = "Bearer Basic Digest username u realm of words /a,b page response session"
        #expect(redactor.redacted(plain, by: .server) == plain)
    }

    @Test("secrets of URLs, proxies, credentials and additional names are found")
    func sources() throws {
        let url = "http://name:pass@a.test/?page=12345&q=second%20one&token=abc"
        var proxy = Exchange.Route.Proxy(
            .http, host: "p.test", port: 1, username: "proxyuser", password: "pw1")
        proxy.fields = [Exchange.Field(name: "X-Proxy-Key", value: "pk2")]
        var redactor = Self.redactor(["X-Tenant": "tenant 17", "X-Other": "shown"], url: url)
        redactor.proxies = [proxy]
        redactor.credentials = [.test("user", "hunter")]
        redactor.furtherNames = ["x-tenant"]
        redactor.request = URLRequest(url: try #require(URL(string: "http://b.test/?key=def")))
        let login = Data("proxyuser:pw1".utf8).base64EncodedString()
        for secret in [
            "pass", "second one", "second+one", "abc", "def", "hunter", "pw1", "pk2", "tenant",
            "proxyuser", login,
        ] {
            #expect(redactor.redacted("[\(secret)]", by: .server) == "[<redacted>]")
        }
        // These are short or have ordinary names.
        #expect(redactor.redacted("12345 shown name", by: .server) == "12345 shown name")
        // Values that can be any word do not hide the library's own words.
        #expect(redactor.redacted("second one, pass", by: .library) == "second one, pass")
        #expect(redactor.redacted("no hunter", by: .library) == "no <redacted>")
    }

    @Test(
        "secrets of the request's body are found",
        arguments: [
            (#"{"user":"shown","password":"hunter2one"}"#, nil, ["hunter2one"]),
            (#"{"otp" : 493817, "pin":-12.5e9,"token":true}"#, "text/json", ["493817"]),
            (#"[{"a":{"pass\u0077ord":"a\"b\u00e9c","b":"shown"}}]"#, nil, [#"a"béc"#]),
            (#"{"token":"cut off"#, "application/json", ["cut off"]),
            (#"{"session":{"theme":"shown"},"key":[7654321],"page":987654}"#, nil, []),
            (
                "user=shown&access_token=one%2Bhunter&b=1", "application/x-www-form-urlencoded",
                ["one+hunter", "one%2Bhunter"]
            ),
            ("user=shown&secret=twohunter", nil, ["twohunter"]),
            ("<password>shown</password>", "text/xml", []), ("", nil, []),
        ] as [(String, String?, [String])])
    func bodies(body: String, type: String?, secrets: [String]) throws {
        var request = URLRequest(url: try #require(URL(string: "http://b.test/")))
        request.httpBody = Data(body.utf8)
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        let redactor = TaskRedactor(request: request)
        for secret in secrets {
            for author in [TaskRedactor.Author.server, .library] {
                #expect(redactor.redacted("[\(secret)]", by: author) == "[<redacted>]")
            }
        }
        let plain = "shown, true, 7654321, 987654"
        #expect(redactor.redacted(plain, by: .server) == plain)
    }

    @Test("the search for secrets in a request's body takes linear time, and ends in long bodies")
    func longBodies() throws {
        var request = URLRequest(url: try #require(URL(string: "http://b.test/")))
        for piece in ["\"", #"{"token":"#, "token=;", "é", "token=&"] {
            let body = String(repeating: piece, count: 2_000_000 / piece.utf8.count)
            request.httpBody = Data(body.utf8)
            _ = TaskRedactor(request: request).redacted("text", by: .server)
        }
    }

    @Test("short values are hidden as words, and the shortest ones only beside their names")
    func short() {
        let redactor = Self.redactor(["Cookie": "a=1; lang=en; mode=dark", "X-Api-Key": "k"])
        for (text, shown) in [
            ("1 of 2", "1 of 2"), (#"{"a": "1", "b": 1}"#, #"{"a": "<redacted>", "b": 1}"#),
            ("Cookie: a=1; lang=en", "Cookie: a=<redacted>; lang=<redacted>"),
            ("a dark, darker day", "a <redacted>, darker day"), ("k, ok", "<redacted>, ok"),
            ("", ""),
        ] {
            #expect(redactor.redacted(text, by: .server) == shown)
        }
    }

    @Test("text that is crafted to be slow takes little time", .timeLimit(.minutes(5)))
    func hostile() {
        let redactor = Self.redactor([
            "Cookie": (0..<50).map { "c\($0)=\(String(repeating: "a", count: 160))" }
                .joined(separator: "; ")
        ])
        for piece in ["a", "%25", "\\u{", "&#", "\\\\", "&amp;amp;"] {
            let text = String(repeating: piece, count: 2000)
            _ = redactor.redacted(text, by: .server)
        }
    }
}
