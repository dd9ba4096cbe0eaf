import BluebonnetTransport
public import Foundation
public import FoundationNetworking

extension SessionManager {
    /// The closures of the hooks.
    struct Hooks {
        var willStart: (@Sendable (SessionTask) -> Void)?
        var taskDidComplete: (@Sendable (SessionTask, BluebonnetError?) -> Void)?
        var taskDidFinishCollectingMetrics: (@Sendable (SessionTask, TaskMetrics) -> Void)?
        var dataTaskDidReceiveData: (@Sendable (DataTask, Data) -> Void)?
        var taskWillPerformHTTPRedirection:
            (@Sendable (SessionTask, ResponseHead, URLRequest) async -> URLRequest?)?
        var sessionDidBecomeInvalid: (@Sendable (BluebonnetError?) -> Void)?

        /// Whether none is set that runs on the callback queue.
        var isEmpty: Bool {
            taskDidComplete == nil && taskDidFinishCollectingMetrics == nil
                && dataTaskDidReceiveData == nil && sessionDidBecomeInvalid == nil
        }
    }

    /// Whether code of the user's runs on the callback queue.
    var hasHooks: Bool { isSubclassed || hooks.withLock { !$0.isEmpty } }

    /// Whether anybody hears of data.
    func observesData() -> Bool {
        isSubclassed || hooks.withLock { $0.dataTaskDidReceiveData != nil }
    }

    /// Whether anybody has a say in redirects.
    func decidesRedirects() -> Bool {
        isSubclassed || hooks.withLock { $0.taskWillPerformHTTPRedirection != nil }
    }

    /// Only a subclass can have overridden a hook.
    private var isSubclassed: Bool {
        let type = type(of: self)
        return type != SessionManager.self && type != HTTPSessionManager.self
    }

    /// The closure of ``willStart(_:)``.
    public var willStart: (@Sendable (SessionTask) -> Void)? {
        get { hooks.withLock { $0.willStart } }
        set { hooks.withLock { $0.willStart = newValue } }
    }

    /// The closure of ``taskDidComplete(_:error:)``.
    public var taskDidComplete: (@Sendable (SessionTask, BluebonnetError?) -> Void)? {
        get { hooks.withLock { $0.taskDidComplete } }
        set { hooks.withLock { $0.taskDidComplete = newValue } }
    }

    /// The closure of ``taskDidFinishCollectingMetrics(_:metrics:)``.
    public var taskDidFinishCollectingMetrics: (@Sendable (SessionTask, TaskMetrics) -> Void)? {
        get { hooks.withLock { $0.taskDidFinishCollectingMetrics } }
        set { hooks.withLock { $0.taskDidFinishCollectingMetrics = newValue } }
    }

    /// The closure of ``dataTaskDidReceiveData(_:data:)``.
    public var dataTaskDidReceiveData: (@Sendable (DataTask, Data) -> Void)? {
        get { hooks.withLock { $0.dataTaskDidReceiveData } }
        set { hooks.withLock { $0.dataTaskDidReceiveData = newValue } }
    }

    /// The closure of ``taskWillPerformHTTPRedirection(_:head:newRequest:)``.
    public var taskWillPerformHTTPRedirection:
        (@Sendable (SessionTask, ResponseHead, URLRequest) async -> URLRequest?)?
    {
        get { hooks.withLock { $0.taskWillPerformHTTPRedirection } }
        set { hooks.withLock { $0.taskWillPerformHTTPRedirection = newValue } }
    }

    /// The closure of ``sessionDidBecomeInvalid(error:)``.
    public var sessionDidBecomeInvalid: (@Sendable (BluebonnetError?) -> Void)? {
        get { hooks.withLock { $0.sessionDidBecomeInvalid } }
        set { hooks.withLock { $0.sessionDidBecomeInvalid = newValue } }
    }
}
