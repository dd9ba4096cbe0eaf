/// What a ``MetricsMonitor`` has counted.
struct MetricsTable {
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

        init(_ bucketCount: Int) {
            (duration, timeToFirstByte) = (Histogram(bucketCount), Histogram(bucketCount))
        }

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
    private(set) var bounds: BoundedSeries
    private(set) var series: [AttemptSeries: Values] = [:]
    private(set) var outcomes = Outcomes()
    private(set) var retryCount = 0

    init(buckets: [Double], limits: MetricsMonitor.Limits) {
        self.buckets = buckets
        bounds = BoundedSeries(limits: limits)
    }

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
        let bucketCount = buckets.count
        series[bounds.series(for: attributes), default: Values(bucketCount)]
            .add(attributes, buckets)
    }
}
