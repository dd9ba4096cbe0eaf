import BluebonnetChain
import BluebonnetTargets
import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Metrics", .timeLimit(.minutes(2)))
struct MetricsMonitorTests {
    private let stub = StubTransport()
    private let metrics = MetricsMonitor()

    private func manager() -> HTTPSessionManager {
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), transport: stub)
        manager.interceptors = [RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0.001)]
        manager.addMonitor(metrics)
        return manager
    }

    private func get(
        _ manager: HTTPSessionManager, _ path: String, _ options: RequestOptions = .init()
    ) async -> Response<Data> {
        await manager.response(.get, path, serializer: HTTPResponseSerializer(), options: options)
    }

    /// The values of a metric by its labels.
    private func values(_ name: String, in text: String) -> [String: Double] {
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            let rest = line.dropFirst(name.count)
            guard let space = rest.lastIndex(of: " "), rest.first == "{" || rest.first == " " else {
                continue
            }
            values[String(rest[..<space])] = Double(rest[rest.index(after: space)...])
        }
        return values
    }

    @Test("attempts are counted by method, host, status, error and tag, and retries apart")
    func attempts() async {
        stub.on(.get, "/v1/good", .text("abc"))
        stub.on(.get, "/v1/flaky", .status(503), .text("abc"))
        let manager = manager()
        for _ in 0..<3 { _ = await get(manager, "good", .tag("a")) }
        _ = await get(manager, "flaky")
        await manager.shutdown()
        let text = metrics.openMetrics()
        let attempts = values("http_client_attempts_total", in: text)
        let labels = "http_request_method=\"GET\",server_address=\"api.test\",server_port=\"443\""
        #expect(
            attempts == [
                "{\(labels),http_response_status_code=\"200\",tag=\"a\"}": 3,
                "{\(labels),http_response_status_code=\"503\",error_type=\"503\"}": 1,
                "{\(labels),http_response_status_code=\"200\"}": 1,
            ])
        #expect(values("http_client_retries_total", in: text) == ["": 1])
        #expect(
            values("http_client_tasks_total", in: text) == [
                "{outcome=\"success\"}": 4, "{outcome=\"failure\"}": 0,
                "{outcome=\"cancelled\"}": 0,
            ])
        #expect(values("http_client_active_requests", in: text) == ["": 0])
        #expect(text.hasSuffix("# EOF\n"))
    }

    @Test("tasks that have started and not ended are counted, over all managers of the monitor")
    func running() async {
        stub.on(.get, "/v1/slow", .silence)
        let (first, second) = (manager(), manager())
        func count() -> Double? {
            values("http_client_active_requests", in: metrics.openMetrics())[""]
        }
        let unstarted = first.dataTask(.get, "slow")
        let tasks = [first.dataTask(.get, "slow"), second.dataTask(.get, "slow")]
        #expect(count() == 0)
        for task in tasks { task.resume() }
        #expect(count() == 2)
        let third = HTTPSessionManager(transport: stub)
        let subscription = third.addMonitor(metrics)
        third.dataTask(.get, "https://api.test/v1/slow").resume()
        #expect(count() == 3)
        subscription.cancel()
        #expect(count() == 2)
        await first.shutdown(cancelingAfter: .zero)
        #expect(count() == 1)
        await second.shutdown(cancelingAfter: .zero)
        await third.shutdown(cancelingAfter: .zero)
        #expect(count() == 0)
        withExtendedLifetime(unstarted) {}
    }

    @Test("tasks of a session that was reset are running until they end")
    func reset() async {
        stub.on(.get, "/v1/slow", .silence)
        let manager = manager()
        let task = manager.dataTask(.get, "slow").resume()
        manager.invalidate(cancelingTasks: false, resetSession: true)
        manager.invalidate(cancelingTasks: false, resetSession: true)
        #expect(values("http_client_active_requests", in: metrics.openMetrics()) == ["": 1])
        task.cancel()
        await manager.shutdown()
        #expect(values("http_client_active_requests", in: metrics.openMetrics()) == ["": 0])
    }

    @Test("calls that share a request are one attempt, also if each has a span")
    func shared() async {
        let (go, signal) = AsyncStream<Void>.makeStream()
        stub.on(.get, "/v1/a") { _ in
            for await _ in go {}
            return .text("a")
        }
        var configuration = SessionConfiguration.default
        configuration.tracer = TraceContextTracer()
        let session = Session(configuration: configuration, transport: stub)
        session.addMonitor(metrics)
        let provider = TargetProvider<Leaf>(session: session, trackInflights: true)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { _ = try? await provider.request(Leaf()) } }
            while session.tasks.filter({ $0.state == .running }).count < 10 { await Task.yield() }
            signal.finish()
            await group.waitForAll()
        }
        await session.shutdown()
        let text = metrics.openMetrics()
        #expect(stub.requests.count == 1)
        #expect(values("http_client_attempts_total", in: text).values.reduce(0, +) == 1)
        #expect(values("http_client_tasks_total", in: text)["{outcome=\"success\"}"] == 10)
    }

    private struct Leaf: TargetType {
        var baseURL: URL { URL(string: "https://api.test/v1/") ?? URL(filePath: "/") }
        var path: String { "a" }
        var method: HTTPMethod { .get }
        var task: TargetTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    @Test("a server cannot fill the series with its statuses, nor the hosts with redirects")
    func hostileServer() {
        var limits = MetricsMonitor.Limits()
        limits.series = 50
        var table = MetricsTable(buckets: [1], limits: limits)
        func count(_ host: String, _ status: Int, tag: String? = nil) {
            guard let url = URL(string: "http://\(host)/") else { return }
            table.count(
                AttemptAttributes(
                    AttemptSummary(
                        request: URLRequest(url: url),
                        head: ResponseHead(statusCode: status, headers: [:], url: url)),
                    attempt: 1, tag: tag))
        }
        count(String(repeating: "a.", count: 30_000) + "test", 200)
        count("a.test", 200, tag: "t" + String(repeating: "\u{301}", count: 500_000))
        for status in 200...999 { count("a.test", status) }
        #expect(table.series.count == 51)
        #expect(table.series.reduce(0) { $0 + $1.value.attemptCount } == 802)
        for (key, _) in table.series {
            #expect(key.host.utf8.count < 254 && key.tag.utf8.count < 104)
        }
        #expect(table.series.contains { $0.key.host == "other" && $0.key.status == 200 })
        #expect(table.series.contains { $0.key.error == "other" && $0.value.attemptCount > 700 })
    }

    @Test("counts that a transport makes up neither trap nor fall")
    func overflow() {
        var table = MetricsTable(buckets: [1], limits: MetricsMonitor.Limits())
        func attributes(_ count: Int64) -> AttemptAttributes {
            var metrics = Exchange.Metrics()
            (metrics.requestBodyBytes, metrics.responseBodyBytes) = (count, count)
            return AttemptAttributes(
                AttemptSummary(
                    request: nil,
                    metrics: TaskMetrics(
                        exchanges: [metrics, metrics], taskInterval: DateInterval())),
                attempt: 1)
        }
        for count in [Int64.max, .max, .min] { table.count(attributes(count)) }
        #expect(table.series.map(\.value.responseBytes) == [.max])
        #expect(table.series.map(\.value.requestBytes) == [.max])
    }

    @Test("an attempt belongs to the host that it was sent to, before redirects")
    func redirected() async {
        stub.on("https://api.test/v1/a", .redirect(to: "https://b.test/"))
        stub.on("https://b.test/", .text("abc"))
        let manager = manager()
        _ = await get(manager, "a")
        await manager.shutdown()
        let labels = values("http_client_attempts_total", in: metrics.openMetrics()).keys
        #expect(labels.count == 1 && labels.first?.contains("\"api.test\"") == true)
    }

    @Test("a histogram has each value in its bucket and all later ones")
    func buckets() {
        var histogram = MetricsTable.Histogram(3)
        for value in [0.05, 0.1, 0.5, 2, 100] { histogram.add(value, [0.1, 1, 10]) }
        #expect(histogram.counts == [2, 1, 1, 1])
        #expect(histogram.sum == 102.65)
    }

    @Test("buckets of one's own are sorted, and what is no bound is left out")
    func ownBuckets() async {
        stub.on(.get, "/v1/a", .text("a"))
        let metrics = MetricsMonitor(buckets: [5, .nan, -1, .infinity, 0, 1, 5])
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), transport: stub)
        manager.addMonitor(metrics)
        _ = await get(manager, "a")
        await manager.shutdown()
        let text = metrics.openMetrics()
        let bounds = text.matches(of: /duration_seconds_bucket\{.*le="([^"]*)"\} (\d+)/)
            .map { "\($0.1) \($0.2)" }
        #expect(bounds == ["1.0 1", "5.0 1", "+Inf 1"])
    }

    @Test("series are bounded, whatever hosts and tags there are, and nothing is lost")
    func bounds() {
        var table = MetricsTable(buckets: [1], limits: MetricsMonitor.Limits())
        for number in 0..<100_000 {
            let request = URL(string: "http://host\(number).test:\(number % 60_000 + 1)/")
                .map { URLRequest(url: $0) }
            table.count(
                AttemptAttributes(
                    AttemptSummary(
                        request: request, head: nil,
                        error: number % 3 == 0 ? .cancelled(.init()) : nil),
                    attempt: 1, tag: "tag\(number)"))
        }
        #expect(table.series.count < 400)
        #expect(table.series.reduce(0) { $0 + $1.value.attemptCount } == 100_000)
    }

    @Test("over a storm with retries, failures and cancellations, the counts add up")
    func storm() async throws {
        let server = try TestServer()
        let body = String(repeating: "x", count: 100)
        server.on(.get, "/good", .text(body))
        server.on(.get, "/bad", .status(404))
        server.on(.get, "/moved", .redirect(to: "/good"))
        let sent = Locked(0)
        server.on(.get, "/flaky") { _ in
            let isFirst = sent.withLock { count in
                count += 1
                return count % 2 == 1
            }
            return isFirst ? .status(503) : .text(body)
        }
        let manager = HTTPSessionManager(baseURL: server.url)
        manager.interceptors = [RetryPolicy(retryLimit: 5, exponentialBackoffScale: 0.001)]
        manager.addMonitor(metrics)
        let count = StormSize.count
        let outcomes = Locked((success: 0, failure: 0, cancelled: 0, bytes: 0))
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<32 {
                group.addTask {
                    for number in 0..<(count / 32) {
                        let path = ["good", "moved", "bad", "flaky"][(number + worker) % 4]
                        let task = manager.dataTask(
                            method: .get, path: path, serializer: HTTPResponseSerializer()
                        ) { response in
                            outcomes.withLock { outcomes in
                                if response.error == nil {
                                    outcomes.success += 1
                                    outcomes.bytes += body.utf8.count
                                } else if response.error?.isCancelled == true {
                                    outcomes.cancelled += 1
                                } else {
                                    outcomes.failure += 1
                                }
                            }
                        }
                        task.resume()
                        // Some are faster than their cancellation.
                        if number % 7 == 3 { task.cancel() }
                        while task.state != .completed && task.state != .cancelled {
                            await Task.yield()
                        }
                    }
                }
            }
        }
        await manager.shutdown()
        let text = metrics.openMetrics()
        let tasks = values("http_client_tasks_total", in: text)
        let expected = outcomes.withLock { $0 }
        #expect(tasks["{outcome=\"success\"}"] == Double(expected.success))
        #expect(tasks["{outcome=\"failure\"}"] == Double(expected.failure))
        #expect(tasks["{outcome=\"cancelled\"}"] == Double(expected.cancelled))
        #expect(values("http_client_active_requests", in: text) == ["": 0])
        let bytes = values("http_client_response_body_bytes_total", in: text)
            .filter { $0.key.contains("\"200\"") && !$0.key.contains("error_type") }
        // A task can be canceled after its body has arrived.
        let mostBytes = expected.bytes + expected.cancelled * body.utf8.count
        let byteCount = bytes.values.reduce(0, +)
        #expect((Double(expected.bytes)...Double(mostBytes)).contains(byteCount))
        let attempts = values("http_client_attempts_total", in: text).values.reduce(0, +)
        let retries = values("http_client_retries_total", in: text)[""] ?? -1
        // Some are canceled before their first attempt.
        let started = Double(expected.success + expected.failure)
        #expect(attempts - retries >= started)
        #expect(attempts - retries <= started + Double(expected.cancelled))
        let measured = values("http_client_request_duration_seconds_count", in: text)
        #expect(measured.values.reduce(0, +) <= attempts && !measured.isEmpty)
    }

    @Test("requests and bytes are those that the server has counted, with retries and redirects")
    func serverCounts() async throws {
        let server = try TestServer()
        let body = String(repeating: "x", count: 1_000)
        let routes = ["good", "bad", "moved"].map { path in
            server.on(
                .get, "/\(path)",
                path == "good"
                    ? .text(body)
                    : path == "bad"
                        ? .text("no", status: 404)
                        : .redirect(to: "/good"))
        }
        let flaky = server.on(.get, "/flaky", .status(503), .text(body))
        let manager = HTTPSessionManager(baseURL: server.url)
        manager.interceptors = [RetryPolicy(retryLimit: 5, exponentialBackoffScale: 0.001)]
        manager.addMonitor(metrics)
        let count = StormSize.count
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<20 {
                group.addTask {
                    for number in 0..<(count / 20) {
                        let path = ["good", "moved", "bad", "flaky"][(number + worker) % 4]
                        _ = await get(manager, path)
                    }
                }
            }
        }
        await manager.shutdown()
        let text = metrics.openMetrics()
        let (good, bad, moved) = (
            routes[0].requests.count, routes[1].requests.count, routes[2].requests.count
        )
        let flakyCount = flaky.requests.count
        // A redirect and the request that follows are one attempt.
        #expect(
            values("http_client_attempts_total", in: text).values.reduce(0, +)
                == Double(good + bad + flakyCount))
        #expect(good > moved && moved == count / 4 && bad == count / 4)
        let bytes = values("http_client_response_body_bytes_total", in: text).values.reduce(0, +)
        #expect(bytes == Double((good + flakyCount - 1) * 1_000 + bad * 2))
        #expect(values("http_client_retries_total", in: text) == ["": 1])
        #expect(
            values("http_client_tasks_total", in: text) == [
                "{outcome=\"success\"}": Double(count - bad),
                "{outcome=\"failure\"}": Double(bad), "{outcome=\"cancelled\"}": 0,
            ])
    }

    private enum StormSize {
        static let count =
            ProcessInfo.processInfo.environment["BLUEBONNET_LOAD"] == "full" ? 20_000 : 2_000
    }

    @Test(
        "the official parser of OpenMetrics reads the text, with hostile hosts and tags",
        .enabled(if: Python.isInstalled, Python.comment))
    func parser() async throws {
        let tags = [
            "a\"b", "c\\d", "e\nf", "\u{1F600}", String(repeating: "x", count: 100_000), " ",
        ]
        for tag in tags { stub.on(.get, "/v1/\(tag.hashValue)", .text("abc")) }
        let manager = manager()
        for tag in tags {
            _ = await get(manager, "\(tag.hashValue)", .tag(tag))
        }
        _ = await get(manager, "http://xn--bcher-kva.test/")
        _ = await get(manager, "http://[::1]:81/")
        _ = await get(manager, "http://user:pass@HOST.test./a?b#c")
        await manager.shutdown()
        let text = metrics.openMetrics()
        let script = """
            import sys
            from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
            for family in parse(sys.stdin.read()):
                print(family.name, family.type, len(family.samples))
                for sample in family.samples:
                    if sample.name == 'http_client_attempts_total':
                        print(ascii(sample.labels.get('tag', '')), sample.labels['server_address'])
            """
        let output = String(decoding: try Python.run(script, input: text), as: UTF8.self)
        for family in [
            "http_client_request_duration_seconds histogram", "http_client_attempts counter",
            "http_client_tasks counter 3", "http_client_active_requests gauge 1",
        ] {
            #expect(output.contains(family), "\(output)")
        }
        for label in [#"'a"b'"#, #"'c\\d'"#, #"'e\nf'"#, #"'\U0001f600'"#, "::1", "host.test."] {
            #expect(output.contains(label), "\(label) in \(output)")
        }
    }

    // MARK: Gauges

    private let hostileHosts = ["a\"b", "c\\d", "e\nf", "\u{1F600}", "", "::1", "} 1 # {"]

    private func counts(_ host: String, port: Int = 80, waiting: Int) -> ConnectionCounts {
        var counts = ConnectionCounts(scheme: "http", host: host, port: port)
        (counts.active, counts.idle, counts.waiting) = (1, 2, waiting)
        return counts
    }

    @Test(
        "the official parser reads the gauges, with hostile hosts",
        .enabled(if: Python.isInstalled, Python.comment))
    func parsedGauges() throws {
        let budget = RetryBudget()
        for url in ["http://[::1]:81/", "https://user:pass@A.test./b?c"] {
            budget.recordRequest(to: try #require(URL(string: url)))
        }
        let table = MetricsTable(buckets: [1], limits: MetricsMonitor.Limits())
        // Of two transports.
        let counts = (hostileHosts + hostileHosts).map { self.counts($0, waiting: 3) }
        let gauges = MetricsGauges(counts, [budget, RetryBudget()], table: table)
        let script = """
            import sys
            from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse
            for family in parse(sys.stdin.read()):
                for sample in family.samples:
                    labels = [sample.labels.get(label, '') for label in
                        ('server_address', 'server_port', 'http_connection_state')]
                    print(sample.name, float(sample.value), family.type, ascii(labels))
            """
        let output = String(
            decoding: try Python.run(
                script, input: OpenMetricsText(table, runningCount: 0, gauges).text),
            as: UTF8.self)
        let lines = Set(output.split(separator: "\n").map(String.init))
        for host in [
            #"'a"b'"#, #"'c\\d'"#, #"'e\nf'"#, #"'\U0001f600'"#, "''", "'::1'", "'} 1 # {'",
        ] {
            for line in [
                "http_client_open_connections 2.0 gauge [\(host), '80', 'active']",
                "http_client_open_connections 4.0 gauge [\(host), '80', 'idle']",
                "http_client_waiting_requests 6.0 gauge [\(host), '80', '']",
            ] {
                #expect(lines.contains(line), "\(line) in \(output)")
            }
        }
        for server in ["'::1', '81'", "'a.test.', '443'"] {
            for line in [
                "http_client_retry_budget_available 2.0 gauge [\(server), '']",
                "http_client_retry_budget_refusals 0.0 gauge [\(server), '']",
            ] {
                #expect(lines.contains(line), "\(line) in \(output)")
            }
        }
    }

    @Test("gauges are bounded like series, nothing is lost, and counted hosts come first")
    func boundedGauges() {
        var limits = MetricsMonitor.Limits()
        (limits.hosts, limits.series) = (10, 50)
        var table = MetricsTable(buckets: [1], limits: limits)
        table.count(
            AttemptAttributes(
                AttemptSummary(
                    request: URL(string: "http://z.test/").map { URLRequest(url: $0) }, head: nil,
                    error: nil),
                attempt: 1, tag: nil))
        let counts = (0..<10_000).map { self.counts("h\($0 / 100)", port: $0, waiting: 3) }
        let gauges = MetricsGauges(
            (counts + [self.counts("z.test", waiting: 7)]).shuffled(), [], table: table)
        #expect(gauges.connections.count <= 51)
        #expect(gauges.connections.values.reduce(0) { $0 + $1.active } == 10_001)
        let other = MetricsGauges.Server(host: "other", port: 0)
        #expect(gauges.connections[other]?.waiting ?? 0 > 10_000)
        let hosts = MetricsGauges(
            (0..<100).map { self.counts("h\($0)", waiting: 3) }
                + [self.counts("z.test", waiting: 7)],
            [], table: table)
        #expect(Set(hosts.connections.keys.map(\.host)).count == 11)
        #expect(hosts.connections[.init(host: "z.test", port: 80)]?.waiting == 7)
    }

    @Test("the text has the connections of a transport, and the retries that a budget has left")
    func gauges() async throws {
        let server = try TestServer()
        server.on(.get, "/good", .text("abc"))
        server.on(.get, "/bad", .status(503))
        let (transport, budget) = (
            CurlTransport(), RetryBudget(retriesPerRequest: 0, maximumRetries: 1)
        )
        let manager = HTTPSessionManager(baseURL: server.url, transport: transport)
        manager.interceptors = [
            RetryPolicy(retryLimit: 2, exponentialBackoffScale: 0.001, budget: budget)
        ]
        manager.addMonitor(metrics)
        _ = await get(manager, "good")
        _ = await get(manager, "bad")
        var text = await metrics.openMetrics(connectionsOf: [transport], retryBudgets: [budget])
        let labels =
            try "server_address=\"\(#require(server.url.host))\","
            + "server_port=\"\(#require(server.url.port))\""
        let connections = "http_client_open_connections"
        #expect(
            values(connections, in: text) == [
                "{http_connection_state=\"active\",\(labels)}": 0,
                "{http_connection_state=\"idle\",\(labels)}": 1,
            ])
        #expect(values("http_client_waiting_requests", in: text) == ["{\(labels)}": 0])
        #expect(values("http_client_retry_budget_available", in: text) == ["{\(labels)}": 0])
        #expect(values("http_client_retry_budget_refusals", in: text) == ["{\(labels)}": 1])
        await manager.shutdown()
        text = await metrics.openMetrics(connectionsOf: [transport])
        #expect(values(connections, in: text).isEmpty && text.hasSuffix("# EOF\n"))
        #expect(values("http_client_retries_total", in: text) == ["": 1])
    }
}
