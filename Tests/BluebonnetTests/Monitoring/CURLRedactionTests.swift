import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Secrets in descriptions as curl commands", .timeLimit(.minutes(5)))
struct CURLRedactionTests {
    private static let canary = "hunter2canary"

    /// Returns the description of an unstarted task, with and without secrets.
    private static func texts(
        _ url: String = "http://a.test/",
        configuration: (inout SessionConfiguration) -> Void = { _ in },
        _ change: (inout URLRequest) -> Void
    ) throws -> (redacted: String, whole: String) {
        var request = URLRequest(url: try #require(URL(string: url)))
        change(&request)
        let task = StubRig(configuration).manager.dataTask(with: request) { _ in }
        return (task.cURLDescription(), task.cURLDescription(includingSecrets: true))
    }

    private static func withBody(
        _ body: String, type: String?
    ) throws -> (redacted: String, whole: String) {
        try texts {
            $0.httpMethod = "POST"
            $0.httpBody = Data(body.utf8)
            $0.setValue(type, forHTTPHeaderField: "Content-Type")
        }
    }

    @Test(
        "values with secret names are redacted in fields, cookies and queries by default",
        arguments: [
            "Authorization", "X-Api-Key", "Proxy-Auth", "Cookie", "X-Bound", "Referer", "query",
            "repeated",
        ])
    func fields(place: String) throws {
        let secret = Self.canary
        let url =
            place == "query" ? "http://a.test/?a=1&access_token=\(secret)&b=2" : "http://a.test/"
        let (redacted, whole) = try Self.texts(
            url, configuration: { $0.headersBoundToOrigin = ["x-bound"] }
        ) {
            switch place {
            case "query": break
            case "Cookie": $0.setValue("n=\(secret); m=1", forHTTPHeaderField: place)
            case "Referer": $0.setValue("http://b.test/p?\(secret)", forHTTPHeaderField: place)
            case "repeated":
                $0.setValue("Bearer \(secret)", forHTTPHeaderField: "Authorization")
                $0.setValue("with \(secret)", forHTTPHeaderField: "X-Debug")
                $0.httpMethod = "POST"
                $0.httpBody = Data("<a>\(secret)</a>".utf8)
            default: $0.setValue(secret, forHTTPHeaderField: place)
            }
        }
        #expect(!redacted.contains(secret), "\(redacted)")
        #expect(whole.contains(secret), "\(whole)")
        switch place {
        case "query": #expect(redacted.contains("?a=1&access_token=<redacted>&b=2'"))
        case "Cookie": #expect(redacted.contains("-b 'n=<redacted>; m=<redacted>'"))
        case "Referer": #expect(redacted.contains("http://b.test/p"))
        case "repeated": #expect(redacted.contains("X-Debug: with <redacted>'"))
        default: #expect(redacted.contains("\(place): <redacted>'"), "\(redacted)")
        }
    }

    @Test("escaped and nested names, and names between semicolons, are recognized")
    func queryNames() throws {
        let secret = Self.canary
        for query in [
            "pass%77ord=\(secret)", "user[password]=\(secret)", "a=1;token=\(secret)",
            "X-Amz-Signature=\(secret)", "api+key=\(secret)", "token=a=\(secret)",
        ] {
            let (redacted, whole) = try Self.texts("http://a.test/?\(query)&last=1") { _ in }
            #expect(!redacted.contains(secret) && redacted.contains("last=1"), "\(redacted)")
            #expect(whole.contains(secret), "\(whole)")
        }
    }

    @Test("credentials in a URL are redacted")
    func login() {
        let command = CURLCommand(method: "GET", url: "http://user:\(Self.canary)@a.test/@b?c=d@e")
        let text = command.redacted(by: TaskRedactor()).text
        #expect(text.hasSuffix("'http://<redacted>@a.test/@b?c=d@e'"), "\(text)")
    }

    @Test(
        "secret members of JSON are redacted, for any value",
        arguments: [
            (#"{"name":"a","password":"#, #""hunter2canary","b":[1]}"#, #""<redacted>","b":[1]}"#),
            (
                #"{"token" : "#, #"{"a":"}","b":["hunter2canary"]} , "c":2}"#,
                #""<redacted>" , "c":2}"#
            ),
            (#"[{"otp":"#, #"[["hunter2canary"]]}]"#, #""<redacted>"}]"#),
            (#"{"pass\u0077ord":"#, #""\"hunter2canary"}"#, #""<redacted>"}"#),
            (#"{"pin":"1","key":"#, #"[123,{"a":"hunter2canary"}]}"#, #""<redacted>"}"#),
        ])
    func json(start: String, value: String, shown: String) throws {
        for type in ["application/json", "application/vnd.api+json; v=1", nil] {
            let (redacted, whole) = try Self.withBody(start + value, type: type)
            #expect(redacted.contains("'\(start)\(shown)'"), "\(redacted)")
            #expect(!redacted.contains(Self.canary))
            #expect(whole.contains(Self.canary))
        }
    }

    @Test("JSON with tabs, and JSON within other text, is searched")
    func jsonAmongOthers() throws {
        let (indented, _) = try Self.withBody(
            "{\n\t\"key\":\"\(Self.canary)\"}", type: "application/json")
        #expect(
            indented.hasPrefix(#"$ printf '{\012\011"key":"<redacted>"}' | curl"#), "\(indented)")
        for type in ["text/plain", nil] {
            let (text, _) = try Self.withBody(
                #"send {"key":"\#(Self.canary)"} & token=\#(Self.canary)"#, type: type)
            #expect(text.contains(#"'send {"key":"<redacted>"} & token=<redacted>'"#), "\(text)")
        }
    }

    @Test(
        "a body that looks like JSON but is invalid is left out, and the command fails when run",
        arguments: [
            #"{"a":"token","secret":"hunter2canary"#, #"{"key":123hunter2canary}"#,
            #"{password:"hunter2canary"}"#, "[0]=a&password=hunter2canary",
            "{'password':'hunter2canary'}", " \n[INFO] hunter2canary",
        ])
    func brokenJSON(body: String) throws {
        for type in ["application/json", "text/plain", nil] {
            let (redacted, whole) = try Self.withBody(body, type: type)
            #expect(!redacted.contains(Self.canary), "\(redacted)")
            let note =
                "-T '<\(body.utf8.count) bytes of the body are redacted: they are not valid JSON>'"
            #expect(redacted.contains(note), "\(redacted)")
            #expect(whole.contains(Self.canary))
        }
        let (lines, _) = try Self.withBody("\(body)\n{}", type: "application/x-ndjson")
        #expect(!lines.contains(Self.canary))
    }

    @Test("a form is searched as a form, whatever it begins with")
    func formLikeJSON() throws {
        let (redacted, _) = try Self.withBody(
            "[0]=a&password=\(Self.canary)&{b}=c", type: "Application/x-www-form-urlencoded; a=b")
        #expect(redacted.contains("'[0]=a&password=<redacted>&{b}=c'"), "\(redacted)")
    }

    @Test(
        "a secret value continues past semicolons, up to the next name and value",
        arguments: [
            ("token=AAAABBBB;CCCCDDDD&b=2", "token=<redacted>&b=2"),
            ("token=X;Y&b=2", "token=<redacted>&b=2"), ("a=1;token=X;Y", "a=1;token=<redacted>"),
            ("token=X;Y;b=2;Z", "token=<redacted>;b=2;Z"), ("token=X;;Y==&b", "token=<redacted>&b"),
            ("token=X;", "token=<redacted>"), ("b=X;Y", "b=X;Y"), ("token;X", "token;X"),
            ("token=X;key=Y;Z;b=1", "token=<redacted>;key=<redacted>;b=1"), ("", ""), (";", ";"),
            ("\u{301}token=X;\u{301}Y&b", "\u{301}token=<redacted>&b"),
        ])
    func semicolons(items: String, shown: String) throws {
        #expect(Redactor().redacted(items, as: .form) == shown)
        let (redacted, _) = try Self.withBody(items, type: "application/x-www-form-urlencoded")
        #expect(redacted.contains("'\(shown)'"), "\(redacted)")
    }

    @Test("each part of a secret with semicolons is hidden where it is repeated")
    func repeatedPieces() throws {
        let (redacted, _) = try Self.texts("http://a.test/?token=AAAABBBB;CCCCDDDD") {
            $0.setValue("AAAABBBB, then CCCCDDDD", forHTTPHeaderField: "X-Debug")
        }
        #expect(redacted.contains("X-Debug: <redacted>, then <redacted>'"), "\(redacted)")
    }

    @Test("secret items of forms are redacted")
    func form() throws {
        let (redacted, whole) = try Self.withBody(
            "grant_type=refresh_token&refresh_token=\(Self.canary)&client_id=me",
            type: "application/x-www-form-urlencoded")
        #expect(
            redacted.contains("'grant_type=refresh_token&refresh_token=<redacted>&client_id=me'"))
        #expect(whole.contains(Self.canary))
    }

    @Test("a binary or encoded body is left out, and the command fails when run")
    func opaque() throws {
        let binary = try Self.texts {
            $0.httpMethod = "POST"
            $0.httpBody = Data([0x0A, 0x03, 0xFF]) + Data(Self.canary.utf8)
        }
        #expect(binary.redacted.contains("-T '<16 bytes of the body are redacted>'"))
        #expect(!binary.redacted.contains(Self.canary) && binary.whole.contains(Self.canary))
        let coded = try Self.texts {
            $0.httpMethod = "POST"
            $0.httpBody = Data(Self.canary.utf8)
            $0.setValue("identity", forHTTPHeaderField: "Content-Encoding")
        }
        #expect(!coded.redacted.contains(Self.canary) && coded.whole.contains(Self.canary))
    }

    /// Returns texts of about this many bytes.
    private static func hostileTexts(_ size: Int) -> [String] {
        [
            String(repeating: #"{"token":"#, count: size / 9),
            String(repeating: #""token":["#, count: size / 9),
            String(repeating: "\\", count: size), String(repeating: "\"", count: size),
            String(repeating: "token=&", count: size / 7),
            "token=" + String(repeating: ";", count: size),
            "token=" + String(repeating: ";a=", count: size / 3),
            "[{" + String(repeating: #""\u0061":1,"#, count: size / 11) + #""a":1}]"#,
            "[" + String(repeating: #"{"token":1},"#, count: size / 12) + "1]",
        ]
    }

    @Test("hostile bodies of a megabyte are redacted in linear time")
    func hostile() {
        for text in Self.hostileTexts(1_000_000) {
            let shown = Redactor().redacted(text)
            #expect(shown.utf8.count <= text.utf8.count + 1_100_000)
            #expect(!Redactor().redacted(text, as: .form).isEmpty)
        }
    }

    @Test(
        "commands with hostile bodies are redacted in linear time",
        arguments: ["application/json", "application/x-www-form-urlencoded", "text/plain"])
    func hostileCommands(type: String) {
        let redactor = TaskRedactor(credentials: [.test("user", Self.canary)])
        for text in Self.hostileTexts(100_000) {
            let start = ContinuousClock.now
            let command = CURLCommand(
                method: "POST", url: "http://a.test/",
                fields: [Exchange.Field(name: "Content-Type", value: type)],
                body: .data(Data(text.utf8)))
            #expect(!command.redacted(by: redactor).text.isEmpty)
            // This takes one second, or minutes if the time is quadratic.
            #expect(ContinuousClock.now - start < .seconds(30), "\(text.prefix(12))")
        }
    }
}
