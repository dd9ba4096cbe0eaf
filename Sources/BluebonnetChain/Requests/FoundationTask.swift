import Bluebonnet

/// A task as Foundation's class, for ported handlers that name `URLSessionTask`.
///
/// Every member is that of the ``SessionTask``; nothing of `URLSession` is used. Two objects of one
/// task are equal.
// @unchecked as in the superclass: only a constant is added.
final class FoundationTask: URLSessionTask, @unchecked Sendable {
    private let base: SessionTask

    init(_ base: SessionTask) {
        self.base = base
        super.init()
    }

    override var taskIdentifier: Int { base.taskIdentifier }
    override var originalRequest: URLRequest? { base.originalRequest }
    override var currentRequest: URLRequest? { base.currentRequest }
    override var response: URLResponse? { base.response }
    override var error: (any Error)? { base.error }
    override var progress: Progress { base.progress }
    override var countOfBytesSent: Int64 { base.uploadProgress.completedUnitCount }
    override var countOfBytesExpectedToSend: Int64 { base.uploadProgress.totalUnitCount }
    override var countOfBytesReceived: Int64 { base.progress.completedUnitCount }
    override var countOfBytesExpectedToReceive: Int64 { base.progress.totalUnitCount }

    override var taskDescription: String? {
        get { base.taskDescription }
        set { base.taskDescription = newValue }
    }

    override var priority: Float {
        get { base.priority }
        set { base.priority = newValue }
    }

    override var state: URLSessionTask.State {
        switch base.state {
        case .initialized, .suspended: .suspended
        case .running: .running
        case .cancelled: base.delegate.hasEnded ? .completed : .canceling
        case .completed: .completed
        }
    }

    override func resume() { base.resume() }
    override func suspend() { base.suspend() }
    override func cancel() { base.cancel() }

    override var description: String { base.description }
    override var hash: Int { base.hashValue }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? FoundationTask)?.base == base
    }
}
