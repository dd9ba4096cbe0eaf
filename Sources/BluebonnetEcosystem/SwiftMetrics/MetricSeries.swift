#if SwiftMetrics
import Bluebonnet
import CoreMetrics

/// The handlers of the series that are recorded, and the tasks that run.
struct MetricSeries {
    /// What tells series apart.
    fileprivate struct Labels: Hashable {
        let method: String
        var host: String
        var port: Int
        let status: Int?
        let error: String
        var tag: String

        var dimensions: [(String, String)] {
            // Always the same names, because some backends refuse series that differ in them.
            [
                ("http.request.method", method), ("server.address", host),
                ("server.port", "\(port)"),
                ("http.response.status_code", status.map { "\($0)" } ?? ""), ("error.type", error),
                ("tag", tag),
            ]
        }
    }

    /// The handlers of a series.
    struct Handlers: Sendable {
        private let duration: CoreMetrics.Timer
        private let timeToFirstByte: CoreMetrics.Timer
        private let attempts: Counter
        private let requestBytes: Counter
        private let responseBytes: Counter

        fileprivate init(_ labels: Labels, _ factory: any MetricsFactory) {
            let dimensions = labels.dimensions
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
            requestBytes.increment(by: attributes.requestBodyBytes)
            responseBytes.increment(by: attributes.responseBodyBytes)
        }
    }

    /// The tasks that have started and not ended.
    var running: Set<ObjectIdentifier> = []
    private let factory: any MetricsFactory
    private let limits: MetricsMonitor.Limits
    private var handlers: [Labels: Handlers] = [:]
    private var hosts: Set<String> = []
    private var tags: Set<String> = []

    /// What stands for hosts and tags beyond the limits.
    private static let other = "other"
    /// The longest tag that is kept.
    private static let maximumTagLength = 100

    init(factory: any MetricsFactory, limits: MetricsMonitor.Limits) {
        (self.factory, self.limits) = (factory, limits)
    }

    /// Returns the handlers of an attempt's series, which are created once.
    mutating func handlers(for attributes: AttemptAttributes) -> Handlers {
        let tag = String((attributes.tag ?? "").prefix(Self.maximumTagLength))
        var labels = Labels(
            method: attributes.method, host: attributes.host, port: attributes.port,
            status: attributes.statusCode, error: attributes.errorType ?? "", tag: tag)
        if let known = handlers[labels] { return known }
        if !hosts.contains(labels.host) {
            if hosts.count < limits.hosts {
                hosts.insert(labels.host)
            } else {
                (labels.host, labels.port) = (Self.other, 0)
            }
        }
        if !tag.isEmpty, !tags.contains(tag) {
            if tags.count < limits.tags { tags.insert(tag) } else { labels.tag = Self.other }
        }
        if handlers.count >= limits.series, handlers[labels] == nil {
            (labels.host, labels.port) = (Self.other, 0)
            if !tag.isEmpty { labels.tag = Self.other }
        }
        if let known = handlers[labels] { return known }
        let made = Handlers(labels, factory)
        handlers[labels] = made
        return made
    }
}
#endif
