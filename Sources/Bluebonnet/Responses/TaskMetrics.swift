public import BluebonnetTransport
public import Foundation

/// What was measured of a task.
public struct TaskMetrics: Sendable {
    /// One measurement for each exchange: redirects and challenges in order, the
    /// delivered response last.
    public internal(set) var exchanges: [Exchange.Metrics]
    /// From the first `resume()` until the last exchange ended.
    public internal(set) var taskInterval: DateInterval

    /// How many redirects were followed.
    public internal(set) var redirectCount: Int

    /// Makes metrics.
    public init(
        exchanges: [Exchange.Metrics],
        taskInterval: DateInterval,
        redirectCount: Int = 0
    ) {
        self.exchanges = exchanges
        self.taskInterval = taskInterval
        self.redirectCount = redirectCount
    }
}
