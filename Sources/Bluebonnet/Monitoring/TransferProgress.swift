import Dispatch
public import Foundation

/// A closure that receives the progress of a transfer, on the manager's callback queue.
///
/// The total is -1 if it is unknown. The closure is called after another 50 milliseconds or
/// another 1% of the total, whichever comes first. It is always called at the end.
public typealias ProgressHandler = @Sendable (Progress) -> Void

/// The progress of one direction of a task's data, with its handler.
///
/// The Foundation object is created when it is first needed.
struct TransferProgress {
    /// A pending call of the progress handler.
    struct Report {
        var handler: ProgressHandler
        var progress: Progress
    }

    private(set) var completed: Int64 = 0
    private(set) var total: Int64 = -1
    /// The total before anything is known about the length.
    private var initialTotal: Int64 = -1
    var handler: ProgressHandler?
    private var object: Progress?
    private var reported: (count: Int64, at: UInt64)?

    /// The minimum time between reports in nanoseconds, unless another 1% was transferred.
    private static let interval: UInt64 = 50_000_000

    /// Whether there is a handler, or the Foundation object is in use.
    var isWatched: Bool { handler != nil || object != nil }

    /// Whether fewer bytes were counted than the total.
    var isShort: Bool { completed < total }

    init(handler: ProgressHandler?) {
        self.handler = handler
    }

    /// Returns the Foundation object, which also cancels, suspends and resumes the task.
    ///
    /// It looks up the task through the delegate each time, because a data task can become a
    /// download.
    mutating func object(controlling delegate: TaskDelegate) -> Progress {
        if let object { return object }
        let object = Progress(totalUnitCount: total)
        object.completedUnitCount = completed
        object.isCancellable = true
        object.isPausable = true
        object.cancellationHandler = { [weak delegate] in delegate?.task?.cancel() }
        object.pausingHandler = { [weak delegate] in delegate?.task?.suspend() }
        object.resumingHandler = { [weak delegate] in delegate?.task?.resume() }
        self.object = object
        return object
    }

    /// Makes the total 0, as in Alamofire, before anything is known about the length.
    mutating func useZeroWhileUnknown() {
        initialTotal = 0
        total = 0
        object?.totalUnitCount = 0
    }

    /// Starts again with a total, with -1 if the length is unknown, or with nil if nothing is known
    /// about it yet.
    mutating func begin(total: Int64?, completed: Int64 = 0) {
        self.total = total ?? initialTotal
        self.completed = completed
        reported = nil
        // First, because Foundation on Linux traps if a positive total becomes 0.
        object?.totalUnitCount = -1
        object?.completedUnitCount = completed
        object?.totalUnitCount = self.total
    }

    /// Records a count, and returns a report if the handler should be called now.
    mutating func advance(to count: Int64, controlling delegate: TaskDelegate) -> Report? {
        completed = count
        object?.completedUnitCount = count
        guard let handler, isDue() else { return nil }
        return Report(handler: handler, progress: object(controlling: delegate))
    }

    /// Records the end, and returns a report if the final count has not been reported.
    ///
    /// The final count is at least `count`, up to the total.
    mutating func end(at count: Int64 = 0, controlling delegate: TaskDelegate) -> Report? {
        if isShort, count > completed {
            completed = min(count, total)
            object?.completedUnitCount = completed
        }
        guard let handler, completed > 0, reported?.count != completed else { return nil }
        reported = (completed, 0)
        return Report(handler: handler, progress: object(controlling: delegate))
    }

    private mutating func isDue() -> Bool {
        let now = DispatchTime.now().uptimeNanoseconds
        if let reported, completed != total {
            let hundredth = total > 0 ? max(1, total / 100) : .max
            guard completed - reported.count >= hundredth || now >= reported.at + Self.interval
            else { return false }
        }
        guard reported?.count != completed else { return false }
        reported = (completed, now)
        return true
    }
}
