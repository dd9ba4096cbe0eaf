import Bluebonnet
import BluebonnetEcosystem
import BluebonnetTesting
import Foundation
import InMemoryTracing
import Testing
import Tracing

@Suite("Spans of attempts", .timeLimit(.minutes(1)))
struct DistributedTracerTests {
    private let stub = StubTransport()
    private let tracer = InMemoryTracer()

    private func manager() -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.tracer = DistributedTracer(tracer)
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), configuration: configuration,
            transport: stub)
        manager.interceptors = [RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0.001)]
        return manager
    }

    @Test("each attempt has a client span below the caller's, whose context is sent with it")
    func attempts() async throws {
        stub.on(.get, "/v1/a", .status(503), .text("abc"))
        let manager = manager()
        let parent = await tracer.withSpan("parent") { span in
            _ = await manager.response(.get, "a", serializer: HTTPResponseSerializer())
            return span.spanID
        }
        await manager.shutdown()
        let spans = tracer.finishedSpans.filter { $0.operationName == "GET" }
        try #require(spans.count == 2)
        #expect(spans.allSatisfy { $0.kind == .client && $0.parentSpanID == parent })
        #expect(
            stub.requests.map { $0.headers[InMemoryTracer.spanIDKey] } == spans.map(\.spanID))
        #expect(
            stub.requests.map { $0.headers[InMemoryTracer.traceIDKey] } == spans.map(\.traceID))
        #expect(spans[0].status?.code == .error && spans[1].status == nil)
        #expect(spans[0].attributes.get("error.type") == .string("503"))
        #expect(spans[1].attributes.get("http.response.status_code") == .int64(200))
        #expect(spans[1].attributes.get("http.request.resend_count") == .int64(1))
        #expect(spans[1].attributes.get("server.address") == .string("api.test"))
        #expect(spans[1].attributes.get("url.full") == .string("https://api.test/v1/a"))
        #expect(
            spans.allSatisfy {
                $0.startInstant.nanosecondsSinceEpoch <= $0.endInstant.nanosecondsSinceEpoch
            })
    }

    @Test("a span does not end before it begins, even if the clock is set back")
    func clock() throws {
        let date = Date(timeIntervalSince1970: 1_000)
        let span = DistributedTracer(tracer).startSpan(
            for: URLRequest(url: try #require(URL(string: "https://a.test/x"))), attempt: 1,
            attributes: TaskAttributes(), at: date)
        span.end(
            AttemptAttributes(AttemptSummary(request: nil), attempt: 1), error: nil,
            at: date.addingTimeInterval(-900))
        let finished = try #require(tracer.finishedSpans.first)
        let ends = finished.endInstant.nanosecondsSinceEpoch
        #expect(ends >= finished.startInstant.nanosecondsSinceEpoch)
    }

    @Test("without a parent, each attempt begins a trace")
    func noParent() async {
        stub.on(.get, "/v1/a", .text("abc"))
        let manager = manager()
        _ = await manager.response(.get, "a", serializer: HTTPResponseSerializer())
        await manager.shutdown()
        #expect(tracer.finishedSpans.map(\.parentSpanID) == [nil])
    }

    @Test("a redirect to another origin does not receive the context")
    func redirect() async {
        stub.on(.get, "/v1/a", .redirect(to: "https://other.test/b"))
        stub.on(.get, "/b", .text("abc"))
        let manager = manager()
        _ = await manager.response(.get, "a", serializer: HTTPResponseSerializer())
        await manager.shutdown()
        #expect(
            stub.requests.map { $0.headers[InMemoryTracer.traceIDKey] != nil } == [true, false])
        #expect(tracer.finishedSpans.count == 1)
    }

    @Test("a failure is the status of its span, and a request in flight ends with the manager")
    func failure() async {
        stub.on(.get, "/v1/a", .failure(.timedOut))
        stub.on(.get, "/v1/b", .silence)
        let manager = manager()
        _ = await manager.response(
            .post, "a", serializer: HTTPResponseSerializer())
        let task = manager.dataTask(.get, "b")
        task.resume()
        task.cancel()
        await manager.shutdown()
        #expect(tracer.finishedSpans.count == 2 && tracer.activeSpans.isEmpty)
        #expect(tracer.finishedSpans.allSatisfy { $0.status?.code == .error })
        #expect(tracer.finishedSpans.allSatisfy { $0.status?.message?.isEmpty == false })
    }

    @Test("the message of a refused response is the reason, without its body")
    func refusal() async {
        stub.on(.get, "/v1/a", .text("card 4111", status: 400))
        let manager = manager()
        _ = await manager.response(.get, "a", serializer: HTTPResponseSerializer())
        await manager.shutdown()
        #expect(
            tracer.finishedSpans.map(\.status?.message) == [
                "the status 400 (Bad Request) is not acceptable; accepted: 200–299"
            ])
    }

    @Test("neither attributes nor statuses of spans have secrets")
    func secrets() async {
        await Secrets.send(with: manager(), stub)
        #expect(tracer.finishedSpans.count >= 4)
        for span in tracer.finishedSpans {
            var texts = ["\(span.operationName) \(String(describing: span.status))"]
            span.attributes.forEach { texts.append("\($0) \($1)") }
            #expect(!texts.contains { $0.contains(Secrets.secret) })
            #expect(span.errors.isEmpty && span.events.isEmpty)
        }
    }
}
