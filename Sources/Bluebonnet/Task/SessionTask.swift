public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// A task of a manager, as its maker controls it.
///
/// It begins suspended. One that is let go without ever being resumed completes as cancelled; one
/// that was resumed completes whether or not anybody holds it. Every member may be used on any
/// thread.
public class SessionTask: @unchecked Sendable {
    // @unchecked because the class is not final: it has these two constants, and no subclass
    // adds stored state.
    /// What the manager knows of the task.
    public let delegate: TaskDelegate
    /// A number that no other task of the same manager has.
    public let taskIdentifier: Int

    /// Where a task stands.
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

    /// Text of the caller's for telling tasks apart.
    public var taskDescription: String? {
        get { delegate.taskDescription }
        set { delegate.taskDescription = newValue }
    }

    /// What the caller says about the task to those who see it on its way.
    ///
    /// An exchange has what is there when it begins, so set it before ``resume()``. A transport reads it
    /// as the exchange's ``Exchange/attributes``.
    public var attributes: TaskAttributes {
        get { delegate.attributes }
        set { delegate.attributes = newValue }
    }

    /// Which task goes first where several wait for a connection, 0 to 1, the higher the sooner.
    ///
    /// Default 0.5. Tasks of one priority go in the order in which they were resumed.
    public var priority: Float {
        get { delegate.priority }
        set { delegate.priority = newValue }
    }

    /// The request as it was asked for; nil when it could not be built.
    public var originalRequest: URLRequest? { delegate.originalRequest }

    /// The request as it was last sent, after redirects.
    public var currentRequest: URLRequest? { delegate.currentRequest }

    /// Foundation's form of the response's head, made anew by each call; nil before it has arrived.
    public var response: HTTPURLResponse? { delegate.head?.httpURLResponse }

    /// Where the task stands.
    public var state: State { delegate.taskState }

    /// Why the task failed; nil for a success and before the end.
    public var error: BluebonnetError? { delegate.error }

    /// What was measured so far.
    public var metrics: TaskMetrics? { delegate.metrics }

    /// How far the response's body has come, in bytes after decoding; the total is -1 while it is not
    /// known.
    ///
    /// Cancelling, pausing and resuming it does so to the task.
    public var progress: Progress { delegate.progress }

    /// How far the request's body has been sent; the total is -1 where it is not known.
    public var uploadProgress: Progress { delegate.uploadProgress }

    /// Starts the task, or lets a suspended one go on.
    ///
    /// Does nothing to a running or ended task.
    ///
    /// The first call calls ``SessionManager/willStart(_:)`` on this thread and enters the
    /// completion group before it returns.
    public func resume() { delegate.resume(self) }

    /// Stops the task's data, and its idle timeout, until it is resumed.
    public func suspend() { delegate.suspend() }

    /// Ends the task as cancelled, unless it has ended already.
    public func cancel() { delegate.cancel(self) }
}

// @unchecked as in the superclass: no stored state is added.
/// A task whose response is collected in memory, or streamed.
public class DataTask: SessionTask, @unchecked Sendable {}

// @unchecked as in the superclass: no stored state is added.
/// A task whose body comes from memory, a file or a stream of its own.
public final class UploadTask: DataTask, @unchecked Sendable {}

// @unchecked as in the superclass: no stored state is added.
/// A task whose response goes to a file.
public final class DownloadTask: SessionTask, @unchecked Sendable {}

extension SessionTask: CustomStringConvertible, CustomReflectable {
    /// Kind, identifier, request and state in one line, without what may be secret.
    public var description: String {
        let request = currentRequest?.summary ?? "no request"
        return "\(type(of: self)) \(delegate.taskIdentifier), \(request), \(state)"
    }

    /// The description alone: requests and responses hold secrets.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
