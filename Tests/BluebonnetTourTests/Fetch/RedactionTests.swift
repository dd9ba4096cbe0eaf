import Bluebonnet
import Testing

@testable import BluebonnetTour

@Suite("What is hidden of requests and responses")
struct RedactionTests {
    private let plain = Redaction(login: nil, fields: [])

    @Test(
        "a URL has no login and no secret items",
        arguments: [
            ("/a?b=c&d=e#f", "/a?b=c&d=e#f"),
            ("http://a.test:81/b?c=d", "http://a.test:81/b?c=d"),
            ("http://me:hunter2@a.test/b?c=d", "http://…@a.test/b?c=d"),
            ("http://me:hunter2@a.test", "http://…@a.test"),
            ("/a?token=hunter2&b=c", "/a?token=<redacted>&b=c"),
            ("/a?access_token=hunter2", "/a?access_token=<redacted>"),
            ("/a?%74oken=hunter2", "/a?%74oken=<redacted>"),
            ("/a#access_token=hunter2&b=c", "/a#access_token=<redacted>&b=c"),
            ("/a?b=http://me:hunter2@a.test/", "/a?b=<redacted>"),
            ("/a?b=http%3A%2F%2Fme%3Ahunter2%40a.test", "/a?b=<redacted>"),
            ("http://me:hunt?er2@a.test/", "http://…"),
            ("/a?token=hunter2;b=c", "/a?token=<redacted>;b=c"),
            ("/?", "/?"), ("?token=hunter2", "?token=<redacted>"), ("", ""),
        ])
    func urls(url: String, shown: String) {
        let text = plain.url(url)
        #expect(text == shown)
        for secret in ["hunter2", "hunt", "er2"] { #expect(!text.contains(secret)) }
    }

    @Test("header fields hide what their names tell of, and logins in URLs")
    func fields() {
        func shown(_ name: String, _ value: String) -> String {
            plain.field(HTTPHeaders.Field(name: name, value: value))
        }
        #expect(shown("Authorization", "Basic abc") == "Authorization: <redacted>")
        #expect(shown("Set-Cookie", "a=b") == "Set-Cookie: <redacted>")
        #expect(shown("X-Api-Key", "abc") == "X-Api-Key: <redacted>")
        #expect(shown("Accept", "a/b") == "Accept: a/b")
        #expect(shown("Location", "http://me:pw@a.test/b?c=d") == "Location: http://…@a.test/b?c=d")
    }

    @Test("a password is hidden wherever it is repeated, also encoded")
    func repeated() {
        let login = FetchOptions.Login(user: "me", password: "hunt er2")
        let field = HTTPHeaders.Field(name: "X-Token", value: "Bearer abcdef")
        let redaction = Redaction(login: login, fields: [field])
        let base64 = Data("me:hunt er2".utf8).base64EncodedString()
        for secret in ["hunt er2", "hunt%20er2", base64, "abcdef", "Bearer abcdef"] {
            let echo = HTTPHeaders.Field(name: "X-Echo", value: "<\(secret)>")
            #expect(redaction.field(echo) == "X-Echo: <<redacted>>")
            #expect(redaction.url("/a/\(secret)") == "/a/<redacted>")
        }
    }
}
