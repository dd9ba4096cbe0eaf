import BluebonnetTransport
public import Foundation
public import FoundationNetworking

extension SessionManager {
    /// The closures of the hooks.
    struct Hooks {
        var willStart: (@Sendable (SessionTask) -> Void)?
        var taskDidComplete: (@Sendable (SessionTask, BluebonnetError?) -> Void)?
        var taskDidFinishCollectingMetrics: (@Sendable (SessionTask, TaskMetrics) -> Void)?
        var taskDidSendBodyData: (@Sendable (SessionTask, Int64, Int64, Int64) -> Void)?
        var didReceiveChallenge:
            (@Sendable (SessionTask, AuthenticationChallenge) async -> ChallengeDisposition)?
        var taskNeedsNewBodyStream: (@Sendable (SessionTask) async -> BodyStreamFactory?)?
        var dataTaskDidReceiveResponse: (@Sendable (DataTask, ResponseHead) -> ResponseDisposition)?
        var dataTaskDidBecomeDownloadTask: (@Sendable (DataTask, DownloadTask) -> Void)?
        var dataTaskDidReceiveData: (@Sendable (DataTask, Data) -> Void)?
        var downloadTaskDidFinishDownloading: (@Sendable (DownloadTask, URL) -> URL?)?
        var downloadTaskDidWriteData: (@Sendable (DownloadTask, Int64, Int64, Int64) -> Void)?
        var downloadTaskDidResume: (@Sendable (DownloadTask, Int64, Int64) -> Void)?
        var taskWillPerformHTTPRedirection:
            (@Sendable (SessionTask, ResponseHead, URLRequest) async -> URLRequest?)?
        var sessionDidBecomeInvalid: (@Sendable (BluebonnetError?) -> Void)?
    }

    /// Sets a closure, and lets the tasks know.
    private func setHook(_ change: (inout Hooks) -> Void) {
        let wasChallenged = activeHooks.contains(anyOf: .challenge)
        let former = hooks.withLock { hooks in
            let former = hooks
            change(&hooks)
            noteActiveHooks(hooks)
            return former
        }
        // Whether anybody is asked about servers belongs to the connections to them.
        if activeHooks.contains(anyOf: .challenge) != wasChallenged {
            settings.withLock { $0.renewPools() }
        }
        // Let go outside the lock: what a closure holds may use the manager as it goes.
        withExtendedLifetime(former) {}
    }

    /// Notes which hooks are in use; only a subclass can have overridden one.
    func noteActiveHooks(_ hooks: Hooks) {
        let type = type(of: self)
        let isSubclassed = type != SessionManager.self && type != HTTPSessionManager.self
        activeHooks.replace(with: isSubclassed ? .all : hooks.kinds)
    }

    /// The closure of ``willStart(_:)``.
    public var willStart: (@Sendable (SessionTask) -> Void)? {
        get { hooks.withLock { $0.willStart } }
        set { setHook { $0.willStart = newValue } }
    }

    /// The closure of ``taskDidComplete(_:error:)``.
    public var taskDidComplete: (@Sendable (SessionTask, BluebonnetError?) -> Void)? {
        get { hooks.withLock { $0.taskDidComplete } }
        set { setHook { $0.taskDidComplete = newValue } }
    }

    /// The closure of ``taskDidFinishCollectingMetrics(_:metrics:)``.
    public var taskDidFinishCollectingMetrics: (@Sendable (SessionTask, TaskMetrics) -> Void)? {
        get { hooks.withLock { $0.taskDidFinishCollectingMetrics } }
        set { setHook { $0.taskDidFinishCollectingMetrics = newValue } }
    }

    /// The closure of ``taskDidSendBodyData(_:bytesSent:totalBytesSent:totalBytesExpectedToSend:)``.
    public var taskDidSendBodyData: (@Sendable (SessionTask, Int64, Int64, Int64) -> Void)? {
        get { hooks.withLock { $0.taskDidSendBodyData } }
        set { setHook { $0.taskDidSendBodyData = newValue } }
    }

    /// The closure of ``didReceiveChallenge(_:challenge:)``.
    public var didReceiveChallenge:
        (@Sendable (SessionTask, AuthenticationChallenge) async -> ChallengeDisposition)?
    {
        get { hooks.withLock { $0.didReceiveChallenge } }
        set { setHook { $0.didReceiveChallenge = newValue } }
    }

    /// The closure of ``taskNeedsNewBodyStream(_:)``.
    public var taskNeedsNewBodyStream: (@Sendable (SessionTask) async -> BodyStreamFactory?)? {
        get { hooks.withLock { $0.taskNeedsNewBodyStream } }
        set { setHook { $0.taskNeedsNewBodyStream = newValue } }
    }

    /// The closure of ``dataTaskDidReceiveResponse(_:head:)``.
    public var dataTaskDidReceiveResponse:
        (@Sendable (DataTask, ResponseHead) -> ResponseDisposition)?
    {
        get { hooks.withLock { $0.dataTaskDidReceiveResponse } }
        set { setHook { $0.dataTaskDidReceiveResponse = newValue } }
    }

    /// The closure of ``dataTaskDidBecomeDownloadTask(_:downloadTask:)``.
    public var dataTaskDidBecomeDownloadTask: (@Sendable (DataTask, DownloadTask) -> Void)? {
        get { hooks.withLock { $0.dataTaskDidBecomeDownloadTask } }
        set { setHook { $0.dataTaskDidBecomeDownloadTask = newValue } }
    }

    /// The closure of ``dataTaskDidReceiveData(_:data:)``.
    public var dataTaskDidReceiveData: (@Sendable (DataTask, Data) -> Void)? {
        get { hooks.withLock { $0.dataTaskDidReceiveData } }
        set { setHook { $0.dataTaskDidReceiveData = newValue } }
    }

    /// The closure of ``downloadTaskDidFinishDownloading(_:location:)``.
    public var downloadTaskDidFinishDownloading: (@Sendable (DownloadTask, URL) -> URL?)? {
        get { hooks.withLock { $0.downloadTaskDidFinishDownloading } }
        set { setHook { $0.downloadTaskDidFinishDownloading = newValue } }
    }

    /// The closure of
    /// ``downloadTaskDidWriteData(_:bytesWritten:totalBytesWritten:totalBytesExpectedToWrite:)``.
    public var downloadTaskDidWriteData: (@Sendable (DownloadTask, Int64, Int64, Int64) -> Void)? {
        get { hooks.withLock { $0.downloadTaskDidWriteData } }
        set { setHook { $0.downloadTaskDidWriteData = newValue } }
    }

    /// The closure of ``downloadTaskDidResume(_:fileOffset:expectedTotalBytes:)``.
    public var downloadTaskDidResume: (@Sendable (DownloadTask, Int64, Int64) -> Void)? {
        get { hooks.withLock { $0.downloadTaskDidResume } }
        set { setHook { $0.downloadTaskDidResume = newValue } }
    }

    /// The closure of ``taskWillPerformHTTPRedirection(_:head:newRequest:)``.
    public var taskWillPerformHTTPRedirection:
        (@Sendable (SessionTask, ResponseHead, URLRequest) async -> URLRequest?)?
    {
        get { hooks.withLock { $0.taskWillPerformHTTPRedirection } }
        set { setHook { $0.taskWillPerformHTTPRedirection = newValue } }
    }

    /// The closure of ``sessionDidBecomeInvalid(error:)``.
    public var sessionDidBecomeInvalid: (@Sendable (BluebonnetError?) -> Void)? {
        get { hooks.withLock { $0.sessionDidBecomeInvalid } }
        set { setHook { $0.sessionDidBecomeInvalid = newValue } }
    }
}
