public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// A task of a manager, as its caller controls it, with all of its attempts.
///
/// A task that is released without having been resumed completes as canceled. A task that was
/// resumed completes even if nothing refers to it. Every member can be used on any thread. Two
/// objects of the same task are equal.
public class SessionTask: @unchecked Sendable {
    // @unchecked because the class is not final: it has only two constants, and no subclass
    // adds stored state.
    /// The state of the task in its manager.
    public let delegate: TaskDelegate
    /// The number of the task, which is unique in its manager.
    public let taskIdentifier: Int

    /// The kind of the tasks of this class.
    class var kind: TaskKind { .data }

    /// The state of a task.
    public enum State: Sendable, Hashable {
        /// Neither resumed, suspended nor canceled.
        case initialized
        /// Running.
        case running
        /// Suspended until it is resumed.
        case suspended
        /// Canceled; this state is final.
        case cancelled
        /// Ended with a response or an error; this state is final.
        case completed

        /// The same as ``running``.
        public static let resumed = running
        /// The same as ``cancelled``.
        public static let canceling = cancelled
        /// The same as ``completed``.
        public static let finished = completed
    }

    required init(delegate: TaskDelegate, taskIdentifier: Int) {
        self.delegate = delegate
        self.taskIdentifier = taskIdentifier
        delegate.adopt(self)
    }

    deinit {
        delegate.taskWillBeReleased()
    }

    /// The identifier of the task, the same for all of its attempts.
    public var id: UUID { delegate.state.withLock { $0.madeRequestID() } }

    /// A description of the task that the caller provides.
    public var taskDescription: String? {
        get { delegate.taskDescription }
        set { delegate.taskDescription = newValue }
    }

    /// Attributes that the caller sets for transports and monitors.
    ///
    /// Each exchange uses the attributes that are set when it begins, so set them before
    /// ``resume()``. A transport reads them as the exchange's ``Exchange/attributes``.
    public var attributes: TaskAttributes {
        get { delegate.attributes }
        set { delegate.attributes = newValue }
    }

    /// The priority among tasks that wait for a connection, from 0 to 1; the highest goes first.
    ///
    /// Default 0.5. Tasks of the same priority go in the order in which they were resumed.
    public var priority: Float {
        get { delegate.priority }
        set { delegate.priority = newValue }
    }

    /// The request as the caller specified it; nil if it could not be built.
    public var originalRequest: URLRequest? { delegate.originalRequest }

    /// The request as it was last sent, or is about to be, after adapters and redirects.
    public var currentRequest: URLRequest? { delegate.currentRequest }

    /// The same as ``currentRequest``.
    public var request: URLRequest? { delegate.currentRequest }

    /// The status code and header fields of the last response; nil before they have arrived.
    public var head: ResponseHead? { delegate.head }

    /// The head of the last response as a new Foundation object; nil before it has arrived.
    public var response: HTTPURLResponse? { delegate.head?.httpURLResponse }

    /// The body as far as it has arrived and was kept in memory; nil without a response.
    public var data: Data? { delegate.head == nil ? nil : delegate.data }

    /// The current state of the task.
    public var state: State { delegate.taskState }

    /// The error of a failed task; nil after success and before the end.
    ///
    /// While retriers are asked, it is the error that they are asked about.
    public var error: BluebonnetError? { delegate.error }

    /// The number of retries: 0 in the first attempt, and 1 as soon as a second one is planned.
    public var retryCount: Int { delegate.retryCount }

    /// The number of the attempt, from 1; 0 before the first.
    public var attemptNumber: Int { delegate.attemptNumber }

    /// The measurements so far; nil before the first exchange has ended.
    public var metrics: TaskMetrics? { delegate.metrics }

    /// The progress of receiving the response's body, in bytes after decoding.
    ///
    /// The total is -1 while it is unknown. In a chain, it is 0 before a response arrives. Canceling,
    /// pausing or resuming the object does the same to the task.
    public var progress: Progress { delegate.progress }

    /// The progress of sending the request's body.
    ///
    /// The total is -1 if it is unknown. In a chain, it is 0 before the body is sent.
    public var uploadProgress: Progress { delegate.uploadProgress }

    /// Starts the task, or continues a suspended task.
    ///
    /// It has no effect on a task that is running or has ended. The first call calls
    /// ``SessionManager/willStart(_:)`` on the current thread, and enters the completion group
    /// before it returns.
    ///
    /// - Returns: The task.
    @discardableResult
    public func resume() -> Self {
        delegate.resume(self)
        return self
    }

    /// Pauses the task's data and its idle timeout until the task is resumed.
    ///
    /// If you suspend a request of a chain before it starts, handlers do not start it. Call
    /// ``resume()``.
    ///
    /// - Returns: The task.
    @discardableResult
    public func suspend() -> Self {
        delegate.suspend()
        return self
    }

    /// Cancels the task, unless it has already ended.
    ///
    /// Its handlers receive ``BluebonnetError/cancelled(_:)``.
    ///
    /// - Returns: The task.
    @discardableResult
    public func cancel() -> Self {
        delegate.cancel(self)
        return self
    }
}

// @unchecked as in the superclass: no stored state is added.
/// A task whose response is collected in memory.
public class DataTask: SessionTask, @unchecked Sendable {}

// @unchecked as in the superclass: no stored state is added.
/// A task that sends a body from memory, a file, a stream or a form.
public final class UploadTask: DataTask, @unchecked Sendable {
    override class var kind: TaskKind { .upload }
}

// @unchecked as in the superclass: no stored state is added.
/// A task that writes its response to a file.
///
/// The file appears at its destination only when it is complete and the response is accepted. A
/// response whose status code or content type is rejected replaces no file.
public final class DownloadTask: SessionTask, @unchecked Sendable {
    override class var kind: TaskKind { .download }
}

// @unchecked as in the superclass: no stored state is added.
/// A task whose response is read piece by piece.
///
/// A slow reader slows the server down. A task that is resumed without a reader also stops the
/// server. Add one, or cancel the task. A response that a validation rejects is not streamed. The
/// error's context contains its body.
public final class StreamTask: SessionTask, @unchecked Sendable {
    override class var kind: TaskKind { .stream }

    /// Cancels the task and discards what its handlers and loops have not received.
    ///
    /// - Returns: The task.
    @discardableResult
    public override func cancel() -> Self {
        delegate.cancelStream()
        return super.cancel()
    }
}

/// The kind of a task, which decides about the class of its objects.
enum TaskKind: Sendable {
    case data, upload, download, stream

    var taskType: SessionTask.Type {
        switch self {
        case .data: DataTask.self
        case .upload: UploadTask.self
        case .download: DownloadTask.self
        case .stream: StreamTask.self
        }
    }
}

/// The name of a task in interceptors and chains.
public typealias Request = SessionTask

extension SessionTask: Hashable {
    /// Returns whether two objects belong to the same task.
    public static func == (left: SessionTask, right: SessionTask) -> Bool {
        left.delegate === right.delegate
    }

    /// Hashes the identity of the task.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(delegate)) }
}

extension SessionTask: CustomStringConvertible, CustomReflectable {
    /// The kind, identifier, request, status code and state in one line, without secrets.
    public var description: String {
        let request = currentRequest?.summary ?? "no request"
        let status = head.map { " (\($0.statusCode))" } ?? ""
        return "\(type(of: self)) \(delegate.taskIdentifier), \(request)\(status), \(state)"
    }

    /// A mirror with only the description, because requests and responses contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
