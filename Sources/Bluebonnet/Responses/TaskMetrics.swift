public import BluebonnetTransport
public import Foundation

/// The metrics of a task.
public struct TaskMetrics: Sendable {
    private let ends: ExchangeEnds
    /// The interval from the first `resume()` to the end of the last exchange.
    public let taskInterval: DateInterval
    /// The number of redirects that were followed.
    public let redirectCount: Int

    /// The metrics of each exchange, in order, including redirects and challenges.
    ///
    /// The last one is that of the delivered response.
    public var exchanges: [Exchange.Metrics] { ends.all.map(\.metrics) }

    /// The metrics of the delivered response.
    var last: Exchange.Metrics? { ends.last?.metrics }

    /// Creates metrics.
    public init(
        exchanges: [Exchange.Metrics],
        taskInterval: DateInterval,
        redirectCount: Int = 0
    ) {
        var ends = ExchangeEnds()
        for metrics in exchanges { ends.append(Exchange.End(metrics: metrics)) }
        self.init(ends, taskInterval: taskInterval, redirectCount: redirectCount)
    }

    /// Creates the metrics of a task since its start, or returns nil if no exchange has ended.
    init?(_ ends: ExchangeEnds, since start: Date?, redirectCount: Int) {
        guard let start, let last = ends.last?.metrics else { return nil }
        let end = last.startDate.addingTimeInterval(last.totalDuration)
        self.init(
            ends, taskInterval: DateInterval(start: start, end: max(start, end)),
            redirectCount: redirectCount)
    }

    /// Creates metrics from exchanges, or returns nil if there are none.
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

/// The ends of a task's exchanges, in order.
struct ExchangeEnds: Sendable {
    /// The end of the last exchange, stored separately because most tasks have only one.
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
