public import BluebonnetTransport
public import Foundation
public import FoundationNetworking

/// Makes tasks, forwards what happens to each to its delegate, and tells its hooks.
///
/// Configure one, or subclass it: every hook is an open method whose own implementation calls the
/// closure of the same name. A hook changes no more
/// of a task than its answer says, and one that only observes changes nothing. A resumed task holds
/// its manager until its completion is delivered, so hooks apply to the whole of it; nothing else
/// does. Put the state that a subclass stores into a ``Locked``.
open class SessionManager: @unchecked Sendable {
    // @unchecked because the class is open: its own state is constants, `Locked` values and
    // `Setting`s. A subclass that stores state of its own protects it itself.
    let settings: Locked<Settings>
    let serializer: Setting<any ResponseSerializer>
    /// Decodes JSON where neither a call nor a serializer says otherwise.
    let decoder = Setting(JSONDecoder())
    let turns = Turns()
    let hooks = Locked(Hooks())
    let callbacks: BatchQueue<SessionCore.Callback>
    let audience: TaskEventAudience
    var notifications: NotificationPoster { audience.notifications }

    /// What may be set at any time.
    struct Settings {
        var session: SessionCore
        var pools: PolicyPools
        var securityPolicy = SecurityPolicy()
        var securityPolicies: [HostPattern: SecurityPolicy] = [:]
        var clientIdentities: ClientIdentities
        var completionQueue: DispatchQueue?
        var completionGroup: DispatchGroup?
        var interceptors: [any RequestInterceptor] = []
        var startsRequestsImmediately = true
        var validatesByDefault = false
        var operationQueue: OperationQueue?
        var lastTaskIdentifier = 0
    }

    /// Who may change in place those of the settings that can be.
    struct Turns {
        let policy = SettingTurn()
        let policies = SettingTurn()
        let identities = SettingTurn()
        let interceptors = SettingTurn()
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

    /// Called with the bytes of a task's request that were sent, now and then and at their end, on
    /// the callback queue.
    ///
    /// The expected total is -1 when it is not known. After a redirect or an authentication that
    /// sends the body once more, the counts begin anew.
    open func taskDidSendBodyData(
        _ task: SessionTask,
        bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let closure = hooks.withLock { $0.taskDidSendBodyData }
        closure?(task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
    }

    /// Asks what is to be done about a server, or proxy, that wants to know who is asking, or about
    /// a server whose certificates the security policy does not accept.
    ///
    /// Holds up this task alone, and at most for ``SessionConfiguration/challengeTimeout``. About a
    /// server, with ``AuthenticationChallenge/serverTrust``, it is asked when
    /// ``SecurityPolicy/serverTrustChallenge`` says so; tasks that meet the same certificates
    /// meanwhile wait for the same answer. About a credential it is asked again, with
    /// ``AuthenticationChallenge/previousFailureCount`` counted up, for one that was refused, up to
    /// three times a protection space. Every origin that a redirect reaches may ask, so look at
    /// ``AuthenticationChallenge/host`` before you give a password.
    ///
    /// The base implementation, without a closure, performs the default handling: the response with
    /// the challenge is the task's, and the policy's verdict stands.
    open func didReceiveChallenge(
        _ task: SessionTask,
        challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition {
        guard let closure = hooks.withLock({ $0.didReceiveChallenge }) else {
            return .performDefaultHandling
        }
        return await closure(task, challenge)
    }

    /// Asks for another stream of a request's body, which has to be sent once more; nil makes the
    /// task fail.
    ///
    /// Holds up this task alone. Only asked for a body that came as the request's `httpBodyStream`:
    /// every other can be opened again. The base implementation, without a closure, has none.
    open func taskNeedsNewBodyStream(_ task: SessionTask) async -> BodyStreamFactory? {
        await hooks.withLock { $0.taskNeedsNewBodyStream }?(task)
    }

    /// Asks what becomes of a data task whose response's head has arrived, before any of its body
    /// is delivered, on the callback queue.
    open func dataTaskDidReceiveResponse(
        _ task: DataTask,
        head: ResponseHead
    ) -> ResponseDisposition {
        hooks.withLock { $0.dataTaskDidReceiveResponse }?(task, head) ?? .allow
    }

    /// Called when a data task has become a download, before the download's first byte, on the
    /// callback queue.
    ///
    /// The delegate, with the completion handler, is the download's from then on.
    open func dataTaskDidBecomeDownloadTask(_ task: DataTask, downloadTask: DownloadTask) {
        hooks.withLock { $0.dataTaskDidBecomeDownloadTask }?(task, downloadTask)
    }

    /// Called with each piece of a data task's body, after the delegate has it, on the callback
    /// queue.
    open func dataTaskDidReceiveData(_ task: DataTask, data: Data) {
        hooks.withLock { $0.dataTaskDidReceiveData }?(task, data)
    }

    /// Asks where the complete file of a download goes; nil for the place that the task was made
    /// with (AFNetworking, S14).
    ///
    /// Runs on the callback queue. At the location is the whole body; it is moved when this returns.
    open func downloadTaskDidFinishDownloading(_ task: DownloadTask, location: URL) -> URL? {
        hooks.withLock { $0.downloadTaskDidFinishDownloading }?(task, location)
    }

    /// Called with the bytes of a download that were written to its file, on the callback queue.
    ///
    /// The expected total is -1 when it is not known.
    open func downloadTaskDidWriteData(
        _ task: DownloadTask,
        bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        let closure = hooks.withLock { $0.downloadTaskDidWriteData }
        closure?(task, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)
    }

    /// Called when the server goes on with a download behind what an earlier one left, before any
    /// byte is written, on the callback queue.
    open func downloadTaskDidResume(
        _ task: DownloadTask,
        fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        hooks.withLock { $0.downloadTaskDidResume }?(task, fileOffset, expectedTotalBytes)
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
    /// That can be before the last completion handlers have run. Who ends the process waits for
    /// ``completionGroup``.
    ///
    /// The error is nil when it was ``invalidate(cancelingTasks:resetSession:)`` that ended it.
    open func sessionDidBecomeInvalid(error: BluebonnetError?) {
        hooks.withLock { $0.sessionDidBecomeInvalid }?(error)
    }
}
