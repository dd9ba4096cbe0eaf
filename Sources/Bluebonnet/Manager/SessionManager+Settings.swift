import BluebonnetTransport
public import Foundation

extension SessionManager {
    /// Judges and serializes the responses of tasks that name no serializer; default JSON.
    ///
    /// Captured by a task when it is made. It may be changed in place, from any threads: one change
    /// waits for another, and who reads it meanwhile reads what it was.
    public var responseSerializer: any ResponseSerializer {
        get { serializer.value }
        _modify { yield &serializer.value }
    }

    /// Decides which servers are trusted by the tasks made from now on.
    ///
    /// Hosts in ``securityPolicies`` have their own. It is captured by a task when it is made. It may
    /// be changed in place, from any threads: one change waits for another, and who reads it
    /// meanwhile reads what it was.
    public var securityPolicy: SecurityPolicy {
        get { settings.withLock { $0.securityPolicy } }
        _modify { yield &self[\.securityPolicy, turns.policy, then: { $0.makePools() }] }
    }

    /// Policies for some hosts, in the place of ``securityPolicy``; default none.
    ///
    /// Every exchange is judged by the policy of its own host, so that a redirect leads from one to
    /// another. Captured by a task when it is made. It may be changed in place, from any threads: one
    /// change waits for another, and who reads it meanwhile reads what it was. Each policy has
    /// connections of its own, as many as the configuration allows, and those of policies that did
    /// not change are kept. A key that is no pattern makes tasks fail with
    /// ``BluebonnetError/securityPolicy(_:_:)`` before anything is sent.
    public var securityPolicies: [HostPattern: SecurityPolicy] {
        get { settings.withLock { $0.securityPolicies } }
        _modify { yield &self[\.securityPolicies, turns.policies, then: { $0.makePools() }] }
    }

    /// Where completion handlers run; nil, the default, for threads of the library's own.
    ///
    /// Captured by a task when it is made. The main queue is never the default: on a server
    /// nothing drains it, unless `dispatchMain()` or a run loop does.
    public var completionQueue: DispatchQueue? {
        get { settings.withLock { $0.completionQueue } }
        set { settings.withLock { $0.completionQueue = newValue } }
    }

    /// Entered by a task's first `resume()`, left after its handler; nil for a private one.
    ///
    /// Captured by a task when it is made.
    public var completionGroup: DispatchGroup? {
        get { settings.withLock { $0.completionGroup } }
        set { settings.withLock { $0.completionGroup = newValue } }
    }

    /// The serial queue on which callbacks are forwarded and hooks run.
    ///
    /// It is not how many requests run at once: that is ``SessionConfiguration``'s. Suspending or
    /// widening this object changes nothing of the manager's.
    public var operationQueue: OperationQueue {
        settings.withLock { settings in
            if let queue = settings.operationQueue { return queue }
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            queue.underlyingQueue = callbacks.dispatchQueue
            settings.operationQueue = queue
            return queue
        }
    }

    /// The cookies that tasks send and servers set; nil when the configuration turned them off.
    public var cookieStorage: CookieStorage? { settings.withLock { $0.session.cookies } }

    /// The tasks that have not completed, in the order they were made.
    ///
    /// Never blocks.
    public var tasks: [SessionTask] {
        let session = settings.withLock { $0.session }
        return session.map.withLock { $0.all }.compactMap(\.task)
    }

    /// The data tasks among ``tasks``, without uploads.
    public var dataTasks: [DataTask] {
        tasks.compactMap { $0 is UploadTask ? nil : $0 as? DataTask }
    }

    /// The upload tasks among ``tasks``.
    public var uploadTasks: [UploadTask] { tasks.compactMap { $0 as? UploadTask } }

    /// The download tasks among ``tasks``.
    public var downloadTasks: [DownloadTask] { tasks.compactMap { $0 as? DownloadTask } }

    /// How far a task's request body has been sent; the same as the task's own.
    public func uploadProgress(for task: SessionTask) -> Progress { task.uploadProgress }

    /// How far a task's response body has come; the same as the task's own.
    public func downloadProgress(for task: SessionTask) -> Progress { task.progress }
}

extension SessionManager {
    /// A setting that is changed in place, in its turn; if it is another afterwards, `renew` runs,
    /// while the settings are locked.
    subscript<Value: Equatable>(
        path: WritableKeyPath<Settings, Value>,
        turn: SettingTurn,
        then renew: (inout Settings) -> Void
    ) -> Value {
        get { settings.withLock { $0[keyPath: path] } }
        _modify {
            turn.begin()
            var changed = settings.withLock { $0[keyPath: path] }
            defer {
                settings.withLock { settings in
                    swap(&settings[keyPath: path], &changed)
                    if settings[keyPath: path] != changed { renew(&settings) }
                }
                turn.end()
            }
            yield &changed
        }
    }
}

extension SessionManager.Settings {
    /// Makes the pools of new policies, and keeps those of the others.
    fileprivate mutating func makePools() {
        pools = session.makePools(
            securityPolicy, securityPolicies, clientIdentities, former: pools)
    }
}
