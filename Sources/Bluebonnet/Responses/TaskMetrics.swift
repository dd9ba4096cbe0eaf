public import BluebonnetTransport
public import Foundation

/// What was measured of a task.
public struct TaskMetrics: Sendable {
    /// One measurement for each exchange: redirect hops in order, the delivered response last.
    public internal(set) var exchanges: [Exchange.Metrics]
    /// From the first `resume()` until the last exchange ended.
    public internal(set) var taskInterval: DateInterval

    /// Makes metrics.
    public init(exchanges: [Exchange.Metrics], taskInterval: DateInterval) {
        self.exchanges = exchanges
        self.taskInterval = taskInterval
    }

    /// How many redirects were followed.
    public var redirectCount: Int { max(0, exchanges.count - 1) }
}
