import Dispatch
import Foundation
import FoundationNetworking

/// Several monitors as one; each is told on its own queue.
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

    /// Passes what has happened to each.
    public func tasksDidEmit(_ events: [TaskEvent]) {
        for monitor in monitors {
            let queue: DispatchQueue = monitor.queue
            guard queue !== EventMonitorQueue.managers else {
                monitor.tasksDidEmit(events)
                continue
            }
            queue.async { monitor.tasksDidEmit(events) }
        }
    }
}
