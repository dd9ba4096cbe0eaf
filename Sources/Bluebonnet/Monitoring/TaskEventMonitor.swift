public import Dispatch

/// An observer of the events of a manager's tasks.
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
/// A monitor does not affect tasks. It receives events afterwards, and tasks do not wait for it.
/// Events that it has not received yet wait in memory. ``TaskEvent/Kind/receivedData(_:)`` contains
/// a copy of the data, so a slow monitor should not be interested in it.
/// ``SessionManager/shutdown(cancelingAfter:)`` waits until all events are delivered.
public protocol TaskEventMonitor: Sendable {
    /// The kinds of events that the monitor receives, by default all.
    ///
    /// It is read once, when the monitor is added. Events of kinds that nothing is interested in
    /// cost nothing.
    var interests: TaskEvent.Interests { get }

    /// The queue on which the monitor is called, or nil, the default, for the manager's callback
    /// queue.
    ///
    /// Do not block the callback queue. The property is read once, when the monitor is added.
    /// Batches of one subscription never overlap, even on a concurrent queue.
    var queue: DispatchQueue? { get }

    /// Called with the events since the previous call, in order.
    func tasksDidEmit(_ events: [TaskEvent])

    /// Subscribes to the events of a manager's tasks; ``SessionManager/addMonitor(_:)`` calls it.
    ///
    /// The default subscribes ``tasksDidEmit(_:)`` with the interests and the queue that the
    /// monitor has now.
    func subscribe(to manager: SessionManager) -> TaskEventSubscription
}

extension TaskEventMonitor {
    /// All kinds of events.
    public var interests: TaskEvent.Interests { .all }
    /// Nil, for the manager's callback queue.
    public var queue: DispatchQueue? { nil }

    /// Subscribes with the current interests and queue.
    public func subscribe(to manager: SessionManager) -> TaskEventSubscription {
        manager.audience.add(
            interests: interests, queue: queue ?? manager.callbacks.dispatchQueue,
            handler: tasksDidEmit)
    }
}

extension SessionManager {
    /// Adds a monitor of the manager's tasks, including those that already exist.
    ///
    /// The monitor receives events from now on. The manager retains it until the manager is
    /// released or the subscription is canceled.
    ///
    /// - Parameter monitor: The monitor. It can be added to several managers.
    /// - Returns: The subscription, which can be discarded unless you want to cancel it.
    @discardableResult
    public func addMonitor(_ monitor: some TaskEventMonitor) -> TaskEventSubscription {
        monitor.subscribe(to: self)
    }

    /// Adds a closure that is called with future events of the manager's tasks.
    ///
    /// - Parameters:
    ///   - interests: The kinds of events that the closure receives. The default is all.
    ///   - queue: The queue on which the closure is called. The default, nil, is the manager's
    ///     callback queue, which the closure should not block.
    ///   - handler: Called with the events since the previous call, in order.
    /// - Returns: The subscription, which can be discarded unless you want to cancel it.
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
