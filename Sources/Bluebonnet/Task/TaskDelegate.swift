import BluebonnetTransport
public import Foundation
import FoundationNetworking

/// The state of one task in its manager: its settings, its results so far, and its queue.
///
/// It is in the manager's map from the creation of the task to its completion. Every member can be
/// used on any thread.
public final class TaskDelegate: Sendable {
    /// The number of the task, which is unique in its manager.
    ///
    /// A data task that becomes a download gets another number.
    public var taskIdentifier: Int { state.withLock { $0.taskIdentifier } }
    /// The request as the caller specified it; nil if it could not be built.
    var originalRequest: URLRequest? {
        setup.source.known ?? state.withLock { $0.rare.firstRequest }
    }

    /// The identifier for addressing events, which stays the same if the task's identifier changes.
    let address: Int
    let kind: TaskKind
    let session: SessionCore
    let setup: TaskSetup
    let state: Locked<TaskState>

    init(
        _ kind: TaskKind,
        taskIdentifier: Int,
        session: SessionCore,
        setup: consuming TaskSetup,
        responder: (any TaskResponder)?,
        upload: UploadBody?,
        flow: BodyFlow,
        uploadProgress: ProgressHandler?,
        downloadProgress: ProgressHandler?
    ) {
        address = taskIdentifier
        self.kind = kind
        self.session = session
        state = Locked(
            TaskState(
                taskIdentifier, setup, responder, flow, upload,
                uploadProgress: uploadProgress, downloadProgress: downloadProgress))
        self.setup = setup
    }

    /// The task's queue, which is released when the task completes.
    public var queue: SerialOperationQueue {
        // Created on first use, because most tasks never need theirs.
        state.withLock { $0.madeQueue() }
    }

    /// The task; nil once it has been released.
    public var task: SessionTask? { state.withLock { $0.task } }

    /// The body as far as it has arrived.
    ///
    /// It is a copy while more can arrive. It is empty if the system has no contiguous memory for
    /// it.
    public var data: Data {
        let (whole, soFar) = state.withLock { state in
            state.run.stage.isFinished
                ? (state.exchange.reception.joinedBody(), nil)
                : (nil, state.exchange.reception.received?.body)
        }
        // Copied outside the lock, so that a thread that adds data does not have to wait.
        return whole ?? soFar?.copied() ?? Data()
    }

    /// The error of a failed task; nil after success and before the end.
    ///
    /// While retriers are asked, it is the error that they are asked about.
    public var error: BluebonnetError? {
        state.withLock { state in
            state.run.stage.isFinished
                ? state.error ?? state.rare.streams.failure : state.attempt.rare.error
        }
    }

    /// The measurements so far; nil before the first exchange has ended.
    public var metrics: TaskMetrics? { state.withLock { $0.metrics } }

    /// The status code and header fields of the response; nil before they have arrived.
    public var head: ResponseHead? { state.withLock { $0.exchange.head } }

    var attemptNumber: Int { state.withLock { $0.run.attempt } }
    var retryCount: Int {
        state.withLock { $0.rare.formerAttempts.count + ($0.attempt.rare.isRetried ? 1 : 0) }
    }

    /// Whether the body is a stream that the caller passed with the request.
    var hasOwnStream: Bool {
        guard let request = originalRequest else { return false }
        return request.httpBodyStream != nil && request.multipartBody == nil
    }

    /// The request as it was last sent, after redirects.
    package var currentRequest: URLRequest? { state.withLock { $0.attempt.request } }

    var taskDescription: String? {
        get { state.withLock { $0.rare.taskDescription } }
        set { state.withLock { $0.rare.taskDescription = newValue } }
    }

    var attributes: TaskAttributes {
        get { state.withLock { $0.rare.attributes } }
        set {
            // Released outside the lock, because the values can use the task in their deinit.
            let former = state.withLock { state in
                defer { state.rare.attributes = newValue }
                return state.rare.attributes
            }
            withExtendedLifetime(former) {}
        }
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
        let (stage, isSuspended, isCancelled) = state.withLock { state in
            var isCancelled = state.run.isCancelled
            if case .cancelled? = state.rare.streams.failure { isCancelled = true }
            return (state.run.stage, state.run.isSuspended, isCancelled)
        }
        if isCancelled { return .cancelled }
        if stage.isFinished { return .completed }
        if isSuspended { return .suspended }
        return stage.isNew ? .initialized : .running
    }

    package var hasEnded: Bool { state.withLock { $0.run.stage.isFinished } }
    var isNew: Bool { state.withLock { $0.run.stage.isNew && !$0.run.isCancelled } }

    /// The progress of receiving the response's body.
    public var progress: Progress {
        state.withLock { $0.receiving.object(controlling: self) }
    }

    /// The progress of sending the request's body.
    public var uploadProgress: Progress {
        state.withLock { $0.sending.object(controlling: self) }
    }

    /// The task; another object for it once it has been released.
    var handle: SessionTask { state.withLock { $0.knownTask } ?? makeTask() }

    /// Creates a task for this delegate, of the matching class.
    func makeTask() -> SessionTask {
        let taskIdentifier = taskIdentifier
        // The identifiers differ once a data task has become a download.
        let type = taskIdentifier == address ? kind.taskType : DownloadTask.self
        return type.init(delegate: self, taskIdentifier: taskIdentifier)
    }
}

extension TaskDelegate: CustomStringConvertible, CustomReflectable {
    /// The kind, identifier and request in one line, without secrets.
    public var description: String {
        "TaskDelegate \(taskIdentifier) (\(kind)), \(currentRequest?.summary ?? "no request")"
    }

    /// A mirror with only the description, because requests and responses contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// The settings of a task, captured when it is created.
struct TaskSetup: Sendable {
    var source: RequestSource
    var options: TaskOptions?
    var defaults: SerializerDefaults
    var pools: PolicyPools
    /// Whether the serializer of the first responder validates responses.
    var isJudged = true
    var group: DispatchGroup?
    var completionQueue: DispatchQueue?
    /// The interceptors of the manager and of the call, in this order; nil for none.
    var interceptors: TaskInterceptors?
}
