public import Bluebonnet
import Dispatch

/// A group of monitors, each of which is called on its own queue.
///
/// A manager or a request adds the monitors of the group one by one.
public struct CompositeEventMonitor: EventMonitor {
    /// The monitors, in the order in which they are called.
    public let monitors: [any EventMonitor]

    /// Creates a group of monitors.
    public init(monitors: [any EventMonitor]) {
        self.monitors = monitors
    }

    /// The events that at least one of the monitors receives.
    public var interests: TaskEvent.Interests {
        monitors.reduce(into: []) { $0.formUnion($1.interests) }
    }

    /// Subscribes each monitor on its own queue.
    public func subscribe(to manager: SessionManager) -> TaskEventSubscription {
        let members = monitors.map { $0.subscribe(to: manager) }
        return manager.addMonitor(interests: [], on: nil, members: members) { _ in }
    }

    /// Passes the events to each monitor on the calling thread.
    public func tasksDidEmit(_ events: [TaskEvent]) {
        for monitor in monitors { monitor.tasksDidEmit(events) }
    }
}
