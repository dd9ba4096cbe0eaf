import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@Suite("A log of attempts", .timeLimit(.minutes(1)))
struct LogMonitorTests {
    private let stub = StubTransport()
    private let entries = Recorder<LogEntry>()

    private func manager(
        sampling: Double = 1, detail: LogMonitor.Detail = [], retries: UInt = 0
    ) -> HTTPSessionManager {
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), transport: stub)
        if retries > 0 {
            manager.interceptors = [
                RetryPolicy(retryLimit: retries, exponentialBackoffScale: 0.001)
            ]
        }
        manager.addMonitor(
            LogMonitor(sampling: sampling, detail: detail) { [entries] in entries.add($0) })
        return manager
    }

    private func get(
        _ manager: HTTPSessionManager, _ path: String, _ options: RequestOptions = .init()
    ) async -> Response<Data> {
        await manager.response(.get, path, serializer: HTTPResponseSerializer(), options: options)
    }

    /// A message without its time, which differs.
    private func text(_ entry: LogEntry) -> String {
        entry.message.replacing(/\ in \d+ ms/, with: "")
    }

    @Test("a success is one line, with method, URL, status and size")
    func success() async throws {
        stub.on(.get, "/v1/users/7", .text("abc"))
        let manager = manager()
        _ = await manager.response(
            .get, "users/7", serializer: HTTPResponseSerializer(), options: .tag("nightly"))
        await manager.shutdown()
        let entry = try #require(entries.all.first)
        #expect(entries.count == 1 && entry.level == .info && entry.failure == nil)
        #expect(text(entry).hasPrefix("GET https://api.test/v1/users/7 200"))
        #expect(text(entry).hasSuffix(", nightly"))
        #expect(entry.attributes?.host == "api.test" && entry.attributes?.port == 443)
    }

    @Test("the beginning of a body is logged only if that is wanted", arguments: [false, true])
    func bodyExcerpts(areWanted: Bool) async throws {
        stub.on(.get, "/v1/a", .text("card 4111", status: 400))
        let manager = manager(detail: areWanted ? .bodyExcerpts : [])
        _ = await get(manager, "a")
        await manager.shutdown()
        let message = try #require(entries.all.first).message
        #expect(message.contains("the status 400 (Bad Request) is not acceptable"))
        #expect(message.contains("card 4111") == areWanted)
    }

    @Test("a value that cannot be decoded is logged only with excerpts", arguments: [false, true])
    func decodedValues(areWanted: Bool) async throws {
        enum Role: String, Decodable { case admin }
        struct User: Decodable, Sendable { let role: Role }
        stub.on(.get, "/v1/a", .json(["role": "ann@example.com"]))
        let manager = manager(detail: areWanted ? [.events, .bodyExcerpts] : .events)
        _ = try? await manager.get("a", as: User.self)
        await manager.shutdown()
        let messages = entries.all.map(\.message)
        #expect(messages.contains { $0.contains("the body could not be read: role: ") })
        #expect(messages.contains { $0.contains("ann@example.com") } == areWanted)
    }

    @Test("events quote a refused body only with excerpts", arguments: [false, true])
    func eventExcerpts(areWanted: Bool) async {
        stub.on(.get, "/v1/a", .text("card 4111", status: 400))
        let manager = manager(detail: areWanted ? [.events, .bodyExcerpts] : .events, retries: 1)
        _ = await get(manager, "a")
        await manager.shutdown()
        let messages = entries.all.map(\.message)
        #expect(messages.contains { $0.contains("completed: the status 400 (Bad Request)") })
        #expect(messages.contains { $0.contains("card 4111") } == areWanted)
    }

    @Test("a retry is a warning with its delay, and the last failure an error")
    func retries() async {
        stub.on(.get, "/v1/a", .status(503))
        let manager = manager(retries: 1)
        _ = await get(manager, "a")
        await manager.shutdown()
        #expect(entries.all.map(\.level) == [.warning, .error])
        #expect(entries.all.map { $0.retryDelay != nil } == [true, false])
        #expect(entries.all.map { $0.attributes?.attempt } == [1, 2])
        #expect(entries.all.map { $0.attributes?.errorType } == ["503", "503"])
        #expect(entries.all[0].message.contains("again in"))
        #expect(entries.all[1].message.contains("attempt 2"))
    }

    @Test("a cancellation is no error, and a status that is accepted nevertheless is a warning")
    func levels() async {
        stub.on(.get, "/v1/missing", .status(404))
        let manager = manager()
        _ = await manager.response(
            .get, "missing", serializer: HTTPResponseSerializer(acceptableStatusCodes: nil))
        let task = manager.dataTask(.get, "never")
        task.cancel()
        await manager.shutdown()
        #expect(entries.all.map(\.level) == [.warning, .info])
        #expect(entries.all.first?.attributes?.errorType == "404")
        #expect(entries.all.last?.attributes?.errorType == "cancelled")
        #expect(entries.all.last?.attributes?.attempt == 0)
    }

    @Test("a request that cannot be built is logged, too")
    func invalid() async {
        let manager = HTTPSessionManager(transport: stub)
        manager.addMonitor(LogMonitor { [entries] in entries.add($0) })
        _ = await manager.response(.get, "no host")
        await manager.shutdown()
        #expect(entries.all.map(\.level) == [.error])
        #expect(entries.all.first?.attributes?.errorType == "invalid_request")
    }

    @Test(
        "the configuration's redactor hides parts of paths in lines, attributes, commands and errors"
    )
    func redactor() async {
        var configuration = SessionConfiguration()
        configuration.redactor = Redactor(furtherNames: ["X-Account"]) { text in
            text.matches(of: /accounts\/(\d+)/).map { String($0.output.1) }
        }
        configuration.additionalHeaders["X-Account"] = "87654321"
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), configuration: configuration,
            transport: stub)
        stub.on(.get, "/v1/accounts/12345678/a", .text("account 12345678", status: 400))
        let detail: LogMonitor.Detail = [.events, .cURL, .bodyExcerpts]
        manager.addMonitor(LogMonitor(detail: detail) { [entries] in entries.add($0) })
        let error = await get(manager, "accounts/12345678/a").error
        await manager.shutdown()
        #expect("\(error as Any)".contains("[GET https://api.test/v1/accounts/<redacted>/a"))
        #expect(entries.all.contains { $0.attributes?.path == "/v1/accounts/<redacted>/a" })
        #expect(entries.all.contains { $0.cURLCommand?.contains("X-Account") == true })
        for entry in entries.all {
            let line = entry.line(.text)
            #expect(!line.contains("/12345678") && !line.contains("87654321"), "\(line)")
        }
    }

    @Test("no format shows a secret of the URL, the header fields or the body", arguments: [0, 3])
    func secrets(detail: Int) async {
        stub.on(.put, "/v1/login", .status(500))
        let manager = manager(detail: .init(rawValue: detail), retries: 1)
        // The first one is refused, because of the user in its URL.
        for user in ["ann:hush1@", ""] {
            _ = await manager.response(
                .put, "https://\(user)api.test/v1/login?token=hush2#hush3",
                parameters: ["password": "hush4"],
                headers: [
                    "Authorization": "Bearer hush5", "Cookie": "a=hush6", "X-Api-Key": "hush7",
                ])
        }
        await manager.shutdown()
        #expect(entries.all.count { $0.level != .debug } == 3)
        for entry in entries.all {
            for format in [LogMonitor.Format.text, .json] {
                #expect(!entry.line(format).contains("hush"), "\(entry.line(format))")
            }
            for (_, value) in entry.attributes?.values ?? [] {
                #expect(!value.description.contains("hush"))
            }
        }
    }

    @Test("a line stays one line and JSON stays JSON, whatever a tag contains")
    func hostile() async throws {
        stub.on(.get, "/v1/a", .text(""))
        let manager = manager()
        let tag = "a\nerror b\r\u{1b}[2J\u{2028}\"\\\u{0}\u{1F600}"
        _ = await get(manager, "a", .tag(tag))
        await manager.shutdown()
        let entry = try #require(entries.all.first)
        for format in [LogMonitor.Format.text, .json] {
            #expect(!entry.line(format).contains { $0.isNewline || $0 == "\u{1b}" })
        }
        let object = try JSONSerialization.jsonObject(with: Data(entry.line(.json).utf8))
        let fields = try #require(object as? [String: Any])
        #expect(fields["bluebonnet.tag"] as? String == tag)
        #expect(fields["http.response.status_code"] as? Int == 200)
        #expect(fields["server.address"] as? String == "api.test")
        #expect(fields["level"] as? String == "info")
    }

    @Test(
        "a line begins with the date of the manager's clock, to the millisecond",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_764_417_600.125, "2025-11-29T12:00:00.125Z"),
            (951_827_696.9999, "2000-02-29T12:34:56.999Z"), (-0.5, "1969-12-31T23:59:59.500Z"),
            (-62_135_596_800, "0001-01-01T00:00:00.000Z"), (1e15, "1000000000000000.0"),
        ])
    func date(seconds: Double, text: String) async throws {
        stub.on(.get, "/v1/a", .text("a"))
        var configuration = SessionConfiguration.default
        configuration.clock = ManualClock(startingAt: Date(timeIntervalSince1970: seconds))
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), configuration: configuration,
            transport: stub)
        manager.addMonitor(LogMonitor { [entries] in entries.add($0) })
        _ = await get(manager, "a")
        await manager.shutdown()
        let entry = try #require(entries.all.first)
        #expect(entry.line(.text).hasPrefix(text + " info GET https://api.test/v1/a 200"))
        #expect(entry.line(.json).hasPrefix("{\"time\":\"\(text)\",\"level\":\"info\","))
    }

    @Test(
        "a URL that could have a password where its host seems to be is not shown",
        arguments: [
            "https://hush:123#pw@api.test/x", "https://hush?pw@api.test/", "https:///hush@a.test/x",
            "https://ann:hush@api.test/x#hush", "https://hush", "x:hush", "//hush@b.test/x",
        ])
    func odd(text: String) throws {
        let url = try #require(URL(string: text))
        let attributes = AttemptAttributes(
            AttemptSummary(request: URLRequest(url: url)), attempt: 1)
        let isShown = text == "https://hush"
        #expect("\(attributes)".contains("hush") == isShown, "\(attributes)")
    }

    @Test("a monitor that is added twice writes each line twice")
    func twice() async {
        stub.on(.get, "/v1/a", .text("a"))
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), transport: stub)
        let monitor = LogMonitor { [entries] in entries.add($0) }
        for _ in 0..<2 { manager.addMonitor(monitor) }
        _ = await get(manager, "a")
        await manager.shutdown()
        #expect(entries.all.map { $0.attributes?.statusCode } == [200, 200])
    }

    @Test("a sample leaves out successes, and no failure")
    func sampling() async {
        stub.on(.get, "/v1/good", .text("a"))
        stub.on(.get, "/v1/bad", .status(500))
        let manager = manager(sampling: 0.25)
        for _ in 0..<400 { _ = await get(manager, "good") }
        for _ in 0..<20 { _ = await get(manager, "bad") }
        await manager.shutdown()
        let goodCount = entries.all.count { $0.level == .info }
        #expect((60...140).contains(goodCount), "\(goodCount)")
        #expect(entries.all.count { $0.level == .error } == 20)
    }

    @Test("events are logged at the lowest level, if they are wanted")
    func events() async {
        stub.on(.get, "/v1/a", .text("a"))
        let manager = manager(detail: .events)
        _ = await get(manager, "a")
        await manager.shutdown()
        let debug = entries.all.filter { $0.level == .debug }.map(\.message)
        #expect(debug.contains { $0.hasSuffix("receivedHead 200") })
        #expect(entries.all.count { $0.level == .info } == 1)
    }

    @Test("an error has a command to repeat the request, if that is wanted")
    func cURL() async {
        stub.on(.get, "/v1/a", .status(500))
        let manager = manager(detail: .cURL)
        _ = await get(manager, "a")
        await manager.shutdown()
        let entry = entries.all.first
        #expect(entry?.cURLCommand?.contains("https://api.test/v1/a") == true)
        // In a line, it is on one line, and so can be run.
        #expect(entry?.line(.text).contains(" -X GET ") == true, "\(entry?.line(.text) ?? "")")
        #expect(entry?.line(.text).contains("\\n") == false)
    }

    @Test("a file gets a line for each entry")
    func file() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        #expect(FileManager.default.createFile(atPath: path.path, contents: nil))
        defer { try? FileManager.default.removeItem(at: path) }
        stub.on(.get, "/v1/a", .text("a"))
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), transport: stub)
        manager.addMonitor(LogMonitor(to: try FileHandle(forWritingTo: path), format: .json))
        for _ in 0..<3 { _ = await get(manager, "a") }
        await manager.shutdown()
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("{\"time\":\"20") })
    }

    @Test("an output that blocks holds up no task")
    func blocking() async {
        let gate = DispatchSemaphore(value: 0)
        stub.on(.get, "/v1/a", .text("a"))
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), transport: stub)
        manager.addMonitor(
            LogMonitor { [entries] entry in
                gate.wait()
                entries.add(entry)
            })
        for _ in 0..<5 {
            #expect(await get(manager, "a").error == nil)
        }
        #expect(entries.count == 0)
        for _ in 0..<5 { gate.signal() }
        await manager.shutdown()
        #expect(entries.count == 5)
    }
}
