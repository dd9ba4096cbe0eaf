import Bluebonnet
import BluebonnetTesting

/// What a service lets its operators see of the requests that it sends and answers.
///
/// The same for every service, so that a new one begins with `Observation(of: "name", …)`.
struct Observation: Sendable {
    let service: String
    let metrics = MetricsMonitor()
    let budget = RetryBudget()
    /// Called with each line of the log and each span.
    let output: Output

    enum Output: Sendable {
        case none
        case standardError
        case closures(
            log: @Sendable (LogEntry) -> Void, span: @Sendable (Span) -> Void)
    }

    /// Creates a manager whose requests are logged, measured, traced, and repeated if a server is
    /// busy.
    func manager(baseURL: URL) -> HTTPSessionManager {
        var configuration = SessionConfiguration.default
        configuration.tracer = TraceContextTracer { end(Span(service, $0)) }
        let manager = HTTPSessionManager(baseURL: baseURL, configuration: configuration)
        manager.interceptors = [
            RetryPolicy(retryLimit: 2, exponentialBackoffScale: 0.05, budget: budget)
        ]
        manager.addMonitor(metrics)
        switch output {
        case .none: break
        case .standardError: manager.addMonitor(LogMonitor(format: .json))
        case .closures(let log, _): manager.addMonitor(LogMonitor(output: log))
        }
        return manager
    }

    /// Answers a request within a span, below the one that the request names.
    func answer(
        _ request: StubRequest, _ name: String,
        _ work: @Sendable () async throws -> (status: Int, text: String)
    ) async -> StubResponse {
        let incoming = TraceContext(
            traceparent: request.headers["traceparent"], tracestate: request.headers["tracestate"])
        let own = incoming?.makeChild() ?? TraceContext()
        let start = Date.now
        let (status, text) =
            await TraceContext.$current.withValue(own) { try? await work() } ?? (502, "{}")
        end(
            Span(
                service: service, name: name, context: own, parentSpanID: incoming?.spanID,
                seconds: Date.now.timeIntervalSince(start), status: status))
        return .text(text, type: "application/json", status: status)
    }

    /// The answer to `GET /metrics`.
    func metricsText() async -> String {
        await metrics.openMetrics(connectionsOf: [.shared], retryBudgets: [budget])
    }

    private func end(_ span: Span) {
        switch output {
        case .none: break
        case .standardError: FileHandle.standardError.write(Data("\(span.json)\n".utf8))
        case .closures(_, let tell): tell(span)
        }
    }
}
