public import Dispatch

/// Hears what happens to a manager's tasks.
///
/// ```swift
/// struct SlowTaskLog: TaskEventMonitor {
///     let interests: TaskEvent.Interests = [.collectedMetrics]
///
///     func tasksDidEmit(_ events: [TaskEvent]) {
///         for event in events {
///             guard case .collectedMetrics(let metrics) = event.kind else { continue }
///             if metrics.taskInterval.duration > 1 { print(event.task, metrics.taskInterval) }
///         }
///     }
/// }
///
/// manager.addMonitor(SlowTaskLog())
/// ```
///
/// A monitor changes nothing of what a task does. It has no more than the events, which come after what
/// they tell of, and nothing waits for it.
public protocol TaskEventMonitor: Sendable {
    /// The events that it is told of; default all.
    ///
    /// Asked once, when the monitor is added. An event that nobody is told of costs nothing.
    var interests: TaskEvent.Interests { get }

    /// Where it is told; nil, the default, for the manager's callback queue, which it should not block.
    ///
    /// Asked once, when the monitor is added. A queue should be serial, or batches could overlap.
    var queue: DispatchQueue? { get }

    /// Called with what has happened since the last time, in order.
    func tasksDidEmit(_ events: [TaskEvent])
}

extension TaskEventMonitor {
    public var interests: TaskEvent.Interests { .all }
    public var queue: DispatchQueue? { nil }
}

extension SessionManager {
    /// Tells a monitor what happens to the manager's tasks from now on, also to those that are there.
    ///
    /// The manager holds the monitor until it goes itself, or the subscription is cancelled.
    ///
    /// - Parameter monitor: What is told. The same one may be added to several managers.
    /// - Returns: The subscription; keep it to end it, or discard it.
    @discardableResult
    public func addMonitor(_ monitor: some TaskEventMonitor) -> TaskEventSubscription {
        audience.add(
            interests: monitor.interests, queue: monitor.queue ?? callbacks.dispatchQueue,
            handler: monitor.tasksDidEmit)
    }

    /// Calls a closure with what happens to the manager's tasks from now on.
    ///
    /// - Parameters:
    ///   - interests: The events that it is called with; default all.
    ///   - queue: Where it is called; nil, the default, for the manager's callback queue, which it should
    ///     not block.
    ///   - handler: Called with what has happened since the last time, in order.
    /// - Returns: The subscription; keep it to end it, or discard it.
    @discardableResult
    public func addMonitor(
        of interests: TaskEvent.Interests = .all,
        on queue: DispatchQueue? = nil,
        _ handler: @escaping @Sendable ([TaskEvent]) -> Void
    ) -> TaskEventSubscription {
        audience.add(
            interests: interests, queue: queue ?? callbacks.dispatchQueue, handler: handler)
    }
}
