import Dispatch
public import Foundation

/// Hears of a transfer's progress, on the manager's callback queue.
///
/// The total is -1 while it is not known. It is called at most every 50 milliseconds or for every
/// hundredth of the whole, whichever comes first, and always at the end.
public typealias ProgressHandler = @Sendable (Progress) -> Void

/// How far one direction of a task's data has come, and who is told of it.
///
/// Foundation's object is made for the first who asks.
struct TransferProgress {
    /// What to tell whom.
    struct Report {
        var handler: ProgressHandler
        var progress: Progress
    }

    private(set) var completed: Int64 = 0
    private(set) var total: Int64 = -1
    var handler: ProgressHandler?
    private var object: Progress?
    private var reported: (count: Int64, at: UInt64)?

    /// Between two reports, in nanoseconds, unless a hundredth of the whole has come.
    private static let interval: UInt64 = 50_000_000

    /// Whether anybody has asked to know.
    var isWatched: Bool { handler != nil || object != nil }

    /// Whether less was counted than there is.
    var isShort: Bool { completed < total }

    init(handler: ProgressHandler?) {
        self.handler = handler
    }

    /// Foundation's object, with what it does to the task when it is itself cancelled or paused.
    ///
    /// It asks the delegate each time, since a data task can go on as a download.
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

    /// Begins anew with a total, -1 when it is not known.
    mutating func begin(total: Int64, completed: Int64 = 0) {
        self.total = total
        self.completed = completed
        reported = nil
        object?.totalUnitCount = total
        object?.completedUnitCount = completed
    }

    /// Notes a count; the report that is due, if any.
    mutating func advance(to count: Int64, controlling delegate: TaskDelegate) -> Report? {
        completed = count
        object?.completedUnitCount = count
        guard let handler, isDue() else { return nil }
        return Report(handler: handler, progress: object(controlling: delegate))
    }

    /// Notes the end, and what was counted until then at least; a report of what none has told yet.
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
