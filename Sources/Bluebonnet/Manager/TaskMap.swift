/// The delegates of a session's tasks by task identifier, and whether more may come.
///
/// A delegate holds its task only once that was resumed, so a task that never was belongs to its
/// caller.
struct TaskMap {
    private var delegates: [Int: TaskDelegate] = [:]
    /// Former identifiers of tasks that go on under another one.
    private var successors: [Int: Int] = [:]
    private(set) var isInvalidated = false
    private var hasReportedInvalidation = false

    subscript(taskIdentifier: Int) -> TaskDelegate? {
        if let delegate = delegates[taskIdentifier] { return delegate }
        return successors.isEmpty ? nil : successors[taskIdentifier].flatMap { delegates[$0] }
    }

    var all: [TaskDelegate] { delegates.sorted { $0.key < $1.key }.map(\.value) }

    /// Adds a delegate.
    ///
    /// One that comes after the invalidation finds that out when it is resumed.
    mutating func insert(_ delegate: TaskDelegate) {
        delegates[delegate.address] = delegate
    }

    /// Lets a delegate go on under another identifier; what is addressed to the former one still
    /// finds it.
    mutating func move(_ delegate: TaskDelegate, to taskIdentifier: Int) {
        guard delegates.removeValue(forKey: delegate.address) != nil else { return }
        delegates[taskIdentifier] = delegate
        successors[delegate.address] = taskIdentifier
    }

    mutating func remove(_ delegate: TaskDelegate) {
        let successor = successors.isEmpty ? nil : successors.removeValue(forKey: delegate.address)
        delegates[successor ?? delegate.address] = nil
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
