public import BluebonnetTransport
public import Foundation

/// The metrics of a task.
public struct TaskMetrics: Sendable {
    let ends: ExchangeEnds
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
    init?(_ ends: ExchangeEnds, redirectCount: Int) {
        self.init(ends, since: ends.firstStartDate, redirectCount: redirectCount)
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

    init(_ ends: some Sequence<Exchange.End> = []) {
        for end in ends { append(end) }
    }

    var isEmpty: Bool { last == nil }
    var count: Int { earlier.count + (last == nil ? 0 : 1) }
    var all: [Exchange.End] { earlier + [last].compactMap(\.self) }
    /// When the first exchange began.
    var firstStartDate: Date? { (earlier.first ?? last)?.metrics.startDate }

    /// The bytes of bodies that were sent and received.
    var bodySizes: (sent: Int64, received: Int64) {
        var (sent, received): (Int64, Int64) = (0, 0)
        func add(_ metrics: Exchange.Metrics) {
            sent.addWithoutOverflow(metrics.requestBodyBytes)
            received.addWithoutOverflow(metrics.responseBodyBytes)
        }
        for end in earlier { add(end.metrics) }
        if let last { add(last.metrics) }
        return (sent, received)
    }

    /// Returns the ends after a number of them.
    func dropFirst(_ count: Int) -> ExchangeEnds {
        count > 0 ? ExchangeEnds(all.dropFirst(count)) : self
    }

    mutating func append(_ end: Exchange.End) {
        if let last { earlier.append(last) }
        last = end
    }
}

extension Int64 {
    /// Adds a count, which a transport can report as any number.
    mutating func addWithoutOverflow(_ count: Int64) {
        let (sum, overflows) = addingReportingOverflow(Swift.max(0, count))
        self = overflows ? .max : sum
    }
}
