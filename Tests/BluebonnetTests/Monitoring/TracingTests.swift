import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@Suite("Traces of attempts", .timeLimit(.minutes(1)))
struct TracingTests {
    private let stub = StubTransport()
    private let spans = Recorder<FinishedSpan>()
    private let parent = TraceContext(
        traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", tracestate: "a=1")

    private func manager(
        retries: UInt = 0, _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration.default
        configuration.tracer = TraceContextTracer { [spans] in spans.add($0) }
        change(&configuration)
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://a.test/"), configuration: configuration, transport: stub)
        if retries > 0 {
            manager.interceptors = [
                RetryPolicy(retryLimit: retries, exponentialBackoffScale: 0.001)
            ]
        }
        return manager
    }

    /// What a request has sent.
    private func sent(_ index: Int) -> TraceContext? {
        let headers = stub.requests[index].headers
        return TraceContext(
            traceparent: headers["traceparent"] ?? "", tracestate: headers["tracestate"] ?? "")
    }

    private func get(_ manager: HTTPSessionManager, _ path: String = "x") async {
        _ = await manager.response(.get, path, serializer: HTTPResponseSerializer())
    }

    @Test("a request belongs to the span of the Swift task that sends it")
    func taskLocal() async throws {
        stub.on(.get, "/x", .text("abc"))
        let manager = manager()
        await TraceContext.$current.withValue(parent) { await get(manager) }
        await manager.shutdown()
        let span = try #require(spans.all.first)
        #expect(spans.count == 1 && sent(0) == span.context)
        #expect(span.context.traceID == parent?.traceID && span.context.state == "a=1")
        #expect(span.context.spanID != parent?.spanID && span.parentSpanID == parent?.spanID)
        #expect(span.name == "GET" && span.failure == nil && span.endDate >= span.startDate)
        #expect(span.attributes.statusCode == 200 && span.attributes.host == "a.test")
    }

    @Test("each attempt has a span of its own, below the same parent")
    func retries() async throws {
        stub.on(.get, "/x", .status(503), .text("abc"))
        let manager = manager(retries: 1)
        await TraceContext.$current.withValue(parent) { await get(manager) }
        await manager.shutdown()
        #expect(spans.count == 2 && stub.requests.count == 2)
        #expect(spans.all.map(\.context) == [sent(0), sent(1)])
        #expect(Set(spans.all.map(\.context.spanID)).count == 2)
        #expect(spans.all.allSatisfy { $0.parentSpanID == parent?.spanID })
        #expect(spans.all.map(\.attributes.attempt) == [1, 2])
        #expect(spans.all.map(\.attributes.errorType) == ["503", nil])
        #expect(spans.all.map { $0.failure == nil } == [false, true])
    }

    @Test("without a parent, all attempts of a task are in one new trace")
    func newTrace() async throws {
        stub.on(.get, "/x", .status(503), .text("a"), .text("b"))
        let manager = manager(retries: 1)
        await get(manager)
        await get(manager)
        await manager.shutdown()
        let traces = spans.all.map(\.context.traceID)
        #expect(traces.count == 3 && traces[0] == traces[1] && traces[1] != traces[2])
        #expect(spans.all.allSatisfy { $0.parentSpanID == nil && $0.context.isSampled })
    }

    @Test("a closure, the task's attributes or the request's own field can name the parent")
    func parents() async throws {
        stub.on(.get, "/x", .text("abc"))
        let (first, second, third) = (TraceContext(), TraceContext(), TraceContext())
        let manager = manager { [spans] configuration in
            configuration.tracer = TraceContextTracer(parent: { first }) { spans.add($0) }
        }
        await TraceContext.$current.withValue(parent) { await get(manager) }
        let task = manager.dataTask(.get, "x")
        task.attributes.traceContext = second
        task.resume()
        _ = await manager.response(.get, "x", headers: ["Traceparent": third.traceparent])
        _ = await manager.response(
            .get, "x", headers: ["traceparent": "00-\u{20}", "tracestate": "x=1"])
        await manager.shutdown()
        let ended = spans.all.sorted { $0.startDate < $1.startDate }.map(\.parentSpanID)
        #expect(Set(ended) == [first.spanID, second.spanID, third.spanID] && ended.count == 4)
        #expect(stub.requests.allSatisfy { $0.headers["tracestate"] == nil })
        for request in stub.requests {
            let fields = request.headers.fields.filter { $0.name.lowercased() == "traceparent" }
            #expect(
                fields.count == 1
                    && TraceContext(traceparent: fields[0].value, tracestate: nil) != nil)
        }
    }

    @Test("a redirect of the same origin keeps the fields, and one to another origin does not")
    func redirects() async throws {
        stub.on("https://a.test/x", .redirect(to: "/y"))
        stub.on("https://a.test/y", .redirect(to: "https://b.test/z"))
        stub.on("https://b.test/z", .redirect(to: "https://a.test/end"))
        stub.on("https://a.test/end", .text("abc"))
        let manager = manager()
        await TraceContext.$current.withValue(parent) { await get(manager) }
        await manager.shutdown()
        try #require(stub.requests.count == 4)
        #expect(sent(0) != nil && sent(1) == sent(0) && sent(2) == nil && sent(3) == nil)
        #expect(stub.requests[2].headers["tracestate"] == nil)
        // One span, although the fields were removed on the way.
        #expect(spans.all.map(\.context) == [sent(0)])
        #expect(spans.all.first?.attributes.redirectCount == 3)
    }

    @Test("a hook that leads a redirect elsewhere does not take the fields along")
    func hook() async throws {
        stub.on("https://a.test/x", .redirect(to: "/y"))
        stub.on("https://b.test/z", .text("abc"))
        let manager = manager()
        manager.taskWillPerformHTTPRedirection = { _, _, request in
            var request = request
            request.url = URL(string: "https://b.test/z")
            return request
        }
        await get(manager)
        await manager.shutdown()
        try #require(stub.requests.count == 2)
        #expect(sent(0) != nil && sent(1) == nil)
    }

    @Test("the fields follow to other origins if that is wanted")
    func otherOrigins() async throws {
        stub.on("https://a.test/x", .redirect(to: "https://b.test/z"))
        stub.on("https://b.test/z", .text("abc"))
        let manager = manager { $0.keepsTraceContextAcrossOrigins = true }
        await get(manager)
        await manager.shutdown()
        #expect(sent(1) != nil && sent(1) == sent(0))
    }

    @Test("adapters see the fields, so that signers sign them")
    func adapters() async throws {
        stub.on(.get, "/x", .status(503), .text("abc"))
        let manager = manager(retries: 1)
        let seen = Recorder<String?>()
        manager.interceptors.insert(
            Adapter { request, _, completion in
                seen.add(request.value(forHTTPHeaderField: "traceparent"))
                completion(.success(request))
            }, at: 0)
        await get(manager)
        await manager.shutdown()
        #expect(seen.count == 2 && seen.all == spans.all.map(\.context.traceparent))
    }

    @Test("every span ends once, whatever ends its attempt")
    func ends() async throws {
        stub.on(.get, "/x", .text("abc"))
        let started = Recorder<String>()
        let manager = manager { [spans] in
            $0.tracer = CountingTracer(started: started, base: .init { spans.add($0) })
        }
        manager.interceptors = [
            Adapter { request, _, completion in
                switch request.url?.path {
                case "/refused": completion(.failure(CancellationError()))
                case "/never": break
                default: completion(.success(request))
                }
            }
        ]
        await get(manager)
        await get(manager, "refused")
        await get(manager, "unknown")
        let canceled = manager.dataTask(.get, "never")
        canceled.resume()
        canceled.cancel()
        let unstarted = manager.dataTask(.get, "x")
        unstarted.cancel()
        await manager.shutdown(cancelingAfter: .zero)
        #expect(started.count == 4 && spans.count == 4)
        #expect(Set(started.all) == Set(spans.all.map(\.context.spanID)))
        #expect(spans.all.count { $0.attributes.errorType == "cancelled" } == 1)
    }

    @Test("every span ends once, in any life of a task", arguments: Scenario.all)
    func lives(scenario: Scenario) async throws {
        var scenario = scenario
        let (started, configure) = (Recorder<String>(), scenario.configure)
        scenario.configure = { [spans] in
            configure(&$0)
            $0.tracer = CountingTracer(started: started, base: .init { spans.add($0) })
        }
        _ = try await scenario.account(for: .monitor)
        // A task that was never started, or without any time, has none.
        while spans.count < started.count { await Task.yield() }
        #expect(spans.all.map(\.context.spanID) == started.all)
    }

    @Test("fields of the configuration follow a redirect to another origin no more than a span's")
    func additionalFields() async throws {
        stub.on("https://a.test/x", .redirect(to: "https://b.test/z"))
        stub.on("https://b.test/z", .text("abc"))
        let manager = manager { $0.additionalHeaders["tracestate"] = "a=1" }
        await get(manager)
        await manager.shutdown()
        try #require(stub.requests.count == 2)
        #expect(stub.requests[0].headers["tracestate"] == "a=1")
        #expect(stub.requests[1].headers["tracestate"] == nil)
    }

    @Test("a span that is not sampled is not passed on, but its context is sent")
    func unsampled() async throws {
        stub.on(.get, "/x", .text("abc"))
        let manager = manager()
        await TraceContext.$current.withValue(TraceContext(isSampled: false)) { await get(manager) }
        await manager.shutdown()
        #expect(spans.count == 0 && sent(0)?.isSampled == false)
    }

    @Test("an exporter that blocks holds up no request")
    func slowExporter() async throws {
        stub.on(.get, "/x", .text("abc"))
        let gate = DispatchSemaphore(value: 0)
        let manager = manager {
            $0.tracer = TraceContextTracer { [spans] in
                gate.wait()
                spans.add($0)
            }
        }
        for _ in 0..<10 { await get(manager) }
        #expect(spans.count == 0 && stub.requests.count == 10)
        for _ in 0..<10 { gate.signal() }
        await manager.shutdown()
        #expect(spans.count == 10)
    }

    @Test("a span does not end before it begins, even if the clock is set back")
    func clock() async throws {
        stub.on(.get, "/x", .text("abc"))
        let date = Date(timeIntervalSince1970: 1_000)
        let tracer = TraceContextTracer { [spans] in spans.add($0) }
        let span = tracer.startSpan(
            for: URLRequest(url: try #require(URL(string: "https://a.test/x"))), attempt: 1,
            attributes: TaskAttributes(), at: date)
        span.end(
            AttemptAttributes(AttemptSummary(request: nil), attempt: 1), error: nil,
            at: date.addingTimeInterval(-3_600))
        #expect(spans.all.first?.endDate == date)
    }

    @Test("a log line has the trace to which it belongs")
    func log() async throws {
        stub.on(.get, "/x", .text("abc"))
        let entries = Recorder<LogEntry>()
        let manager = manager()
        manager.addMonitor(LogMonitor { entries.add($0) })
        await get(manager)
        await manager.shutdown()
        let (entry, context) = (try #require(entries.all.first), try #require(sent(0)))
        #expect(entry.message.contains("trace \(context.traceID)"))
        let json = try JSONSerialization.jsonObject(with: Data(entry.line(.json).utf8))
        let fields = try #require(json as? [String: Any])
        #expect(fields["trace_id"] as? String == context.traceID)
        #expect(fields["span_id"] as? String == context.spanID)
    }

    @Test("no secret is in a span")
    func secrets() async throws {
        stub.on(.get, "/x", .status(401))
        let manager = manager()
        for user in ["ann:hush1@", ""] {
            _ = await manager.response(
                .put, "https://\(user)a.test/x?token=hush2#hush3",
                parameters: ["password": "hush4"],
                headers: ["Authorization": "Bearer hush5", "Cookie": "a=hush6"])
        }
        await manager.shutdown()
        #expect(spans.count == 2)
        for span in spans.all {
            #expect(!"\(span.attributes.values) \(span.failure ?? "")".contains("hush"))
        }
    }
}

/// Counts the spans that begin.
private struct CountingTracer: AttemptTracer {
    let started: Recorder<String>
    let base: TraceContextTracer

    func taskWillStart(_ attributes: inout TaskAttributes) { base.taskWillStart(&attributes) }

    func startSpan(
        for request: URLRequest, attempt: Int, attributes: TaskAttributes, at date: Date
    ) -> any AttemptSpan {
        let span = base.startSpan(for: request, attempt: attempt, attributes: attributes, at: date)
        let context = span.fields.first.flatMap {
            TraceContext(traceparent: $0.value, tracestate: nil)
        }
        started.add(context?.spanID ?? "")
        return span
    }
}
