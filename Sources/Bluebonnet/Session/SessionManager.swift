public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// Makes tasks, forwards what happens to each to its delegate, and tells its hooks.
///
/// Configure one, or subclass it: every hook is an open method whose own implementation calls the
/// closure of the same name. Hooks observe; the delegate hears of everything as well. A resumed
/// task holds its manager until its completion is delivered, so hooks apply to the whole of it;
/// nothing else does.
open class SessionManager: @unchecked Sendable {
    // @unchecked because the class is open: its own state is constants and `Locked` values. A
    // subclass that stores state of its own protects it itself.
    let settings: Locked<Settings>
    let serializer: Locked<any ResponseSerializer>
    let hooks = Locked(Hooks())
    let callbacks: BatchQueue<Session.Callback>
    let notifications: BatchQueue<PendingNotification>

    /// What may be set at any time.
    struct Settings {
        var session: Session
        var pool: Exchange.Pool
        var securityPolicy = SecurityPolicy()
        var completionQueue: DispatchQueue?
        var completionGroup: DispatchGroup?
        var operationQueue: OperationQueue?
        var lastTaskIdentifier = 0
    }

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - configuration: What its tasks have in common.
    ///   - transport: What performs exchanges; nil for the process's own, on libcurl.
    public init(
        configuration: SessionConfiguration = .default,
        transport: (any Transport)? = nil
    ) {
        let session = Session(
            configuration: configuration,
            transport: transport ?? CurlTransport.shared,
            callbacks: Session.Callback.makeQueue(),
            notifications: PendingNotification.makeQueue()
        )
        callbacks = session.callbacks
        notifications = session.notifications
        serializer = Locked(JSONResponseSerializer())
        settings = Locked(
            Settings(session: session, pool: session.makePool(SecurityPolicy()))
        )
    }

    // MARK: Hooks

    /// Called when a task is resumed for the first time, on that thread, before anything is sent.
    ///
    /// Every verb and factory passes here.
    open func willStart(_ task: SessionTask) {
        hooks.withLock { $0.willStart }?(task)
    }

    /// Called when a task has completed and its delegate knows how, before its handler, on the
    /// callback queue.
    open func taskDidComplete(_ task: SessionTask, error: BluebonnetError?) {
        hooks.withLock { $0.taskDidComplete }?(task, error)
    }

    /// Called when a task's metrics are complete, before ``taskDidComplete(_:error:)``, on the
    /// callback queue.
    ///
    /// Not called for a task that sent nothing.
    open func taskDidFinishCollectingMetrics(_ task: SessionTask, metrics: TaskMetrics) {
        hooks.withLock { $0.taskDidFinishCollectingMetrics }?(task, metrics)
    }

    /// Called with each piece of a data task's body, after the delegate has it, on the callback
    /// queue.
    open func dataTaskDidReceiveData(_ task: DataTask, data: Data) {
        hooks.withLock { $0.dataTaskDidReceiveData }?(task, data)
    }

    /// Asks which request follows a redirect: the one that is proposed, another, or none, in which
    /// case the redirect itself is the task's response.
    ///
    /// Holds up this task alone.
    ///
    /// The proposed request has lost what was meant for its origin when it leads to another.
    open func taskWillPerformHTTPRedirection(
        _ task: SessionTask,
        head: ResponseHead,
        newRequest: URLRequest
    ) async -> URLRequest? {
        guard let closure = hooks.withLock({ $0.taskWillPerformHTTPRedirection }) else {
            return newRequest
        }
        return await closure(task, head, newRequest)
    }

    /// Called when the last task of an invalidated session has completed, on the callback queue.
    ///
    /// The error is nil when it was ``invalidate(cancelingTasks:resetSession:)`` that ended it.
    open func sessionDidBecomeInvalid(error: BluebonnetError?) {
        hooks.withLock { $0.sessionDidBecomeInvalid }?(error)
    }
}
