import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Secrets in descriptions as curl commands (A-C2)", .timeLimit(.minutes(5)))
struct CURLRedactionTests {
    private static let canary = "hunter2canary"

    /// The description of a task that has not started, with and without secrets.
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
        "values of secret names are redacted in fields, cookies and queries, unless asked for",
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

    @Test("names that are escaped, nested or between semicolons are recognized")
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

    @Test("a login in a URL is redacted")
    func login() {
        let command = CURLCommand(method: "GET", url: "http://user:\(Self.canary)@a.test/@b?c=d@e")
        let text = command.redacted(by: Redactor()).text
        #expect(text.hasSuffix("'http://<redacted>@a.test/@b?c=d@e'"), "\(text)")
    }

    @Test(
        "secret members of JSON are redacted, whatever their values are",
        arguments: [
            (#"{"name":"a","password":"#, #""hunter2canary","b":[1]}"#, #""<redacted>","b":[1]}"#),
            (
                #"{"token" : "#, #"{"a":"}","b":["hunter2canary"]} , "c":2}"#,
                #""<redacted>" , "c":2}"#
            ),
            (#"[{"otp":"#, #"[["hunter2canary"]]}]"#, #""<redacted>"}]"#),
            (#"{"pass\u0077ord":"#, #""\"hunter2canary"}"#, #""<redacted>"}"#),
            (#"{"a":"token","secret":"#, "\"hunter2canary", #""<redacted>""#),
            (#"{"pin":"1","key":"#, "123hunter2canary}", #""<redacted>"}"#),
        ])
    func json(start: String, value: String, shown: String) throws {
        for type in ["application/json", "application/vnd.api+json; v=1", nil] {
            let (redacted, whole) = try Self.withBody(start + value, type: type)
            #expect(redacted.contains("'\(start)\(shown)'"), "\(redacted)")
            #expect(whole.contains(Self.canary))
        }
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

    @Test("a body that is not text, or is coded, is left out, and the command fails when pasted")
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

    @Test("hostile bodies of a megabyte are redacted in linear time")
    func hostile() {
        for text in [
            String(repeating: #"{"token":"#, count: 120_000),
            String(repeating: #""token":["#, count: 120_000),
            String(repeating: "\\", count: 1_000_000), String(repeating: "\"", count: 1_000_000),
            String(repeating: "token=&", count: 150_000),
        ] {
            #expect(text.redactingMembers().utf8.count <= text.utf8.count + 1_000_000)
            #expect(!text[...].redactingItems().isEmpty)
        }
    }
}
