#if SwiftMetrics
import Bluebonnet
import CoreMetrics

/// The handlers of a series.
struct MetricHandlers: Sendable {
    private let duration: CoreMetrics.Timer
    private let timeToFirstByte: CoreMetrics.Timer
    private let attempts: Counter
    private let requestBytes: Counter
    private let responseBytes: Counter

    init(_ series: AttemptSeries, _ factory: any MetricsFactory) {
        // Always the same names, because some backends refuse series that differ in them.
        let dimensions = [
            ("http.request.method", series.method), ("server.address", series.host),
            ("server.port", "\(series.port)"),
            ("http.response.status_code", series.status > 0 ? "\(series.status)" : ""),
            ("error.type", series.error), ("tag", series.tag),
        ]
        func counter(_ name: String) -> Counter {
            Counter(label: "http.client.\(name)", dimensions: dimensions, factory: factory)
        }
        func timer(_ name: String) -> CoreMetrics.Timer {
            CoreMetrics.Timer(
                label: "http.client.\(name)", dimensions: dimensions, factory: factory)
        }
        duration = timer("request.duration")
        timeToFirstByte = timer("time_to_first_byte")
        attempts = counter("attempts")
        requestBytes = counter("request.body.bytes")
        responseBytes = counter("response.body.bytes")
    }

    /// Records an attempt.
    func record(_ attributes: AttemptAttributes) {
        attempts.increment()
        // A wall clock that jumps must not make a time negative.
        if let duration = attributes.duration { self.duration.recordSeconds(max(0, duration)) }
        if let time = attributes.timeToFirstByte { timeToFirstByte.recordSeconds(max(0, time)) }
        requestBytes.increment(by: max(0, attributes.requestBodyBytes))
        responseBytes.increment(by: max(0, attributes.responseBodyBytes))
    }
}
#endif
