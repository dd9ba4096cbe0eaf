#if SwiftMetrics
public import Bluebonnet
public import CoreMetrics
public import Dispatch

/// A monitor that records what happens with the handlers of a `MetricsFactory`.
///
/// ```swift
/// api.addMonitor(SwiftMetricsMonitor())
/// ```
///
/// The names are those of ``MetricsMonitor`` with dots, such as `http.client.request.duration`. All
/// series of a name have the same labels; one that does not apply is empty. Series are bounded, and
/// each has handlers of its own, which are created with its first attempt and never destroyed.
public final class SwiftMetricsMonitor: TaskEventMonitor {
    /// The kinds of events that the monitor needs.
    public let interests: TaskEvent.Interests = [.started, .endedAttempt, .completed]
    /// The queue on which events are recorded.
    public let queue: DispatchQueue? = DispatchQueue(
        label: "bluebonnet.swift-metrics", qos: .utility)

    private struct State {
        var bounds: BoundedSeries
        var handlers: [AttemptSeries: MetricHandlers] = [:]
        /// The tasks that have started and not ended.
        var running: Set<ObjectIdentifier> = []
    }

    private let state: Locked<State>
    private let factory: any MetricsFactory
    private let retries: Counter
    private let running: Meter
    private let (successes, failures, cancels): (Counter, Counter, Counter)

    /// Creates a monitor.
    ///
    /// - Parameters:
    ///   - factory: Makes the handlers, by default that of the `MetricsSystem`, which must have been
    ///     bootstrapped.
    ///   - limits: The bounds of the series.
    public init(
        factory: any MetricsFactory = MetricsSystem.factory,
        limits: MetricsMonitor.Limits = MetricsMonitor.Limits()
    ) {
        func tasks(_ outcome: String) -> Counter {
            Counter(
                label: "http.client.tasks", dimensions: [("outcome", outcome)], factory: factory)
        }
        state = Locked(State(bounds: BoundedSeries(limits: limits)))
        self.factory = factory
        retries = Counter(label: "http.client.retries", factory: factory)
        running = Meter(label: "http.client.active_requests", factory: factory)
        (successes, failures, cancels) = (tasks("success"), tasks("failure"), tasks("cancelled"))
    }

    /// Records events.
    public func tasksDidEmit(_ events: [TaskEvent]) {
        for event in events {
            let key = ObjectIdentifier(event.task.delegate)
            switch event.kind {
            case .started:
                if state.withLock({ $0.running.insert(key).inserted }) { running.increment() }
            case .endedAttempt:
                guard let attributes = event.attemptAttributes else { break }
                if attributes.attempt > 1 { retries.increment() }
                // What another task has sent, that one counts.
                if !attributes.isShared { handlers(for: attributes).record(attributes) }
            case .completed(let error):
                // A task that was canceled before it started has not been counted.
                if state.withLock({ $0.running.remove(key) }) != nil { running.decrement() }
                switch error {
                case nil: successes.increment()
                case let error? where error.isCancelled: cancels.increment()
                case _?: failures.increment()
                }
            default: break
            }
        }
    }

    /// Returns the handlers of an attempt's series, which are made once.
    func handlers(for attributes: AttemptAttributes) -> MetricHandlers {
        let (series, known) = state.withLock { state in
            let series = state.bounds.series(for: attributes)
            return (series, state.handlers[series])
        }
        if let known { return known }
        // Made outside of the lock, because the factory is the caller's.
        let made = MetricHandlers(series, factory)
        return state.withLock { state in
            let handlers = state.handlers[series] ?? made
            state.handlers[series] = handlers
            return handlers
        }
    }
}
#endif
