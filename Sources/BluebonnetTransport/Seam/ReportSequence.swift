/// The reports of one exchange on their way to a sink: in order, one at a time, and nothing behind the
/// end, whatever threads they come from.
///
/// A value without effects: the thread that is told to deliver asks for one report after the other
/// outside the lock.
struct ReportSequence {
    private var pending = FIFO<Exchange.Report>()
    private var isDelivering = false
    /// Whether the end is among the pending, or was delivered.
    private(set) var isOver = false
    /// Whether what is pending goes on although the exchange is suspended.
    private var isCut = false
    private var isSuspended = false
    /// Of the bytes of the body that the sink holds.
    private var window: FillingWindow?

    init(window: Int? = nil) {
        self.window = window.map { FillingWindow(size: $0) }
    }

    /// Adds a report; true if the caller is to deliver.
    ///
    /// What comes behind an end is left out.
    mutating func append(_ report: consuming Exchange.Report) -> Bool {
        guard !isOver else { return false }
        isOver = report.end != nil
        pending.append(report)
        return beginDelivering()
    }

    /// Ends the exchange in place of whatever has not been delivered; true if the caller is to deliver.
    mutating func cut(with failure: Exchange.Failure) -> Bool {
        guard !isOver || !pending.isEmpty, !isCut else { return false }
        isCut = true
        isOver = true
        pending = FIFO()
        pending.append(Exchange.Report(end: Exchange.End(failure: failure)))
        return beginDelivering()
    }

    /// Leaves out whatever has not been delivered.
    mutating func close() {
        isOver = true
        pending = FIFO()
    }

    mutating func suspend() {
        isSuspended = true
    }

    /// Goes on after a suspension; true if the caller is to deliver.
    mutating func resume() -> Bool {
        isSuspended = false
        return beginDelivering()
    }

    /// Counts bytes that the sink needs no more; true if the caller is to deliver.
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

    /// The next report for the thread that delivers; nil ends its work.
    mutating func next() -> Exchange.Report? {
        guard mayDeliver, let report = pending.pop() else {
            isDelivering = false
            return nil
        }
        window?.count(report.body.reduce(0) { $0 + $1.count })
        return report
    }
}
