import BluebonnetTransport
public import Foundation

extension SessionManager {
    /// The serializer that validates and serializes responses, for tasks without their own; default
    /// JSON.
    ///
    /// Tasks capture it when they are created. The property can be changed in place from any
    /// thread. Changes are serialized, and readers get the previous value until a change is
    /// complete.
    public var responseSerializer: any ResponseSerializer {
        get { serializer.value }
        _modify { yield &serializer.value }
    }

    /// The policy that decides which servers new tasks trust.
    ///
    /// Hosts in ``securityPolicies`` have their own policies. Tasks capture the policy when they
    /// are created. The property can be changed in place from any thread. Changes are serialized,
    /// and readers get the previous value until a change is complete.
    public var securityPolicy: SecurityPolicy {
        get { settings.withLock { $0.securityPolicy } }
        _modify { yield &self[\.securityPolicy, turns.policy, then: { $0.makePools() }] }
    }

    /// The policies for individual hosts, in place of ``securityPolicy``; default none.
    ///
    /// Each exchange uses the policy of its own host, even after a redirect. Tasks capture the
    /// policies when they are created. The property can be changed in place from any thread.
    /// Changes are serialized, and readers get the previous value until a change is complete.
    ///
    /// Each policy has its own connections, as many as the configuration allows. After a change,
    /// policies that stayed the same keep their connections. If a key is not a valid pattern, tasks
    /// fail with ``BluebonnetError/securityPolicy(_:_:)`` before anything is sent.
    public var securityPolicies: [HostPattern: SecurityPolicy] {
        get { settings.withLock { $0.securityPolicies } }
        _modify { yield &self[\.securityPolicies, turns.policies, then: { $0.makePools() }] }
    }

    /// The queue on which completion handlers run; nil, the default, for the library's own threads.
    ///
    /// Tasks capture it when they are created. The main queue is never the default: on a server
    /// nothing drains it, unless `dispatchMain()` or a run loop does.
    public var completionQueue: DispatchQueue? {
        get { settings.withLock { $0.completionQueue } }
        set { settings.withLock { $0.completionQueue = newValue } }
    }

    /// The group that tasks enter and leave; nil, the default, for none.
    ///
    /// A task enters the group on its first `resume()`, or when it is canceled before that. It
    /// leaves the group after its handlers have returned. A task captures the group when it is
    /// created.
    public var completionGroup: DispatchGroup? {
        get { settings.withLock { $0.completionGroup } }
        set { settings.withLock { $0.completionGroup = newValue } }
    }

    /// The callback queue: the serial queue for callbacks and for hooks that are not `async`.
    ///
    /// It does not determine how many requests run at the same time; ``SessionConfiguration`` does.
    /// Suspending this object or changing its concurrency has no effect on the manager.
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

    /// The cookies that tasks send and servers set; nil if the configuration turns cookies off.
    public var cookieStorage: CookieStorage? { settings.withLock { $0.session.cookies } }

    /// The tasks that have not completed, in the order in which they were created.
    ///
    /// Reading it never blocks.
    public var tasks: [SessionTask] {
        let session = settings.withLock { $0.session }
        return session.map.withLock { $0.all }.compactMap(\.task)
    }

    /// The number of tasks that have started and not ended, also of former sessions.
    var runningCount: Int {
        let sessions = settings.withLock { [$0.session] + $0.formerSessions }
        return sessions.reduce(0) { $0 + $1.map.withLock { $0.runningCount } }
    }

    /// The data tasks in ``tasks``, without upload tasks.
    public var dataTasks: [DataTask] {
        tasks.compactMap { $0 is UploadTask ? nil : $0 as? DataTask }
    }

    /// The upload tasks in ``tasks``.
    public var uploadTasks: [UploadTask] { tasks.compactMap { $0 as? UploadTask } }

    /// The tasks in ``tasks`` whose responses are streamed.
    public var streamTasks: [StreamTask] { tasks.compactMap { $0 as? StreamTask } }

    /// The download tasks in ``tasks``.
    public var downloadTasks: [DownloadTask] { tasks.compactMap { $0 as? DownloadTask } }

    /// Returns the progress of sending a task's request body, as ``SessionTask/uploadProgress``
    /// does.
    public func uploadProgress(for task: SessionTask) -> Progress { task.uploadProgress }

    /// Returns the progress of receiving a task's response body, as ``SessionTask/progress`` does.
    public func downloadProgress(for task: SessionTask) -> Progress { task.progress }
}

extension SessionManager {
    /// A setting that is changed in place by one caller at a time.
    ///
    /// If the value has changed, `renew` is called while the settings are locked.
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
    /// Creates pools for new policies and keeps the pools of unchanged policies.
    fileprivate mutating func makePools() {
        pools = session.makePools(
            securityPolicy, securityPolicies, clientIdentities, former: pools)
    }
}

extension SessionManager {
    /// Returns the defaults for a task's serializers.
    func serializerDefaults(_ options: TaskOptions?) -> SerializerDefaults {
        SerializerDefaults(
            serializer: serializer.value, decoder: options?.values.decoder ?? decoder.value)
    }
}
