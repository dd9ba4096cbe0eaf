import Dispatch
import Foundation
import FoundationNetworking

/// Several monitors as one, each of which is told on its own queue.
///
/// To a manager or a request they are added one by one.
public struct CompositeEventMonitor: EventMonitor {
    /// The monitors, in the order in which they are told.
    public let monitors: [any EventMonitor]

    /// Makes a monitor of several.
    public init(monitors: [any EventMonitor]) {
        self.monitors = monitors
    }

    /// What any of them is told of.
    public var interests: TaskEvent.Interests {
        monitors.reduce(into: []) { $0.formUnion($1.interests) }
    }

    /// Passes what has happened to each, on the thread of the caller.
    public func tasksDidEmit(_ events: [TaskEvent]) {
        for monitor in monitors { monitor.tasksDidEmit(events) }
    }
}
