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

        mutating func add(_ attributes: AttemptAttributes, _ buckets: [Double]) {
            attemptCount += 1
            // A wall clock that jumps must not make a time negative.
            if let seconds = attributes.duration { duration.add(max(0, seconds), buckets) }
            if let seconds = attributes.timeToFirstByte {
                timeToFirstByte.add(max(0, seconds), buckets)
            }
            requestBytes.addWithoutOverflow(attributes.requestBodyBytes)
            responseBytes.addWithoutOverflow(attributes.responseBodyBytes)
        }
    }

    /// How tasks have ended.
    struct Outcomes {
        var successCount = 0
        var failureCount = 0
        var cancelCount = 0
    }

    let buckets: [Double]
    let limits: MetricsMonitor.Limits
    private var indices: [Series: Int] = [:]
    private var values: [Values] = []
    private(set) var outcomes = Outcomes()
    private(set) var retryCount = 0
    private(set) var hosts: Set<String> = []
    private var tags: Set<String> = []

    /// What stands for hosts and tags beyond the limits.
    static let other = "other"
    /// The longest tag that is kept, in bytes.
    private static let maximumTagLength = 100
    /// The longest host that DNS allows, in bytes.
    private static let maximumHostLength = 253

    private static func shortened(_ tag: String) -> String {
        guard tag.utf8.count > maximumTagLength else { return tag }
        return String(decoding: tag.utf8.prefix(maximumTagLength), as: UTF8.self)
    }

    init(buckets: [Double], limits: MetricsMonitor.Limits) {
        (self.buckets, self.limits) = (buckets, limits)
    }

    /// The series with what was counted in each.
    var series: [(key: Series, value: Values)] { indices.map { ($0.key, values[$0.value]) } }

    mutating func end(_ error: BluebonnetError?) {
        switch error {
        case nil: outcomes.successCount += 1
        case let error? where error.isCancelled: outcomes.cancelCount += 1
        case _?: outcomes.failureCount += 1
        }
    }

    /// Counts an attempt that has ended.
    mutating func count(_ attributes: AttemptAttributes) {
        if attributes.attempt > 1 { retryCount += 1 }
        // What another task has sent, that one counts.
        guard !attributes.isShared else { return }
        values[index(of: attributes)].add(attributes, buckets)
    }

    /// Returns the index of the values to which an attempt belongs.
    private mutating func index(of attributes: AttemptAttributes) -> Int {
        let wanted = Series(
            method: attributes.method, host: attributes.host, port: attributes.port,
            status: attributes.statusCode ?? 0, error: attributes.errorType ?? "",
            tag: Self.shortened(attributes.tag ?? ""))
        if let index = indices[wanted] { return index }
        let series = bounded(wanted)
        if let index = indices[series] { return index }
        indices[series] = values.count
        values.append(
            Values(
                duration: Histogram(buckets.count), timeToFirstByte: Histogram(buckets.count)))
        return values.count - 1
    }

    /// Returns the series in which one that is new is counted.
    private mutating func bounded(_ wanted: Series) -> Series {
        var wanted = wanted
        let tag = wanted.tag
        if !hosts.contains(wanted.host) {
            if hosts.count < limits.hosts, wanted.host.utf8.count <= Self.maximumHostLength {
                hosts.insert(wanted.host)
            } else {
                (wanted.host, wanted.port) = (Self.other, 0)
            }
        }
        if !tag.isEmpty, !tags.contains(tag) {
            if tags.count < limits.tags { tags.insert(tag) } else { wanted.tag = Self.other }
        }
        if values.count >= limits.series, indices[wanted] == nil {
            return Series(
                method: Self.other, host: Self.other, port: 0, status: 0, error: Self.other,
                tag: "")
        }
        return wanted
    }
}
