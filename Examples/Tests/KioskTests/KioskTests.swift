import Bluebonnet
import Testing

@testable import Kiosk

@Suite("The kiosk", .timeLimit(.minutes(1)))
struct KioskTests {
    private let spans = Locked<[Span]>([])
    private let log = Locked<[LogEntry]>([])
    private let api = HTTPSessionManager()

    /// Buys a bouquet within a trace, and returns what the shop has answered and measured.
    private func buy(
        _ flower: String, in trace: TraceContext = TraceContext()
    ) async throws -> (text: String, metrics: String) {
        let output = Observation.Output.closures(
            log: { [log] entry in log.withLock { $0.append(entry) } },
            span: { [spans] span in spans.withLock { $0.append(span) } })
        let prices = try Prices(output: output)
        let shop = try Shop(prices: prices.url, output: output)
        let response = await api.response(
            .get, "\(shop.url)bouquets/\(flower)",
            headers: ["traceparent": trace.traceparent], serializer: HTTPResponseSerializer())
        // Attempts are counted soon after their response.
        var metrics = ""
        while !metrics.contains("http_client_tasks_total{outcome=\"success\"} 1"),
            !metrics.contains("http_client_tasks_total{outcome=\"failure\"} 1")
        {
            let page = URLRequest(url: shop.url.appending(path: "metrics"))
            metrics = String(decoding: try await api.data(for: page), as: UTF8.self)
        }
        await shop.stop()
        prices.stop()
        let body = response.data ?? Data()
        return (String(decoding: body, as: UTF8.self), metrics)
    }

    @Test("a trace leads through both services, with a span for each attempt")
    func trace() async throws {
        let trace = TraceContext()
        let (text, _) = try await buy("rose", in: trace)
        #expect(text == "{\"price\":36}")
        let spans = spans.withLock { $0 }
        #expect(spans.count == 5 && spans.allSatisfy { $0.context.traceID == trace.traceID })
        let root = try #require(spans.first { $0.name == "GET /bouquets/:flower" })
        #expect(root.parentSpanID == trace.spanID && root.status == 200)
        let attempts = spans.filter { $0.parentSpanID == root.context.spanID }
        #expect(
            attempts.map(\.status) == [503, 200] && attempts.allSatisfy { $0.service == "shop" })
        let answers = spans.filter { $0.service == "prices" }
        #expect(answers.map(\.parentSpanID) == attempts.map(\.context.spanID))
        #expect(answers.map(\.status) == [503, 200])
        for span in spans { #expect(span.json.contains(trace.traceID)) }
    }

    @Test("each attempt is a line of the log, with its trace")
    func lines() async throws {
        let trace = TraceContext()
        _ = try await buy("tulip", in: trace)
        let entries = log.withLock { $0 }
        #expect(entries.map(\.level) == [.warning, .info])
        #expect(entries.map { $0.attributes?.statusCode } == [503, 200])
        #expect(entries.allSatisfy { $0.attributes?.traceContext?.traceID == trace.traceID })
        #expect(entries.allSatisfy { $0.line(.json).hasPrefix("{\"time\":\"") })
    }

    @Test("a price that the other service does not know is a failure, and is not asked for again")
    func unknown() async throws {
        _ = try await buy("rose")
        #expect(try await buy("nettle").text == "{}")
        #expect(log.withLock { $0.last?.level } == .error)
    }

    @Test(
        "the metrics are those that Prometheus reads",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
    func metrics() async throws {
        let (_, metrics) = try await buy("rose")
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(metrics.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let script = """
            import sys
            from prometheus_client.openmetrics.parser import text_string_to_metric_families
            for family in text_string_to_metric_families(open(sys.argv[1]).read()):
                for sample in family.samples:
                    if sample.name in ("http_client_attempts_total", "http_client_retries_total"):
                        status = sample.labels.get("http_response_status_code", "all")
                        print(sample.name, status, int(sample.value))
            """
        let lines = try Self.output(of: "/usr/bin/python3", ["-c", script, file.path])
        #expect(
            Set(lines.split(separator: "\n")) == [
                "http_client_attempts_total 503 1", "http_client_attempts_total 200 1",
                "http_client_retries_total all 1",
            ])
        #expect(metrics.contains("http_client_open_connections{http_connection_state="))
    }

    @Test("an argument is a port")
    func arguments() {
        #expect(KioskCommand([])?.port == 8080 && KioskCommand(["80"])?.port == 80)
        #expect(KioskCommand(["x"]) == nil && KioskCommand(["80", "81"]) == nil)
    }

    private static func output(of program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        (process.arguments, process.standardOutput) = (arguments, pipe)
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
