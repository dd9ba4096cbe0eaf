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
/// A monitor changes nothing of what a task does: it is told afterwards, and tasks do not wait for it. What
/// it has not been told yet waits in memory, and ``TaskEvent/Kind/receivedData(_:)`` holds a copy of the
/// piece, so a slow monitor should not be interested in that. ``SessionManager/shutdown(cancelingAfter:)``
/// waits until everything has been told.
public protocol TaskEventMonitor: Sendable {
    /// The events that it is told of; default all.
    ///
    /// Asked once, when the monitor is added. Events outside of all interests cost nothing.
    var interests: TaskEvent.Interests { get }

    /// Where it is told; nil, the default, for the manager's callback queue, which it should not block.
    ///
    /// Asked once, when the monitor is added. Batches of one
    /// subscription never overlap, whatever the queue.
    var queue: DispatchQueue? { get }

    /// Called with what has happened since the last time, in order.
    func tasksDidEmit(_ events: [TaskEvent])
}

extension TaskEventMonitor {
    /// All of them.
    public var interests: TaskEvent.Interests { .all }
    /// The manager's callback queue.
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
