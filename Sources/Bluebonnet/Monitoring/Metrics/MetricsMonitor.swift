import BluebonnetTransport
public import Dispatch
import Foundation

/// A monitor that counts and measures requests, and writes the result as OpenMetrics text.
///
/// ```swift
/// let metrics = MetricsMonitor()
/// api.addMonitor(metrics)
/// // For `GET /metrics` of your service:
/// let text = metrics.openMetrics()
/// ```
///
/// A series is kept for each combination of method, host, port, status, error and tag, up to a limit.
public final class MetricsMonitor: TaskEventMonitor {
    /// The bounds of the memory that the series take.
    public struct Limits: Sendable, Hashable {
        /// The most hosts that are counted by themselves, by default 100.
        ///
        /// Further ones are counted together as `other`.
        public var hosts = 100
        /// The most tags that are counted by themselves, by default 100.
        ///
        /// Further ones are counted together as `other`.
        public var tags = 100
        /// The most series, by default 5,000.
        ///
        /// Further ones have host and tag `other`.
        public var series = 5_000

        /// Creates the default limits.
        public init() {}
    }

    /// The upper bounds of a histogram's buckets for seconds, which OpenTelemetry advises.
    public static let usualBuckets = [
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]

    /// The kinds of events that the monitor needs.
    public let interests: TaskEvent.Interests = [.started, .endedAttempt, .willRetry, .completed]
    /// The queue on which events are counted.
    public let queue: DispatchQueue? = DispatchQueue(label: "bluebonnet.metrics", qos: .utility)

    private let state: Locked<MetricsTable>

    /// Creates a monitor that has counted nothing.
    ///
    /// - Parameters:
    ///   - buckets: The upper bounds of the buckets for durations, in seconds, by default
    ///     ``usualBuckets``. They are sorted; what is not a positive number is ignored.
    ///   - limits: The bounds of the memory.
    public init(buckets: [Double] = MetricsMonitor.usualBuckets, limits: Limits = Limits()) {
        let usable = Set(buckets.filter { $0 > 0 && $0.isFinite }).sorted()
        state = Locked(MetricsTable(buckets: usable, limits: limits))
    }

    /// Counts events.
    public func tasksDidEmit(_ events: [TaskEvent]) {
        for event in events {
            let key = ObjectIdentifier(event.task.delegate)
            switch event.kind {
            case .started: state.withLock { $0.begin(key) }
            case .endedAttempt(let summary):
                let attributes = summary.attributes(of: event)
                state.withLock { $0.count(attributes) }
            case .willRetry: state.withLock { $0.retryCount += 1 }
            case .completed(let error): state.withLock { $0.end(key, error) }
            default: break
            }
        }
    }

    /// What was counted, as OpenMetrics text (`application/openmetrics-text; version=1.0.0`).
    ///
    /// Events that the monitor has not received yet are not included;
    /// ``SessionManager/shutdown(cancelingAfter:)`` waits for them.
    public func openMetrics() -> String {
        // Written outside of the lock.
        let table = state.withLock { $0 }
        return OpenMetricsText(table).text
    }
}
