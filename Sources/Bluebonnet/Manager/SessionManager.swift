public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// Creates tasks, forwards their events to their delegates, and calls the manager's hooks.
///
/// Configure a manager, or subclass it. Every hook is an open method whose base implementation
/// calls the closure of the same name. A hook affects a task only through its return value.
///
/// A resumed task keeps its manager alive until its completion is delivered, so hooks apply for the
/// task's whole life. Nothing else keeps the manager alive, except for a cache that still has to
/// ask ``dataTaskWillCacheResponse(_:proposedResponse:)``. Store the state that a subclass adds in a
/// ``Locked``.
open class SessionManager: @unchecked Sendable {
    // @unchecked because the class is open: its own state is constants, `Locked` values and
    // `Setting`s. A subclass that adds stored state must protect it.
    let settings: Locked<Settings>
    let serializer: Setting<any ResponseSerializer>
    /// Decodes JSON unless a call or a serializer specifies another decoder.
    let decoder = Setting(JSONDecoder())
    let turns = Turns()
    let hooks = Locked(Hooks())
    let callbacks: BatchQueue<SessionCore.Callback>
    let audience: TaskEventAudience
    var notifications: NotificationPoster { audience.notifications }

    /// The settings that can be changed at any time.
    struct Settings {
        var session: SessionCore
        /// The sessions before it, as long as they have tasks.
        var formerSessions: [SessionCore] = []
        var pools: PolicyPools
        var securityPolicy = SecurityPolicy()
        var securityPolicies: [HostPattern: SecurityPolicy] = [:]
        var clientIdentities: ClientIdentities
        var completionQueue: DispatchQueue?
        var completionGroup: DispatchGroup?
        var interceptors: [any RequestInterceptor] = []
        /// The settings of a module that is built on this one.
        var layerSettings: (any Sendable)?
        var operationQueue: OperationQueue?
        var lastTaskIdentifier = 0
    }

    /// The turns for changing settings in place.
    struct Turns {
        let policy = SettingTurn()
        let policies = SettingTurn()
        let identities = SettingTurn()
        let interceptors = SettingTurn()
    }

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the manager's tasks.
    ///   - transport: The transport that performs exchanges, or nil for the process's shared
    ///     transport, which uses libcurl.
    public init(
        configuration: SessionConfiguration = .default,
        transport: (any Transport)? = nil
    ) {
        let work = SessionWork(configuration.clock)
        let session = SessionCore(
            configuration: configuration,
            transport: transport ?? CurlTransport.shared,
            cookies: configuration.cookies.storage,
            audience: TaskEventAudience(
                notifications: NotificationPoster(
                    postsAlways: configuration.postsNotifications, work: work),
                work: work),
            owner: SessionOwner(),
            callbacks: SessionCore.Callback.makeQueue()
        )
        callbacks = session.callbacks
        audience = session.audience
        if configuration.tracer != nil { audience.addSpans() }
        serializer = Setting(JSONResponseSerializer())
        let identities = ClientIdentities(anyHost: configuration.clientIdentity)
        settings = Locked(
            Settings(
                session: session,
                pools: session.makePools(SecurityPolicy(), [:], identities),
                clientIdentities: identities
            )
        )
        session.owner.set(self)
        noteHooks(Hooks())
    }

    deinit { audience.removeAll() }

    // MARK: Hooks

    /// Called on the thread that resumes a task for the first time, before anything is sent.
    ///
    /// It is called for every task, whichever method created it.
    open func willStart(_ task: SessionTask) {
        hooks.withLock { $0.willStart }?(task)
    }

    /// Called on the callback queue when a task has completed, before its completion handler.
    ///
    /// The task's delegate already has the outcome.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - error: The error that the task failed with; nil if it succeeded.
    open func taskDidComplete(_ task: SessionTask, error: BluebonnetError?) {
        hooks.withLock { $0.taskDidComplete }?(task, error)
    }

    /// Called on the callback queue when a task's metrics are complete.
    ///
    /// It is called before ``taskDidComplete(_:error:)``. It is not called for a task that sent
    /// nothing.
    open func taskDidFinishCollectingMetrics(_ task: SessionTask, metrics: TaskMetrics) {
        hooks.withLock { $0.taskDidFinishCollectingMetrics }?(task, metrics)
    }

    /// Called on the callback queue while a task's request body is sent, and once all of it was
    /// sent.
    ///
    /// `totalBytesExpectedToSend` is -1 if the length is unknown. The counts start again from zero
    /// when the body is sent again, for example after a redirect, a challenge or a retry.
    open func taskDidSendBodyData(
        _ task: SessionTask,
        bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let closure = hooks.withLock { $0.taskDidSendBodyData }
        closure?(task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
    }

    /// Decides how to answer a challenge, or whether to trust a server.
    ///
    /// It delays only this task, for at most ``SessionConfiguration/challengeTimeout``. It is
    /// called in two cases:
    ///
    /// - A server or proxy asks for a credential. If a credential is refused, the method is called
    ///   again with a higher ``AuthenticationChallenge/previousFailureCount``. At most three
    ///   credentials are tried for a protection space. Any origin that a redirect leads to can send
    ///   a challenge, so check ``AuthenticationChallenge/host`` before you return a password.
    /// - ``SecurityPolicy/serverTrustChallenge`` requires a decision about a server's certificates,
    ///   which are in ``AuthenticationChallenge/serverTrust``. Other tasks that receive the same
    ///   certificates from that server wait for this answer.
    ///
    /// The base implementation calls the closure. Without a closure it performs the default
    /// handling: the task delivers the response with the challenge, and the security policy's
    /// verdict stands.
    open func didReceiveChallenge(
        _ task: SessionTask,
        challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition {
        guard let closure = hooks.withLock({ $0.didReceiveChallenge }) else {
            return .performDefaultHandling
        }
        return await closure(task, challenge)
    }

    /// Returns a closure that creates a new stream for a request body that must be sent again.
    ///
    /// If it returns nil, the body is not sent again: the task fails, or is not retried. It delays
    /// only this task.
    ///
    /// It is called only for a body that can be read once: the request's `httpBodyStream`, or, for
    /// redirects and challenges, a single-use sequence. A retry cannot send such a sequence again.
    /// The base implementation calls the closure of the same name, and returns
    /// nil without one.
    open func taskNeedsNewBodyStream(_ task: SessionTask) async -> BodyStreamFactory? {
        await hooks.withLock { $0.taskNeedsNewBodyStream }?(task)
    }

    /// Decides how a data, upload or stream task continues after the head of its response has
    /// arrived.
    ///
    /// It is called on the callback queue, before any of the body is delivered. A stream cannot
    /// become a download: that answer counts as `.allow`.
    open func dataTaskDidReceiveResponse(
        _ task: SessionTask,
        head: ResponseHead
    ) -> ResponseDisposition {
        hooks.withLock { $0.dataTaskDidReceiveResponse }?(task, head) ?? .allow
    }

    /// Called on the callback queue when a data task has become a download task.
    ///
    /// It is called before the first byte of the download. From then on, the delegate and the
    /// completion handler belong to the download task.
    open func dataTaskDidBecomeDownloadTask(_ task: DataTask, downloadTask: DownloadTask) {
        hooks.withLock { $0.dataTaskDidBecomeDownloadTask }?(task, downloadTask)
    }

    /// Called on the callback queue with each piece of the body of a data, upload or stream task.
    ///
    /// If the body is collected in memory, the delegate already has the piece.
    open func dataTaskDidReceiveData(_ task: SessionTask, data: Data) {
        hooks.withLock { $0.dataTaskDidReceiveData }?(task, data)
    }

    /// Returns the destination of a complete download, or nil for the destination of its task.
    ///
    /// It is called on the callback queue. The whole body is at `location`, and is moved when this
    /// method returns.
    open func downloadTaskDidFinishDownloading(_ task: DownloadTask, location: URL) -> URL? {
        hooks.withLock { $0.downloadTaskDidFinishDownloading }?(task, location)
    }

    /// Called on the callback queue when bytes of a download have been written to its file.
    ///
    /// `totalBytesExpectedToWrite` is -1 if the length is unknown.
    open func downloadTaskDidWriteData(
        _ task: DownloadTask,
        bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        let closure = hooks.withLock { $0.downloadTaskDidWriteData }
        closure?(task, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)
    }

    /// Called on the callback queue when the server continues a partial download.
    ///
    /// It is called before any byte is written.
    open func downloadTaskDidResume(
        _ task: DownloadTask,
        fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        hooks.withLock { $0.downloadTaskDidResume }?(task, fileOffset, expectedTotalBytes)
    }

    /// Returns the request that follows a redirect, or nil to make the redirect the task's
    /// response.
    ///
    /// It delays only this task. Return the proposed request or another one. If the proposed
    /// request leads to another origin, header fields that belong to the previous origin have been
    /// removed.
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

    /// Returns what a cache stores of a response, or nil to store nothing.
    ///
    /// It is called for tasks of every kind, when a cache in front of the transport is about to
    /// store a response, such as `CachingTransport` of the product BluebonnetCache. Without a cache,
    /// it is never called. Return the proposed response or a changed one.
    ///
    /// It does not delay the task, and can be called after the task has completed, for example
    /// when a cache refreshes a response in the background. It has no time limit.
    ///
    /// A task's own handler, which a request chain can set, replaces it. The base implementation
    /// calls the closure, and returns the proposed response without one. Set the closure before
    /// you create tasks, because it is not called for requests that have already been sent without
    /// one.
    open func dataTaskWillCacheResponse(
        _ task: SessionTask,
        proposedResponse: CachedResponse
    ) async -> CachedResponse? {
        guard let closure = hooks.withLock({ $0.dataTaskWillCacheResponse }) else {
            return proposedResponse
        }
        return await closure(task, proposedResponse)
    }

    /// Called on the callback queue when the last task of an invalidated session has completed.
    ///
    /// The last completion handlers can still be running. Wait for ``completionGroup`` before
    /// exiting the process.
    ///
    /// The error is nil if ``invalidate(cancelingTasks:resetSession:)`` ended the session.
    open func sessionDidBecomeInvalid(error: BluebonnetError?) {
        hooks.withLock { $0.sessionDidBecomeInvalid }?(error)
    }
}
