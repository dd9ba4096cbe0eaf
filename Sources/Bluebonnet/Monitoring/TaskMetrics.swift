public import BluebonnetTransport
public import Foundation

/// What was measured of a task.
public struct TaskMetrics: Sendable {
    private let ends: ExchangeEnds
    /// From the first `resume()` until the last exchange ended.
    public let taskInterval: DateInterval
    /// How many redirects were followed.
    public let redirectCount: Int

    /// One measurement for each exchange: redirects and challenges in order, the
    /// delivered response last.
    public var exchanges: [Exchange.Metrics] { ends.all.map(\.metrics) }

    /// That of the delivered response.
    var last: Exchange.Metrics? { ends.last?.metrics }

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

    /// Makes metrics of some exchanges; nil if there are none.
    init?(_ ends: some Sequence<Exchange.End>, redirectCount: Int) {
        var all = ExchangeEnds()
        for end in ends { all.append(end) }
        guard let first = all.all.first?.metrics, let last = all.last?.metrics else { return nil }
        let end = last.startDate.addingTimeInterval(last.totalDuration)
        self.init(
            all,
            taskInterval: DateInterval(start: first.startDate, end: max(first.startDate, end)),
            redirectCount: redirectCount)
    }

    init(_ ends: ExchangeEnds, taskInterval: DateInterval, redirectCount: Int) {
        self.ends = ends
        self.taskInterval = taskInterval
        self.redirectCount = redirectCount
    }
}

/// How a task's exchanges have ended, in order.
struct ExchangeEnds: Sendable {
    /// Mostly there is only one, which so needs no array.
    private(set) var last: Exchange.End?
    private var earlier: [Exchange.End] = []

    var isEmpty: Bool { last == nil }
    var count: Int { earlier.count + (last == nil ? 0 : 1) }
    var all: [Exchange.End] { earlier + [last].compactMap(\.self) }

    mutating func append(_ end: Exchange.End) {
        if let last { earlier.append(last) }
        last = end
    }
}
