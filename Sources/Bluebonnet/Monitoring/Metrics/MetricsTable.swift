/// What a ``MetricsMonitor`` has counted.
struct MetricsTable {
    /// What tells series apart.
    struct Series: Hashable {
        var method: String
        var host: String
        var port: Int
        /// The status code, or 0 without one.
        var status: Int
        /// The kind of error; empty for success.
        var error: String
        /// The tag; empty without one.
        var tag: String
    }

    /// A histogram.
    struct Histogram {
        /// The number of values in each bucket, and behind the last one.
        var counts: [Int]
        var sum = 0.0

        init(_ bucketCount: Int) { counts = Array(repeating: 0, count: bucketCount + 1) }

        mutating func add(_ value: Double, _ buckets: [Double]) {
            let index = buckets.firstIndex { value <= $0 } ?? buckets.count
            counts[index] += 1
            sum += value
        }
    }

    /// The values of a series.
    struct Values {
        var duration: Histogram
        var timeToFirstByte: Histogram
        var attemptCount = 0
        var requestBytes: Int64 = 0
        var responseBytes: Int64 = 0
    }

    /// How tasks have ended.
    struct Outcomes {
        var successCount = 0
        var failureCount = 0
        var cancelCount = 0
    }

    let buckets: [Double]
    private let limits: MetricsMonitor.Limits
    private(set) var series: [Series: Values] = [:]
    private(set) var outcomes = Outcomes()
    var retryCount = 0
    private var running: Set<ObjectIdentifier> = []
    private var hosts: Set<String> = []
    private var tags: Set<String> = []

    /// What stands for hosts and tags beyond the limits.
    static let other = "other"
    /// The longest tag that is kept.
    private static let maximumTagLength = 100

    init(buckets: [Double], limits: MetricsMonitor.Limits) {
        (self.buckets, self.limits) = (buckets, limits)
    }

    /// The number of tasks that have started and not ended.
    var runningCount: Int { running.count }

    mutating func begin(_ task: ObjectIdentifier) { running.insert(task) }

    mutating func end(_ task: ObjectIdentifier, _ error: BluebonnetError?) {
        running.remove(task)
        switch error {
        case nil: outcomes.successCount += 1
        case let error? where error.isCancelled: outcomes.cancelCount += 1
        case _?: outcomes.failureCount += 1
        }
    }

    mutating func count(_ attributes: AttemptAttributes) {
        let series = series(for: attributes)
        let bucketCount = buckets.count
        var values =
            self.series[series]
            ?? Values(duration: Histogram(bucketCount), timeToFirstByte: Histogram(bucketCount))
        // Emptied first, so that the histograms are changed in place.
        self.series[series] = nil
        values.attemptCount += 1
        // A wall clock that jumps must not make a time negative.
        if let duration = attributes.duration { values.duration.add(max(0, duration), buckets) }
        if let time = attributes.timeToFirstByte {
            values.timeToFirstByte.add(max(0, time), buckets)
        }
        values.requestBytes += attributes.requestBodyBytes
        values.responseBytes += attributes.responseBodyBytes
        self.series[series] = values
    }

    private mutating func series(for attributes: AttemptAttributes) -> Series {
        let tag = String((attributes.tag ?? "").prefix(Self.maximumTagLength))
        var wanted = Series(
            method: attributes.method, host: attributes.host, port: attributes.port,
            status: attributes.statusCode ?? 0, error: attributes.errorType ?? "", tag: tag)
        if series[wanted] != nil { return wanted }
        if !hosts.contains(wanted.host) {
            if hosts.count < limits.hosts {
                hosts.insert(wanted.host)
            } else {
                (wanted.host, wanted.port) = (Self.other, 0)
            }
        }
        if !tag.isEmpty, !tags.contains(tag) {
            if tags.count < limits.tags { tags.insert(tag) } else { wanted.tag = Self.other }
        }
        if series.count >= limits.series, series[wanted] == nil {
            (wanted.host, wanted.port) = (Self.other, 0)
            if !tag.isEmpty { wanted.tag = Self.other }
        }
        return wanted
    }
}
