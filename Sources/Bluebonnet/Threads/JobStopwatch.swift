import BluebonnetTransport

/// Finds out whether what a worker does holds up what waits behind it.
///
/// That a job took long may only say that the machine is busy. That the thread waited, or computed
/// all the time, says that the next job of the kind will take long too. To ask the system costs as
/// much as a small handler, so of handlers only the next few after one that took long are measured.
struct JobStopwatch {
    /// In nanoseconds: nobody is held up by less.
    static let longHandler: UInt64 = 500_000
    /// The same of an errand, which is a batch of small things.
    static let longErrand: UInt64 = 2_000_000
    static let measuredHandlers = 8

    private var start: UInt64 = .max
    private var longTime = longErrand
    private var usageBefore: ThreadUsage?
    private var handlersToMeasure = 0

    mutating func begin(_ job: WorkerRoster.Job, at now: UInt64) {
        start = now
        longTime = Self.longHandler
        switch job {
        case .errand:
            longTime = Self.longErrand
            usageBefore = .current
        case .handler where handlersToMeasure > 0:
            handlersToMeasure -= 1
            usageBefore = .current
        case .handler: usageBefore = nil
        }
    }

    /// Whether the job that has ended, if any, held others up.
    mutating func heldUp(at now: UInt64) -> Bool {
        guard now > start, now - start > longTime else { return false }
        handlersToMeasure = Self.measuredHandlers
        guard let before = usageBefore else { return false }
        let usage = ThreadUsage.current
        return usage.waitCount > before.waitCount
            || usage.processorTime > before.processorTime + longTime
    }
}
