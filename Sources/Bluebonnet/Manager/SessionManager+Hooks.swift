public import BluebonnetTransport
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
        var dataTaskDidReceiveResponse:
            (@Sendable (SessionTask, ResponseHead) -> ResponseDisposition)?
        var dataTaskDidBecomeDownloadTask: (@Sendable (DataTask, DownloadTask) -> Void)?
        var dataTaskDidReceiveData: (@Sendable (SessionTask, Data) -> Void)?
        var downloadTaskDidFinishDownloading: (@Sendable (DownloadTask, URL) -> URL?)?
        var downloadTaskDidWriteData: (@Sendable (DownloadTask, Int64, Int64, Int64) -> Void)?
        var downloadTaskDidResume: (@Sendable (DownloadTask, Int64, Int64) -> Void)?
        var taskWillPerformHTTPRedirection:
            (@Sendable (SessionTask, ResponseHead, URLRequest) async -> URLRequest?)?
        var dataTaskWillCacheResponse:
            (@Sendable (SessionTask, CachedResponse) async -> CachedResponse?)?
        var sessionDidBecomeInvalid: (@Sendable (BluebonnetError?) -> Void)?
    }

    /// Changes a closure and updates the hooks in use.
    private func setHook(_ change: (inout Hooks) -> Void) {
        let former = hooks.withLock { hooks in
            let former = hooks
            change(&hooks)
            noteHooks(hooks)
            return former
        }
        // Released outside the lock: an object that the closure holds can use the manager in its
        // deinit.
        withExtendedLifetime(former) {}
    }

    /// Records which hooks are in use.
    ///
    /// A subclass counts as using all of them, because it can override any.
    func noteHooks(_ hooks: Hooks) {
        let type = type(of: self)
        let isSubclassed = type != SessionManager.self && type != HTTPSessionManager.self
        audience.hooked = isSubclassed ? .all : hooks.interests
    }

    /// Calls the hook that observes events of this kind.
    ///
    /// Hooks that return an answer are called where the answer is needed.
    func callHook(for kind: TaskEvent.Kind, of task: SessionTask) {
        let download = task as? DownloadTask
        switch kind {
        case .started: willStart(task)
        case .sentBodyData(let count, let total, let expectedTotal):
            taskDidSendBodyData(
                task, bytesSent: count, totalBytesSent: total,
                totalBytesExpectedToSend: expectedTotal)
        case .receivedData(let data): dataTaskDidReceiveData(task, data: data)
        case .becameDownload(let former):
            if let download { dataTaskDidBecomeDownloadTask(former, downloadTask: download) }
        case .resumedDownload(let offset, let expectedTotal):
            if let download {
                downloadTaskDidResume(
                    download, fileOffset: offset, expectedTotalBytes: expectedTotal)
            }
        case .wroteData(let count, let total, let expectedTotal):
            if let download {
                downloadTaskDidWriteData(
                    download, bytesWritten: count, totalBytesWritten: total,
                    totalBytesExpectedToWrite: expectedTotal)
            }
        case .collectedMetrics(let metrics):
            taskDidFinishCollectingMetrics(task, metrics: metrics)
        case .completed(let error): taskDidComplete(task, error: error)
        default: break
        }
    }

    /// The closure that ``willStart(_:)`` calls.
    public var willStart: (@Sendable (SessionTask) -> Void)? {
        get { hooks.withLock { $0.willStart } }
        set { setHook { $0.willStart = newValue } }
    }

    /// The closure that ``taskDidComplete(_:error:)`` calls.
    public var taskDidComplete: (@Sendable (SessionTask, BluebonnetError?) -> Void)? {
        get { hooks.withLock { $0.taskDidComplete } }
        set { setHook { $0.taskDidComplete = newValue } }
    }

    /// The closure that ``taskDidFinishCollectingMetrics(_:metrics:)`` calls.
    public var taskDidFinishCollectingMetrics: (@Sendable (SessionTask, TaskMetrics) -> Void)? {
        get { hooks.withLock { $0.taskDidFinishCollectingMetrics } }
        set { setHook { $0.taskDidFinishCollectingMetrics = newValue } }
    }

    /// The closure that
    /// ``taskDidSendBodyData(_:bytesSent:totalBytesSent:totalBytesExpectedToSend:)`` calls.
    public var taskDidSendBodyData: (@Sendable (SessionTask, Int64, Int64, Int64) -> Void)? {
        get { hooks.withLock { $0.taskDidSendBodyData } }
        set { setHook { $0.taskDidSendBodyData = newValue } }
    }

    /// The closure that ``didReceiveChallenge(_:challenge:)`` calls.
    public var didReceiveChallenge:
        (@Sendable (SessionTask, AuthenticationChallenge) async -> ChallengeDisposition)?
    {
        get { hooks.withLock { $0.didReceiveChallenge } }
        set {
            setHook { $0.didReceiveChallenge = newValue }
            // The new hook might trust servers that were refused before.
            settings.withLock { $0.pools }.forgetRefusals()
        }
    }

    /// The closure that ``taskNeedsNewBodyStream(_:)`` calls.
    public var taskNeedsNewBodyStream: (@Sendable (SessionTask) async -> BodyStreamFactory?)? {
        get { hooks.withLock { $0.taskNeedsNewBodyStream } }
        set { setHook { $0.taskNeedsNewBodyStream = newValue } }
    }

    /// The closure that ``dataTaskDidReceiveResponse(_:head:)`` calls.
    public var dataTaskDidReceiveResponse:
        (@Sendable (SessionTask, ResponseHead) -> ResponseDisposition)?
    {
        get { hooks.withLock { $0.dataTaskDidReceiveResponse } }
        set { setHook { $0.dataTaskDidReceiveResponse = newValue } }
    }

    /// The closure that ``dataTaskDidBecomeDownloadTask(_:downloadTask:)`` calls.
    public var dataTaskDidBecomeDownloadTask: (@Sendable (DataTask, DownloadTask) -> Void)? {
        get { hooks.withLock { $0.dataTaskDidBecomeDownloadTask } }
        set { setHook { $0.dataTaskDidBecomeDownloadTask = newValue } }
    }

    /// The closure that ``dataTaskDidReceiveData(_:data:)`` calls.
    public var dataTaskDidReceiveData: (@Sendable (SessionTask, Data) -> Void)? {
        get { hooks.withLock { $0.dataTaskDidReceiveData } }
        set { setHook { $0.dataTaskDidReceiveData = newValue } }
    }

    /// The closure that ``downloadTaskDidFinishDownloading(_:location:)`` calls.
    public var downloadTaskDidFinishDownloading: (@Sendable (DownloadTask, URL) -> URL?)? {
        get { hooks.withLock { $0.downloadTaskDidFinishDownloading } }
        set { setHook { $0.downloadTaskDidFinishDownloading = newValue } }
    }

    /// The closure that
    /// ``downloadTaskDidWriteData(_:bytesWritten:totalBytesWritten:totalBytesExpectedToWrite:)``
    /// calls.
    public var downloadTaskDidWriteData: (@Sendable (DownloadTask, Int64, Int64, Int64) -> Void)? {
        get { hooks.withLock { $0.downloadTaskDidWriteData } }
        set { setHook { $0.downloadTaskDidWriteData = newValue } }
    }

    /// The closure that ``downloadTaskDidResume(_:fileOffset:expectedTotalBytes:)`` calls.
    public var downloadTaskDidResume: (@Sendable (DownloadTask, Int64, Int64) -> Void)? {
        get { hooks.withLock { $0.downloadTaskDidResume } }
        set { setHook { $0.downloadTaskDidResume = newValue } }
    }

    /// The closure that ``taskWillPerformHTTPRedirection(_:head:newRequest:)`` calls.
    public var taskWillPerformHTTPRedirection:
        (@Sendable (SessionTask, ResponseHead, URLRequest) async -> URLRequest?)?
    {
        get { hooks.withLock { $0.taskWillPerformHTTPRedirection } }
        set { setHook { $0.taskWillPerformHTTPRedirection = newValue } }
    }

    /// The closure that ``dataTaskWillCacheResponse(_:proposedResponse:)`` calls.
    public var dataTaskWillCacheResponse:
        (@Sendable (SessionTask, CachedResponse) async -> CachedResponse?)?
    {
        get { hooks.withLock { $0.dataTaskWillCacheResponse } }
        set { setHook { $0.dataTaskWillCacheResponse = newValue } }
    }

    /// The closure that ``sessionDidBecomeInvalid(error:)`` calls.
    public var sessionDidBecomeInvalid: (@Sendable (BluebonnetError?) -> Void)? {
        get { hooks.withLock { $0.sessionDidBecomeInvalid } }
        set { setHook { $0.sessionDidBecomeInvalid = newValue } }
    }
}

extension SessionManager.Hooks {
    /// The kinds of events for which a closure is set.
    fileprivate var interests: TaskEvent.Interests {
        var interests: TaskEvent.Interests = []
        func note(_ interest: TaskEvent.Interests, _ isUsed: Bool) {
            if isUsed { interests.insert(interest) }
        }
        note(.started, willStart != nil)
        note(.sentBodyData, taskDidSendBodyData != nil)
        note(.needsNewBodyStream, taskNeedsNewBodyStream != nil)
        note(.receivedHead, dataTaskDidReceiveResponse != nil)
        note(.willRedirect, taskWillPerformHTTPRedirection != nil)
        note(.willCacheResponse, dataTaskWillCacheResponse != nil)
        note(.challenged, didReceiveChallenge != nil)
        note(.receivedData, dataTaskDidReceiveData != nil)
        note(.becameDownload, dataTaskDidBecomeDownloadTask != nil)
        note(.resumedDownload, downloadTaskDidResume != nil)
        note(.wroteData, downloadTaskDidWriteData != nil)
        note(.finishedDownloading, downloadTaskDidFinishDownloading != nil)
        note(.collectedMetrics, taskDidFinishCollectingMetrics != nil)
        note(.completed, taskDidComplete != nil)
        return interests
    }
}
