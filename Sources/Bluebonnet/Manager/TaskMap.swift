/// The delegates of a session's tasks by task identifier.
///
/// A delegate keeps its task alive once the task has been resumed or canceled. Until then, only the
/// caller keeps it alive.
struct TaskMap {
    private var delegates: [Int: TaskDelegate] = [:]
    /// The current identifiers of tasks that have changed their identifier, by the former one.
    private var successors: [Int: Int] = [:]
    private var hasReportedInvalidation = false

    subscript(taskIdentifier: Int) -> TaskDelegate? {
        if let delegate = delegates[taskIdentifier] { return delegate }
        return successors.isEmpty ? nil : successors[taskIdentifier].flatMap { delegates[$0] }
    }

    var all: [TaskDelegate] { delegates.sorted { $0.key < $1.key }.map(\.value) }

    /// The number of tasks that have started.
    var runningCount: Int { delegates.values.count { !$0.isNew } }
    var isEmpty: Bool { delegates.isEmpty }

    /// Adds a delegate.
    ///
    /// If the session is already invalidated, its task fails when it is resumed.
    mutating func insert(_ delegate: TaskDelegate) {
        delegates[delegate.address] = delegate
    }

    /// Moves a delegate to another identifier.
    ///
    /// Events that are addressed to the former identifier still reach it.
    mutating func move(_ delegate: TaskDelegate, to taskIdentifier: Int) {
        guard delegates.removeValue(forKey: delegate.address) != nil else { return }
        delegates[taskIdentifier] = delegate
        successors[delegate.address] = taskIdentifier
    }

    mutating func remove(_ delegate: TaskDelegate) {
        let successor = successors.isEmpty ? nil : successors.removeValue(forKey: delegate.address)
        delegates[successor ?? delegate.address] = nil
    }

    /// Returns true once, when the session is invalidated and no task is left.
    mutating func reportEnd(of session: SessionCore) -> Bool {
        guard delegates.isEmpty, !hasReportedInvalidation, session.isInvalidated else {
            return false
        }
        hasReportedInvalidation = true
        return true
    }
}
