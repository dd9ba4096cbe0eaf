import BluebonnetTransport
import Testing

@Suite("Redactor")
struct RedactorTests {
    @Test(
        "secrets in text are found by name and by their place in a URL",
        arguments: [
            ("GET http://h/?page=2&token=abc", "GET http://h/?page=2&token=<redacted>"),
            ("see 'http://u:p@h/#token=a', ok", "see 'http://<redacted>@h/#token=<redacted>', ok"),
            (
                #"it sent {"password":"a\"b","page":1"#,
                #"it sent {"password":"<redacted>","page":1"#
            ),
            (#"{"otp": 12, "key": ["a", {}]}"#, #"{"otp": "<redacted>", "key": "<redacted>"}"#),
            (#"5" {"token":"abc"}"#, #"5" {"token":"<redacted>"}"#),
            (#"{"token":"", "pass":}"#, #"{"token":"", "pass":}"#), ("", ""),
            (
                "http://h/?to=http%3A%2F%2Fh%3Ftoken%3Dabc",
                "http://h/?to=http%3A%2F%2Fh%3Ftoken%3D<redacted>"
            ),
            ("http://h/?token=abc,,def, or", "http://h/?token=<redacted>, or"),
            ("https://user:a,,b@h/", "https://<redacted>@h/"),
            (
                "{\"\(String(repeating: "x", count: 300))_token\":\"hunter22\"}",
                "{\"\(String(repeating: "x", count: 300))_token\":\"<redacted>\"}"
            ),
            ("?q=%7B%22otp%22%3A12%7D", "?q=%7B%22otp%22%3A<redacted>%7D"),
        ])
    func text(text: String, shown: String) {
        #expect(Redactor().redacted(text) == shown)
    }

    @Test("a value of a form ends at an ampersand, and its name can have any character")
    func form() {
        let text = "my password=a b\"c&x=1; pin token=2"
        #expect(
            Redactor().redacted(text, as: .form)
                == "my password=<redacted>&x=1; pin token=<redacted>")
    }

    @Test("names can be added and kept, and further secrets come from a closure")
    func rules() {
        let redactor = Redactor(furtherNames: ["Tenant"], keptNames: ["TOKEN"]) { text in
            text.contains("4111") ? ["4111"] : []
        }
        #expect(
            redactor.redacted("?tenant=a&token=b&card=x4111y")
                == "?tenant=<redacted>&token=b&card=x<redacted>y")
    }

    @Test("known values are found within words only if they are not words themselves")
    func knownValues() {
        var redactor = Redactor()
        redactor.knownValues = [.init("ab/c"), .init("word", isWord: true), .init("")]
        #expect(
            redactor.redacted("xab/cx ab%2Fc ab\\/c ab&#47;c word swords", as: [])
                == "x<redacted>x <redacted> <redacted> ab&#47;c <redacted> swords")
    }

    @Test("JSON that is kept has only strings replaced, and not those of usual names")
    func keptJSON() {
        var redactor = Redactor()
        redactor.keepsJSON = true
        let text = #"{"otp":1,"auth":{"otp":"a"},"key":"b","token_type":"c","token":"d"}"#
        #expect(
            redactor.redacted(text)
                == #"{"otp":1,"auth":{"otp":"<redacted>"},"key":"b","token_type":"c","token":"<redacted>"}"#
        )
    }

    @Test("findings are in order, do not overlap, and have values without escapes")
    func findings() {
        var redactor = Redactor()
        redactor.knownValues = [.init("b&c"), .init("c=1")]
        let findings = redactor.findings(in: Array("b&c=1 ?token=x%2Fy {\"key\":\"\\u00e9\"}".utf8))
        #expect(findings.map(\.range) == [0..<5, 13..<18, 27..<33])
        #expect(findings.map(\.value) == ["b&c", "x/y", "é"])
        #expect(findings.map(\.name) == [nil, "token", "key"])
        #expect(findings.map(\.isNamed) == [false, true, true])
    }
}
