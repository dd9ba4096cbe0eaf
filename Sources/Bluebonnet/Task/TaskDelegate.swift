import BluebonnetTransport
public import Foundation
import FoundationNetworking

/// What a manager knows of one task: what it uses, what came of it so far, and its queue.
///
/// It is in the manager's map from the task's making to its completion. Every member may be used
/// on any thread.
public class TaskDelegate: @unchecked Sendable {
    // @unchecked because the class is not final: constants and one `Locked` are all it has, and no
    // subclass adds stored state.

    /// A number that no other task of the same manager has.
    ///
    /// A data task that becomes a download goes on under another.
    public var taskIdentifier: Int { state.withLock { $0.taskIdentifier } }
    /// The request as it was asked for; nil when it could not be built.
    var originalRequest: URLRequest? {
        setup.source.known ?? state.withLock { $0.firstRequest }
    }

    /// The identifier under which events are addressed to it, whatever its task is called since.
    let address: Int
    let session: SessionCore
    let setup: TaskSetup
    let state: Locked<TaskState>

    required init(
        taskIdentifier: Int,
        session: SessionCore,
        setup: TaskSetup,
        responder: (any TaskResponder)?,
        upload: UploadBody?,
        flow: BodyFlow,
        uploadProgress: ProgressHandler?,
        downloadProgress: ProgressHandler?
    ) {
        address = taskIdentifier
        self.session = session
        self.setup = setup
        state = Locked(
            TaskState(
                taskIdentifier, setup, responder, flow, upload,
                uploadProgress: uploadProgress, downloadProgress: downloadProgress))
    }

    /// The task's queue, released when it completes.
    public var queue: SerialOperationQueue {
        // Most tasks never need theirs, so it is made for the first who asks.
        state.withLock { $0.madeQueue() }
    }

    /// The task; nil once nobody holds it.
    public var task: SessionTask? { state.withLock { $0.task } }

    /// The body as far as it has arrived, copied while more may come; empty also where the system has
    /// no memory for it in one piece.
    public var data: Data {
        let (whole, soFar) = state.withLock { state in
            state.run.stage.isFinished
                ? (state.exchange.body.joined(), nil) : (nil, state.exchange.body)
        }
        // Outside the lock, for which who brings more would have to wait.
        return whole ?? soFar?.copied() ?? Data()
    }

    /// Why the task failed; nil for a success and before the end.
    public var error: BluebonnetError? { state.withLock { $0.error } }

    /// What was measured so far; nil before the first exchange has ended.
    public var metrics: TaskMetrics? { state.withLock { $0.metrics } }

    /// Status and headers of the response; nil before they have arrived.
    public var head: ResponseHead? { state.withLock { $0.exchange.head } }

    /// The handle by which interceptors know the task.
    var request: Request { state.withLock { $0.request(of: self) } }
    /// Why the task has failed or, while it goes on, what retriers are asked about.
    var lastError: BluebonnetError? {
        state.withLock { state in
            let error = state.error ?? state.rareState?.streamFailure
            return state.run.stage.isFinished ? error : error ?? state.attempt.error
        }
    }
    var attemptNumber: Int { state.withLock { $0.run.attempt } }
    var retryCount: Int {
        state.withLock { $0.formerAttempts.count + ($0.attempt.isRetried ? 1 : 0) }
    }

    /// Whether the body is the stream that the caller gave with the request.
    var hasOwnStream: Bool {
        guard let request = originalRequest else { return false }
        return request.httpBodyStream != nil && request.multipartBody == nil
    }

    /// The request as it was last sent, after redirects.
    var currentRequest: URLRequest? { state.withLock { $0.attempt.request } }

    var taskDescription: String? {
        get { state.withLock { $0.taskDescription } }
        set { state.withLock { $0.taskDescription = newValue } }
    }

    var attributes: TaskAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    var priority: Float {
        get { state.withLock { $0.priority } }
        set {
            let priority = TaskState.usable(newValue)
            let transfer = state.withLock { state in
                state.priority = priority
                return state.run.transfer
            }
            transfer?.setPriority(priority)
        }
    }

    var taskState: SessionTask.State {
        let (stage, isSuspended, isCancelled) = state.withLock {
            ($0.run.stage, $0.run.isSuspended, $0.run.isCancelled)
        }
        if stage.isFinished { return .completed }
        if isCancelled { return .canceling }
        return stage.isNew || isSuspended ? .suspended : .running
    }

    var isNew: Bool { state.withLock { $0.run.stage.isNew && !$0.run.isCancelled } }

    /// Whether nobody has resumed, suspended or cancelled the task.
    var isUntouched: Bool {
        state.withLock { $0.run.stage.isNew && !$0.run.isCancelled && !$0.run.isSuspended }
    }

    /// How far the response's body has come.
    public var progress: Progress {
        state.withLock { $0.receiving.object(controlling: self) }
    }

    /// How far the request's body has been sent.
    public var uploadProgress: Progress {
        state.withLock { $0.sending.object(controlling: self) }
    }

    /// A task for this delegate, of the kind that belongs to it.
    func makeTask() -> SessionTask {
        SessionTask(delegate: self, taskIdentifier: taskIdentifier)
    }

    /// A handle for this delegate, of the kind that belongs to it.
    func makeRequest() -> Request { Request(self) }
}

extension TaskDelegate: CustomStringConvertible, CustomReflectable {
    /// Kind, identifier and request in one line, without what may be secret.
    public var description: String {
        "\(type(of: self)) \(taskIdentifier), \(currentRequest?.summary ?? "no request")"
    }

    /// The description alone: requests and responses hold secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

// @unchecked as in the superclass: no stored state is added.
/// The delegate of a ``DataTask``.
public class DataTaskDelegate: TaskDelegate, @unchecked Sendable {
    override func makeTask() -> SessionTask {
        // It has another identifier once it has become a download.
        taskIdentifier == address
            ? DataTask(delegate: self, taskIdentifier: address)
            : DownloadTask(delegate: self, taskIdentifier: taskIdentifier)
    }

    override func makeRequest() -> Request { DataRequest(self) }
}

// @unchecked as in the superclass: no stored state is added.
/// The delegate of a ``DataTask`` whose response is handled piece by piece.
final class StreamTaskDelegate: DataTaskDelegate, @unchecked Sendable {
    override func makeRequest() -> Request { DataStreamRequest(self) }
}

// @unchecked as in the superclass: no stored state is added.
/// The delegate of an ``UploadTask``.
public final class UploadTaskDelegate: DataTaskDelegate, @unchecked Sendable {
    override func makeTask() -> SessionTask {
        taskIdentifier == address
            ? UploadTask(delegate: self, taskIdentifier: address) : super.makeTask()
    }

    override func makeRequest() -> Request { UploadRequest(self) }
}

// @unchecked as in the superclass: no stored state is added.
/// The delegate of a ``DownloadTask``.
public final class DownloadTaskDelegate: TaskDelegate, @unchecked Sendable {
    override func makeTask() -> SessionTask {
        DownloadTask(delegate: self, taskIdentifier: taskIdentifier)
    }

    override func makeRequest() -> Request { DownloadRequest(self) }
}

/// What a task uses, captured when it is made.
struct TaskSetup: Sendable {
    var source: RequestSource
    var options: TaskOptions?
    var defaults: SerializerDefaults
    var pools: PolicyPools
    /// Whether the serializer of the first responder judges responses.
    var isJudged = true
    var group: DispatchGroup?
    var completionQueue: DispatchQueue?
    /// Those of the manager and of the call, in this order; nil for none.
    var interceptors: TaskInterceptors?
}
