import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Descriptions as curl commands, run in a shell", .timeLimit(.minutes(10)))
struct CURLPasteTests {
    /// A request that could cause errors in a shell or in curl.
    struct Nasty: Sendable, CustomTestStringConvertible {
        var name: String
        var target = "/x"
        var method = "POST"
        var fields: [String: String] = [:]
        var body: Data?

        var testDescription: String { name }

        func request(_ baseURL: String) throws -> URLRequest {
            var request = URLRequest(url: try #require(URL(string: baseURL + target)))
            request.httpMethod = method
            request.httpBody = body
            for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
            return request
        }
    }

    private static func body(_ name: String, _ text: String) -> Nasty {
        Nasty(name: name, body: Data(text.utf8))
    }

    private static func field(_ name: String, _ fields: [String: String]) -> Nasty {
        Nasty(name: name, method: "GET", fields: fields)
    }

    private static func target(_ name: String, _ target: String) -> Nasty {
        Nasty(name: name, target: target, method: "GET")
    }

    static let requests: [Nasty] = [
        body("single quotes", "it's ''quoted'' and '"),
        body("double quotes and backslashes", #"{"a":"\"\\n\\"}"#),
        body("substitutions", "$(touch pasted) `touch pasted` ${HOME} $HOME"),
        body("history", "!! !$ ^a^b^ !touch"),
        body("lines", "first\nsecond\n\n\ttabbed\\\nlast\n"),
        body("CRLF", "first\r\nsecond\r\n"),
        body("percent signs", "100%s %d %n %% %"),
        body("Unicode", "na\u{EF}ve \u{1F469}\u{200D}\u{1F52C} e\u{301} '\u{301}"),
        body("text in another direction", "a\u{202E}b"),
        body("a control sequence", "\u{1B}]0;title\u{7}\u{3}\u{4}"),
        body("an at sign", "@/etc/passwd"),
        body("a hyphen", "-H x"),
        body("tabs alone", "\ta\t\tb"),
        body("a NUL", "a\u{0}b"),
        body("no bytes", ""),
        Nasty(name: "all bytes", body: Data(0...255)),
        Nasty(name: "a hyphen before other bytes", body: Data([0x2D, 0xFF, 0x27, 0x25, 0x5C])),
        Nasty(name: "digits behind other bytes", body: Data([0xFF, 0x31, 0x32, 0x00, 0x37])),
        Nasty(name: "long text", body: Data(String(repeating: "it's %\n", count: 40_000).utf8)),
        Nasty(name: "middle-sized text", body: Data(repeating: 0x61, count: 99_000)),
        Nasty(
            name: "long bytes",
            body: Data((0..<1_200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) })),
        Nasty(
            name: "a type", method: "PUT", fields: ["Content-Type": "a/b; c=\"d 'e'\""],
            body: Data("x".utf8)),
        Nasty(name: "PATCH", method: "PATCH", body: Data("[]".utf8)),
        Nasty(name: "GET with a body", method: "GET", body: Data("x".utf8)),
        Nasty(name: "DELETE", method: "DELETE"),
        Nasty(name: "OPTIONS", method: "OPTIONS"),
        Nasty(name: "HEAD", method: "HEAD"),
        Nasty(name: "a strange method", method: "it's$`!&|*"),
        Nasty(name: "a method like an option", method: "-o"),
        Nasty(name: "POST without a body"),
        field("empty values", ["X-A": "", "Accept": "", "X-B": "b"]),
        field("quotes in fields", ["X-A": "it's \"$(touch pasted)\" `touch pasted` !! \\"]),
        field("Unicode in fields", ["X-A": "na\u{EF}ve \u{1F469}", "X-Tab": "a\tb"]),
        field(
            "marks in fields", ["X-A": "a\u{202E}b\u{200F}'\u{85}%s\u{9B}2J-", "X-B": "\u{61C}"]),
        field("a field like a file", ["X-A": "@/etc/passwd"]),
        field("codings", ["Accept-Encoding": "gzip;q=1.0, *;q=0"]),
        field("a cookie without a name", ["Cookie": "abc"]),
        field("cookies", ["Cookie": "a=b; c=\"it's\"; d"]),
        field("a long cookie", ["Cookie": "a=" + String(repeating: "b", count: 20_000)]),
        field("a user", ["User-Agent": "me", "Authorization": "Basic dTpw"]),
        field("another host", ["Host": "other.example", "Connection": "close"]),
        target("globs", "/a%5B1-3%5D?x=[1-3]&y={a,b}"),
        target("dots", "/a/../b/./c/%2e%2e/d"),
        target("quotes in the target", "/it's?a='b'&c=$(d)&e=!f"),
        target("no path", ""),
        target("a query alone", "?q"),
        target("a fragment", "/a?b#c'd"),
        target("percent-encoding", "/%27%00%FF%E4?%25=%20+%0A"),
    ]

    /// The parts of a request that must be equal.
    private struct Sent: Equatable {
        var line: String
        var fields: [String]
        var body: [UInt8]

        init(_ request: FixtureRequest) {
            line = "\(request.method) \(request.target)"
            fields = request.headers.map { "\($0.name): \($0.value)" }.sorted()
            body = request.body
        }
    }

    private let server: FixtureServer
    private let manager: HTTPSessionManager

    init() throws {
        server = try FixtureServer { request in
            request.method == "HEAD"
                ? .response(status: 200, headers: [("Content-Length", "4")]) : .text("fine")
        }
        server.recordsRequests = true
        manager = HTTPSessionManager()
    }

    /// Runs a description as a script in a clean environment and returns its output.
    @discardableResult
    private func paste(_ text: String, into shell: String) async throws -> String {
        let directory = try ServerDirectory()
        try #require(text.hasPrefix("$ "))
        try directory.write(String(text.dropFirst(2)), to: "script")
        let child = try await ChildProcess.start(
            "/bin/\(shell)", ["script"], in: directory, output: "output", errors: "errors")
        let status = try await child.wait(seconds: 60)
        #expect(status == 0, "\(shell): \(directory.text(of: "errors"))")
        // No part of the text was executed.
        #expect(!FileManager.default.fileExists(atPath: directory.path(of: "pasted")))
        return directory.text(of: "output")
    }

    private func expectSame(_ task: SessionTask, _ text: String? = nil) async throws {
        let own = Sent(try #require(server.recordedRequests.last))
        let text = text ?? task.cURLDescription(includingSecrets: true)
        for shell in ["bash", "dash"] {
            let count = server.recordedRequests.count
            try await paste(text, into: shell)
            let requests = server.recordedRequests.dropFirst(count)
            #expect(requests.count == 1, "\(shell)")
            let pasted = Sent(try #require(requests.first))
            #expect(pasted.line == own.line, "\(shell)")
            #expect(pasted.fields == own.fields, "\(shell)")
            #expect(pasted.body == own.body, "\(shell)")
        }
    }

    private func run(_ task: SessionTask, _ group: DispatchGroup) async {
        task.resume()
        await group.left()
    }

    @Test("the same request is sent, byte for byte", arguments: requests)
    func same(nasty: Nasty) async throws {
        let group = DispatchGroup()
        manager.completionGroup = group
        let request = try nasty.request(server.baseURL)
        let task = manager.dataTask(with: request, serializer: HTTPResponseSerializer()) { _ in }
        let before = task.cURLDescription(includingSecrets: true)
        await run(task, group)
        #expect(task.error == nil)
        #expect(task.cURLDescription(includingSecrets: true) == before)
        try await expectSame(task)
    }

    @Test("the jar's cookies, credentials and files are sent as by the task")
    func surroundings() async throws {
        let group = DispatchGroup()
        manager.completionGroup = group
        let url = try #require(URL(string: server.baseURL))
        manager.cookieStorage?.store(["a=it's", "b=$(touch pasted)"], from: url)
        server.route("/login") { request in
            request.headers["Authorization"] == nil
                ? .response(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"r\"")])
                : .text("fine")
        }
        manager.didReceiveChallenge = { _, _ in
            .useCredential(
                URLCredential(
                    user: "it's \u{E9}", password: "p:$(touch pasted)", persistence: .forSession))
        }
        let login = Nasty(name: "login", target: "/login", method: "GET")
        let task = manager.dataTask(
            with: try login.request(server.baseURL), serializer: HTTPResponseSerializer()
        ) { _ in }
        await run(task, group)
        #expect(task.error == nil)
        let text = task.cURLDescription(includingSecrets: true)
        #expect(text.contains("-u ") && text.contains("-b "))
        try await expectSame(task)

        let directory = try ServerDirectory()
        let bytes = Data(0...255) + Data("\r\n@it's".utf8)
        let name = "it's a $(touch pasted)\t\u{1B}[2J\u{202E}%n\n-file\u{7}"
        try directory.write(bytes, to: name)
        let upload = manager.uploadTask(
            with: try Nasty(name: "file").request(server.baseURL),
            fromFile: directory.file(name),
            serializer: HTTPResponseSerializer()
        ) { _ in }
        let uploadText = upload.cURLDescription(includingSecrets: true)
        await run(upload, group)
        #expect(upload.error == nil)
        try await expectSame(upload, uploadText)
    }

    @Test("after a redirect, the command has the final request and not the first")
    func redirected() async throws {
        server.route("/from") { _ in
            .response(status: 303, headers: [("Location", "/to?it's=1&$(touch pasted)")])
        }
        let group = DispatchGroup()
        manager.completionGroup = group
        let nasty = Nasty(
            name: "redirected", target: "/from", fields: ["X-A": "a"], body: Data("a=b".utf8))
        let task = manager.dataTask(
            with: try nasty.request(server.baseURL), serializer: HTTPResponseSerializer()
        ) { _ in }
        await run(task, group)
        #expect(task.error == nil && server.recordedRequests.last?.method == "GET")
        try await expectSame(task)
    }

    @Test("Digest credentials from a pasted command are accepted")
    func digest() async throws {
        let httpbin = try await HTTPBinServer()
        let group = DispatchGroup()
        manager.completionGroup = group
        manager.didReceiveChallenge = { _, _ in
            .useCredential(
                URLCredential(user: "us'er", password: "$(id)", persistence: .forSession))
        }
        for algorithm in ["MD5", "SHA-256"] {
            let url = httpbin.url("digest-auth/auth/us'er/$(id)/\(algorithm)")
            let request = URLRequest(url: try #require(URL(string: url)))
            let task = manager.dataTask(
                with: request, serializer: HTTPResponseSerializer()
            ) { _ in }
            await run(task, group)
            #expect(task.error == nil)
            let text = task.cURLDescription(includingSecrets: true)
            #expect(text.contains("--digest"))
            for shell in ["bash", "dash"] {
                let output = try await paste(text, into: shell)
                #expect(output.contains(#""authenticated": true"#), "\(shell): \(output)")
            }
        }
    }

    @Test("a request without a User-Agent is sent without one")
    func anonymous() async throws {
        var configuration = SessionConfiguration()
        configuration.additionalHeaders["User-Agent"] = nil
        let manager = HTTPSessionManager(configuration: configuration)
        let group = DispatchGroup()
        manager.completionGroup = group
        let request = try Nasty(name: "anonymous").request(server.baseURL)
        let task = manager.dataTask(with: request, serializer: HTTPResponseSerializer()) { _ in }
        await run(task, group)
        #expect(server.recordedRequests.last?.headers["User-Agent"] == nil)
        try await expectSame(task)
    }

    @Test("a command without its body fails before it sends anything")
    func missing() async throws {
        let task = manager.uploadTask(
            withStreamedRequest: try Nasty(name: "stream").request(server.baseURL),
            body: { InputStream(data: Data("x".utf8)) }, serializer: HTTPResponseSerializer()
        ) { _ in }
        let directory = try ServerDirectory()
        let text = task.cURLDescription(includingSecrets: true)
        try directory.write(String(text.dropFirst(2)), to: "script")
        let child = try await ChildProcess.start(
            "/bin/dash", ["script"], in: directory, output: "output", errors: "errors")
        #expect(try await child.wait(seconds: 60) == 26)
        #expect(directory.text(of: "errors").contains("the body is missing"))
        #expect(server.recordedRequests.isEmpty)
    }
}
