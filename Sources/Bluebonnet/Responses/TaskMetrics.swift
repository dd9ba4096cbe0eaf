public import BluebonnetTransport
public import Foundation

/// What was measured of a task.
public struct TaskMetrics: Sendable {
    /// Behind one reference, because metrics are passed on with every response.
    private final class Storage: Sendable {
        let exchanges: [Exchange.Metrics]
        let taskInterval: DateInterval
        let redirectCount: Int

        init(_ exchanges: [Exchange.Metrics], _ taskInterval: DateInterval, _ redirectCount: Int) {
            self.exchanges = exchanges
            self.taskInterval = taskInterval
            self.redirectCount = redirectCount
        }
    }
    private let storage: Storage

    /// One measurement for each exchange: redirects and challenges in order, the
    /// delivered response last.
    public var exchanges: [Exchange.Metrics] { storage.exchanges }
    /// From the first `resume()` until the last exchange ended.
    public var taskInterval: DateInterval { storage.taskInterval }
    /// How many redirects were followed.
    public var redirectCount: Int { storage.redirectCount }

    /// Makes metrics.
    public init(
        exchanges: [Exchange.Metrics],
        taskInterval: DateInterval,
        redirectCount: Int = 0
    ) {
        storage = Storage(exchanges, taskInterval, redirectCount)
    }
}
