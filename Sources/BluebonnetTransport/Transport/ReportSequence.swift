/// A queue of the reports of one exchange, which puts reports from several threads in order.
///
/// Reports are delivered one at a time, and none after the end. The value itself delivers nothing:
/// if a method returns true, its caller takes one report after another with ``next()`` and delivers
/// each outside the lock.
struct ReportSequence {
    private var pending = FIFO<Exchange.Report>()
    private var isDelivering = false
    /// Whether the end is pending or was delivered.
    private(set) var isOver = false
    /// Whether the pending end is delivered even while the exchange is suspended.
    private var isCut = false
    private var isSuspended = false
    /// The window of body bytes that the sink holds, or nil for no limit.
    private var window: FillingWindow?

    init(window: Int? = nil) {
        self.window = window.map { FillingWindow(size: $0) }
    }

    /// Adds a report, and returns whether the caller must deliver.
    ///
    /// Reports after the end are discarded.
    mutating func append(_ report: consuming Exchange.Report) -> Bool {
        guard !isOver else { return false }
        isOver = report.end != nil
        pending.append(report)
        return beginDelivering()
    }

    /// Replaces all undelivered reports with an end, and returns whether the caller must deliver.
    mutating func cut(with failure: Exchange.Failure) -> Bool {
        guard !isOver || !pending.isEmpty, !isCut else { return false }
        isCut = true
        isOver = true
        pending = FIFO()
        pending.append(Exchange.Report(end: Exchange.End(failure: failure)))
        return beginDelivering()
    }

    /// Discards all undelivered reports.
    mutating func close() {
        isOver = true
        pending = FIFO()
    }

    mutating func suspend() {
        isSuspended = true
    }

    /// Resumes delivery after a suspension, and returns whether the caller must deliver.
    mutating func resume() -> Bool {
        isSuspended = false
        return beginDelivering()
    }

    /// Counts bytes that the sink has released, and returns whether the caller must deliver.
    mutating func didConsume(_ count: Int) -> Bool {
        window?.count(-count)
        return beginDelivering()
    }

    private var mayDeliver: Bool {
        guard let first = pending.first else { return false }
        if isCut { return true }
        guard !isSuspended else { return false }
        return first.body.isEmpty || window?.isFull != true
    }

    private mutating func beginDelivering() -> Bool {
        guard !isDelivering, mayDeliver else { return false }
        isDelivering = true
        return true
    }

    /// Returns the next report to deliver, or nil if the delivering thread is done.
    mutating func next() -> Exchange.Report? {
        guard mayDeliver, let report = pending.pop() else {
            isDelivering = false
            return nil
        }
        window?.count(report.body.reduce(0) { $0 + $1.count })
        return report
    }
}
