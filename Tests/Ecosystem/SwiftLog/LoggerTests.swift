import Bluebonnet
import BluebonnetEcosystem
import BluebonnetTesting
import Foundation
import InMemoryLogging
import Logging
import Testing

@Suite("A log monitor with a logger", .timeLimit(.minutes(1)))
struct LoggerTests {
    private let stub = StubTransport()
    private let handler = InMemoryLogHandler()

    private func manager(
        level: Logger.Level = .trace, detail: LogMonitor.Detail = [], retries: UInt = 0
    ) -> HTTPSessionManager {
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), transport: stub)
        manager.interceptors = [RetryPolicy(retryLimit: retries, exponentialBackoffScale: 0.001)]
        var logger = Logger(label: "test") { [handler] _ in handler }
        logger.logLevel = level
        manager.addMonitor(LogMonitor(logger: logger, detail: detail))
        return manager
    }

    @Test("a success is logged as info, with a short message and metadata in OpenTelemetry's names")
    func success() async throws {
        stub.on(.post, "/v1/users", .text("abc", status: 201))
        let manager = manager()
        _ = await manager.response(
            .post, "users", parameters: ["a": 1], serializer: HTTPResponseSerializer(),
            options: .tag("nightly"))
        await manager.shutdown()
        let entry = try #require(handler.entries.first)
        #expect(handler.entries.count == 1 && entry.level == .info)
        #expect(entry.message == "POST api.test 201")
        var metadata = entry.metadata
        let duration = metadata.removeValue(forKey: "http.client.request.duration")
        #expect(duration.flatMap { Double("\($0)") } != nil)
        let size = metadata.removeValue(forKey: "http.request.body.size")
        #expect(size.flatMap { Int("\($0)") } != nil)
        metadata["network.protocol.version"] = nil
        #expect(
            metadata == [
                "http.request.method": "POST", "url.full": "https://api.test/v1/users",
                "server.address": "api.test",
                "server.port": "443", "http.response.status_code": "201",
                "http.response.body.size": "3", "bluebonnet.connection.reused": "false",
                "bluebonnet.tag": "nightly",
            ])
    }

    @Test("a retry is logged as a warning with its delay, and the last failure as an error")
    func retries() async throws {
        stub.on(.get, "/v1/a", .status(503))
        let manager = manager(retries: 1)
        _ = await manager.response(.get, "a", serializer: HTTPResponseSerializer())
        await manager.shutdown()
        let entries = handler.entries
        #expect(entries.map(\.level) == [.warning, .error])
        #expect(entries.map { $0.metadata["bluebonnet.retry.delay"] != nil } == [true, false])
        #expect(entries.map { $0.metadata["http.request.resend_count"] } == [nil, "1"])
        #expect(entries.map { $0.metadata["error.type"] } == ["503", "503"])
        #expect(entries.allSatisfy { $0.metadata["error.message"] != nil })
    }

    @Test("a failure without a response has the kind of error in its message")
    func failure() async {
        stub.on(.get, "/v1/a", .failure(.timedOut))
        let manager = manager()
        _ = await manager.response(.get, "a", serializer: HTTPResponseSerializer())
        await manager.shutdown()
        #expect(handler.entries.map(\.message) == ["GET api.test timeout"])
    }

    @Test("a level that the logger does not log writes nothing")
    func level() async {
        stub.on(.get, "/v1/a", .text("abc"))
        let manager = manager(level: .warning)
        _ = await manager.response(.get, "a", serializer: HTTPResponseSerializer())
        await manager.shutdown()
        #expect(handler.entries.isEmpty)
    }

    @Test("events are logged for debugging where they are asked for")
    func events() async {
        stub.on(.get, "/v1/a", .text("abc"))
        let manager = manager(detail: .events)
        _ = await manager.response(.get, "a", serializer: HTTPResponseSerializer())
        await manager.shutdown()
        let debugged = handler.entries.filter { $0.level == .debug }
        #expect(debugged.count > 3 && debugged.allSatisfy { $0.metadata.isEmpty })
    }

    @Test("a line break in a value is escaped")
    func lineBreak() async {
        stub.on(.get, "/v1/a", .text("abc"))
        let manager = manager()
        _ = await manager.response(
            .get, "a", serializer: HTTPResponseSerializer(), options: .tag("a\nb\u{1B}[2J"))
        await manager.shutdown()
        #expect(handler.entries.map { $0.metadata["bluebonnet.tag"] } == ["a\\nb\\u{1B}[2J"])
    }

    @Test("neither messages nor metadata have secrets")
    func secrets() async {
        let manager = manager(detail: [.events, .cURL])
        await Secrets.send(with: manager, stub)
        #expect(handler.entries.filter { $0.level != .debug }.count == 5)
        #expect(!handler.entries.contains { "\($0)".contains(Secrets.secret) })
    }
}
