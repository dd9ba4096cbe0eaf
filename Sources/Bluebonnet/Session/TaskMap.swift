/// The delegates of a session's tasks by task identifier, and whether more may come.
///
/// A delegate holds its task only once that was resumed, so a task that never was belongs to its
/// caller.
struct TaskMap {
    private var delegates: [Int: TaskDelegate] = [:]
    private(set) var isInvalidated = false
    private var hasReportedInvalidation = false

    subscript(taskIdentifier: Int) -> TaskDelegate? { delegates[taskIdentifier] }

    var all: [TaskDelegate] { delegates.values.sorted { $0.taskIdentifier < $1.taskIdentifier } }

    /// Adds a delegate.
    ///
    /// One that comes after the invalidation finds that out when it is resumed.
    mutating func insert(_ delegate: TaskDelegate) {
        delegates[delegate.taskIdentifier] = delegate
    }

    mutating func remove(_ taskIdentifier: Int) {
        delegates[taskIdentifier] = nil
    }

    /// Refuses further tasks; the delegates that are still there.
    mutating func invalidate() -> [TaskDelegate] {
        isInvalidated = true
        return all
    }

    /// Whether the session has just become invalid: no task is left.
    ///
    /// True once.
    mutating func reportInvalidation() -> Bool {
        guard isInvalidated, delegates.isEmpty, !hasReportedInvalidation else { return false }
        hasReportedInvalidation = true
        return true
    }
}
