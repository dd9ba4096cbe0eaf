import Bluebonnet
import BluebonnetTesting
import CoreMetrics
import Foundation
import MetricsTestKit
import Testing

@testable import BluebonnetEcosystem

@Suite("Metrics with a factory", .timeLimit(.minutes(2)))
struct SwiftMetricsTests {
    private let stub = StubTransport()
    private let metrics = TestMetrics()

    private func manager() -> HTTPSessionManager {
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), transport: stub)
        manager.interceptors = [RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0.001)]
        manager.addMonitor(SwiftMetricsMonitor(factory: metrics))
        return manager
    }

    private func labels(
        _ status: String, error: String = "", tag: String = ""
    ) -> [(String, String)] {
        [
            ("http.request.method", "GET"), ("server.address", "api.test"), ("server.port", "443"),
            ("http.response.status_code", status), ("error.type", error), ("tag", tag),
        ]
    }

    @Test("attempts, times and bytes are recorded by method, host, status, error and tag")
    func attempts() async throws {
        let server = try TestServer()
        server.on(.post, "/good", .text("abc"))
        let manager = HTTPSessionManager(baseURL: server.url)
        manager.addMonitor(SwiftMetricsMonitor(factory: metrics))
        for _ in 0..<3 {
            _ = try await manager.upload(.data(Data("12".utf8)), to: "good", options: .tag("a"))
        }
        await manager.shutdown()
        let series = [
            ("http.request.method", "POST"), ("server.address", "127.0.0.1"),
            ("server.port", "\(server.port)"), ("http.response.status_code", "200"),
            ("error.type", ""), ("tag", "a"),
        ]
        func total(_ name: String) throws -> Int64 {
            try metrics.expectCounter(name, series).totalValue
        }
        #expect(try total("http.client.attempts") == 3)
        #expect(try total("http.client.response.body.bytes") == 9)
        #expect(try total("http.client.request.body.bytes") == 6)
        for name in ["http.client.request.duration", "http.client.time_to_first_byte"] {
            let times = try metrics.expectTimer(name, series).values
            #expect(times.count == 3 && times.allSatisfy { (1..<60_000_000_000).contains($0) })
        }
    }

    @Test("retries and the outcomes of tasks are counted, and no request stays active")
    func outcomes() async throws {
        stub.on(.get, "/v1/good", .text("abc"))
        stub.on(.get, "/v1/flaky", .status(503), .text("abc"))
        stub.on(.get, "/v1/bad", .status(404))
        stub.on(.get, "/v1/never", .silence)
        let manager = manager()
        for path in ["good", "flaky", "bad"] {
            _ = await manager.response(.get, path, serializer: HTTPResponseSerializer())
        }
        let task = manager.dataTask(.get, "never")
        task.resume()
        task.cancel()
        await manager.shutdown()
        func tasks(_ outcome: String) throws -> Int64 {
            try metrics.expectCounter("http.client.tasks", [("outcome", outcome)]).totalValue
        }
        #expect(try tasks("success") == 2 && tasks("failure") == 1 && tasks("cancelled") == 1)
        #expect(try metrics.expectCounter("http.client.retries").totalValue == 1)
        #expect(
            try metrics.expectCounter("http.client.attempts", labels("503", error: "503"))
                .totalValue == 1)
        let active = try metrics.expectMeter("http.client.active_requests")
        #expect(active.lastValue == 0 && active.values.contains { $0 > 0 })
    }

    @Test("handlers are made once a series")
    func handlers() async {
        stub.on(.get, "/v1/good", .text("abc"))
        let factory = CountingFactory()
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/v1/"), transport: stub)
        manager.addMonitor(SwiftMetricsMonitor(factory: factory))
        for _ in 0..<20 {
            _ = await manager.response(.get, "good", serializer: HTTPResponseSerializer())
        }
        await manager.shutdown()
        // Three counters of attempts, three of outcomes, and one of retries.
        let labels = factory.made.all
        #expect(labels.count == 10 && labels.filter { $0 == "http.client.attempts" }.count == 1)
    }

    @Test("100,000 hosts and tags make no more series than the limits allow")
    func bounds() throws {
        var limits = MetricsMonitor.Limits()
        limits.hosts = 10
        limits.tags = 10
        let monitor = SwiftMetricsMonitor(factory: metrics, limits: limits)
        for number in 0..<100_000 {
            let url = try #require(URL(string: "https://host\(number).test/"))
            let attributes = AttemptAttributes(
                AttemptSummary(request: URLRequest(url: url)), attempt: 1, tag: "tag\(number)")
            monitor.handlers(for: attributes).record(attributes)
        }
        #expect(metrics.timers.count <= 2 * 121)
        let attempts = metrics.counters.filter { $0.label == "http.client.attempts" }
        #expect(attempts.reduce(0) { $0 + $1.totalValue } == 100_000)
        #expect(attempts.contains { $0.dimensions.contains { $0 == ("tag", "other") } })
    }

    @Test("the number of series is bounded by itself")
    func seriesBound() throws {
        var limits = MetricsMonitor.Limits()
        limits.series = 10
        let monitor = SwiftMetricsMonitor(factory: metrics, limits: limits)
        for number in 0..<100 {
            let url = try #require(URL(string: "https://host\(number).test/"))
            let attributes = AttemptAttributes(
                AttemptSummary(request: URLRequest(url: url)), attempt: 1)
            monitor.handlers(for: attributes).record(attributes)
        }
        #expect(metrics.timers.count == 2 * 11)
    }

    @Test("no label has a secret")
    func secrets() async {
        await Secrets.send(with: manager(), stub)
        let labels = (metrics.counters.map(\.dimensions) + metrics.timers.map(\.dimensions))
            .joined()
        #expect(labels.contains { $0 == ("error.type", "401") })
        #expect(!labels.contains { "\($0)".contains(Secrets.secret) })
    }
}

/// A factory that notes which handlers it makes.
private final class CountingFactory: MetricsFactory {
    let made = Recorder<String>()
    private let metrics = TestMetrics()

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        made.add(label)
        return metrics.makeCounter(label: label, dimensions: dimensions)
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        made.add(label)
        return metrics.makeMeter(label: label, dimensions: dimensions)
    }

    func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        made.add(label)
        return metrics.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        made.add(label)
        return metrics.makeTimer(label: label, dimensions: dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
}
