public import BluebonnetTransport
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
        /// Further ones, and those that are longer than DNS allows, are counted together as `other`.
        public var hosts = 100
        /// The most tags that are counted by themselves, by default 100.
        ///
        /// Further ones are counted together as `other`. Tags are cut after 100 bytes.
        public var tags = 100
        /// The most series, by default 5,000.
        ///
        /// Further ones are counted in one, whose method, host and error are `other`.
        public var series = 5_000

        /// Creates the default limits.
        public init() {}
    }

    /// The upper bounds of a histogram's buckets, from 0.005 to 10 seconds, as OpenTelemetry advises.
    public static let defaultBuckets = [
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]

    /// The kinds of events that the monitor needs.
    public let interests: TaskEvent.Interests = [.endedAttempt, .completed]
    /// The queue on which events are counted.
    public let queue: DispatchQueue? = DispatchQueue(label: "bluebonnet.metrics", qos: .utility)

    private let state: Locked<MetricsTable>
    private let sources = Locked<[Source]>([])

    /// A manager to which the monitor was added.
    private struct Source {
        weak let manager: SessionManager?
        weak let subscription: TaskEventSubscription?

        /// The number of tasks that have started and not ended.
        var runningCount: Int {
            guard let manager, subscription?.isCancelled == false else { return 0 }
            return manager.runningCount
        }
    }

    /// Creates a monitor that has counted nothing.
    ///
    /// - Parameters:
    ///   - buckets: The upper bounds of the buckets for durations, in seconds, by default
    ///     ``defaultBuckets``. They are sorted; what is not a positive number is ignored.
    ///   - limits: The bounds of the memory.
    public init(buckets: [Double] = MetricsMonitor.defaultBuckets, limits: Limits = Limits()) {
        let usable = Set(buckets.filter { $0 > 0 && $0.isFinite }).sorted()
        state = Locked(MetricsTable(buckets: usable, limits: limits))
    }

    /// Subscribes to the events of a manager's tasks, and counts those that are running.
    public func subscribe(to manager: SessionManager) -> TaskEventSubscription {
        let subscription = manager.addMonitor(of: interests, on: queue, tasksDidEmit)
        let held = sources.withLock { sources in
            let held = sources.map { ($0.manager, $0.subscription) }
            sources.removeAll { $0.manager == nil || $0.subscription == nil }
            sources.append(Source(manager: manager, subscription: subscription))
            return held
        }
        // Released outside of the lock, because a manager's deinitializer can use the monitor.
        withExtendedLifetime(held) {}
        return subscription
    }

    /// Counts events.
    public func tasksDidEmit(_ events: [TaskEvent]) {
        for event in events {
            switch event.kind {
            case .endedAttempt(let summary):
                let attributes = summary.attributes(of: event)
                state.withLock { $0.count(attributes) }
            case .completed(let error): state.withLock { $0.end(error) }
            default: break
            }
        }
    }

    /// What was counted, as OpenMetrics text of the type
    /// `application/openmetrics-text; version=1.0.0; charset=utf-8`.
    ///
    /// Events that the monitor has not received yet are not included;
    /// ``SessionManager/shutdown(cancelingAfter:)`` waits for them.
    public func openMetrics() -> String {
        // Written outside of the lock.
        OpenMetricsText(state.withLock { $0 }, runningCount: runningCount).text
    }

    private var runningCount: Int {
        sources.withLock { $0 }.reduce(0) { $0 + $1.runningCount }
    }

    /// What was counted, with gauges of connections and retry budgets, as OpenMetrics text.
    ///
    /// ```swift
    /// let text = await metrics.openMetrics(connectionsOf: [.shared], retryBudgets: [budget])
    /// ```
    ///
    /// Servers that have no connections and no waiting requests at the moment are left out. A
    /// transport counts for all of its managers. Counts for the same host and port are added up, and
    /// hosts beyond the limits are `other`.
    ///
    /// - Parameters:
    ///   - transports: The transports whose connections and waiting requests are counted. Managers
    ///     use ``CurlTransport/shared`` by default.
    ///   - budgets: The budgets whose available and refused retries are counted, by default none.
    /// - Returns: The text of ``openMetrics()`` and the gauges.
    public func openMetrics(
        connectionsOf transports: [CurlTransport], retryBudgets budgets: [RetryBudget] = []
    ) async -> String {
        var counts: [ConnectionCounts] = []
        for transport in transports.unique { counts += await transport.connections() }
        let table = state.withLock { $0 }
        return OpenMetricsText(
            table, runningCount: runningCount, MetricsGauges(counts, budgets.unique, table: table)
        ).text
    }
}

extension Array where Element: AnyObject {
    /// The objects without repetitions.
    fileprivate var unique: [Element] {
        var known: Set<ObjectIdentifier> = []
        return filter { known.insert(ObjectIdentifier($0)).inserted }
    }
}
