public import BluebonnetTransport
public import Foundation

/// What was measured of a task.
public struct TaskMetrics: Sendable {
    /// Behind one reference, because metrics are passed on with every response.
    private final class Storage: Sendable {
        let ends: ExchangeEnds
        let taskInterval: DateInterval
        let redirectCount: Int

        init(_ ends: ExchangeEnds, _ taskInterval: DateInterval, _ redirectCount: Int) {
            self.ends = ends
            self.taskInterval = taskInterval
            self.redirectCount = redirectCount
        }
    }
    private let storage: Storage

    /// One measurement for each exchange: redirects and challenges in order, the
    /// delivered response last.
    public var exchanges: [Exchange.Metrics] { storage.ends.all.map(\.metrics) }
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
        var ends = ExchangeEnds()
        for metrics in exchanges { ends.append(Exchange.End(metrics: metrics)) }
        self.init(ends, taskInterval: taskInterval, redirectCount: redirectCount)
    }

    init(_ ends: ExchangeEnds, taskInterval: DateInterval, redirectCount: Int) {
        storage = Storage(ends, taskInterval, redirectCount)
    }
}

/// How a task's exchanges have ended, in order.
struct ExchangeEnds: Sendable {
    /// Mostly there is only one, which so needs no array.
    private(set) var last: Exchange.End?
    private var earlier: [Exchange.End] = []

    var isEmpty: Bool { last == nil }
    var all: [Exchange.End] { earlier + [last].compactMap(\.self) }

    mutating func append(_ end: Exchange.End) {
        if let last { earlier.append(last) }
        last = end
    }
}
