public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// A task of a manager, as its caller controls it.
///
/// A task begins suspended. A task that is released without having been resumed completes as
/// canceled. A task that was resumed completes even if nothing refers to it. Every member can be
/// used on any thread.
public class SessionTask: @unchecked Sendable {
    // @unchecked because the class is not final: it has only two constants, and no subclass
    // adds stored state.
    /// The state of the task in its manager.
    public let delegate: TaskDelegate
    /// The number of the task, which is unique in its manager.
    public let taskIdentifier: Int

    /// The state of a task.
    public enum State: Sendable {
        case suspended, running, canceling, completed
    }

    required init(delegate: TaskDelegate, taskIdentifier: Int) {
        self.delegate = delegate
        self.taskIdentifier = taskIdentifier
        delegate.adopt(self)
    }

    deinit {
        delegate.taskWillBeReleased()
    }

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

    /// The request as it was last sent, after redirects.
    public var currentRequest: URLRequest? { delegate.currentRequest }

    /// The head of the response as a new Foundation object; nil before it has arrived.
    public var response: HTTPURLResponse? { delegate.head?.httpURLResponse }

    /// The current state of the task.
    public var state: State { delegate.taskState }

    /// The error of a failed task; nil after success and before the end.
    public var error: BluebonnetError? { delegate.error }

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
    public func resume() { delegate.resume(self) }

    /// Pauses the task's data and its idle timeout until the task is resumed.
    public func suspend() { delegate.suspend() }

    /// Cancels the task, unless it has already ended.
    public func cancel() { delegate.cancel(self) }
}

// @unchecked as in the superclass: no stored state is added.
/// A task whose response is collected in memory, or streamed.
public class DataTask: SessionTask, @unchecked Sendable {}

// @unchecked as in the superclass: no stored state is added.
/// A task that sends a body from memory, a file or a stream.
public final class UploadTask: DataTask, @unchecked Sendable {}

// @unchecked as in the superclass: no stored state is added.
/// A task that writes its response to a file.
public final class DownloadTask: SessionTask, @unchecked Sendable {}

extension SessionTask: CustomStringConvertible, CustomReflectable {
    /// The kind, identifier, request and state in one line, without secrets.
    public var description: String {
        let request = currentRequest?.summary ?? "no request"
        return "\(type(of: self)) \(delegate.taskIdentifier), \(request), \(state)"
    }

    /// A mirror with only the description, because requests and responses contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
