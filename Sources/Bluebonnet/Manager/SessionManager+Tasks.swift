import BluebonnetTransport
public import Foundation
public import FoundationNetworking

extension SessionManager {
    /// Creates a new data task.
    ///
    /// - Parameters:
    ///   - request: The request to send. If it cannot be sent, the task fails.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``responseSerializer``.
    ///   - options: Settings for this task alone.
    ///   - uploadProgress: Called on the callback queue while the request's body is sent.
    ///   - downloadProgress: Called on the callback queue while the response's body arrives.
    ///   - completionHandler: Called exactly once on ``completionQueue``, whether the task
    ///     succeeds, fails or is canceled.
    /// - Returns: The task.
    public func dataTask<Serializer: ResponseSerializer>(
        with request: URLRequest,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        dataTask(
            .success(request),
            serializer: serializer,
            options: TaskOptions(options),
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress,
            completionHandler: completionHandler
        )
    }

    /// Sends a request and waits for its response.
    ///
    /// Canceling the Swift task cancels the request. ``completionQueue`` is not used.
    ///
    /// - Parameters:
    ///   - request: The request to send, as it is: the manager's base URL and request serializer do
    ///     not apply.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``responseSerializer``.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The response, which contains the error if the task failed.
    public func response<Serializer: ResponseSerializer>(
        for request: URLRequest,
        serializer: Serializer = .manager,
        options: RequestOptions = []
    ) async -> Response<Serializer.Value> {
        await response(.success(request), serializer: serializer, options: TaskOptions(options))
    }

    /// Sends a request and waits for the body of its response, of any content type.
    ///
    /// - Parameters:
    ///   - request: The request to send, as it is: the manager's base URL and request serializer do
    ///     not apply.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The body. It is empty if the response has none.
    /// - Throws: The error of the task, for example an unacceptable status code.
    public func data(
        for request: URLRequest, options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await response(
            for: request, serializer: HTTPResponseSerializer(), options: options
        ).result.get()
    }

    // MARK: Creating tasks

    @specialized(where Serializer == HTTPResponseSerializer)
    @specialized(where Serializer == ManagerResponseSerializer)
    func dataTask<Serializer: ResponseSerializer>(
        _ request: Result<URLRequest, BluebonnetError>,
        serializer: Serializer,
        options: TaskOptions?,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        let defaults = serializerDefaults(options)
        return makeTask(
            .made(request),
            Responder(
                serializer: defaults.bound(serializer),
                receiver: .handler(completionHandler)
            ),
            options: options,
            defaults: defaults,
            uploadProgress: uploadProgress,
            downloadProgress: downloadProgress
        )
    }

    func response<Serializer: ResponseSerializer>(
        _ request: Result<URLRequest, BluebonnetError>,
        serializer: Serializer,
        options: TaskOptions?,
        upload: UploadBody? = nil,
        download: Download? = nil,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil
    ) async -> Response<Serializer.Value> {
        let pending = PendingResponse<Serializer.Value>()
        let defaults = serializerDefaults(options)
        let responder = Responder(
            serializer: defaults.bound(serializer), receiver: .awaiting(pending))
        func make<Task: SessionTask>(_ type: Task.Type) -> Task {
            makeTask(
                .made(request), responder, options: options, defaults: defaults, upload: upload,
                flow: download.map { .file($0) } ?? .memory,
                uploadProgress: uploadProgress, downloadProgress: downloadProgress)
        }
        let task: SessionTask =
            if download != nil { make(DownloadTask.self) } else if upload != nil {
                make(UploadTask.self)
            } else { make(DataTask.self) }
        return await withTaskCancellationHandler {
            task.resume()
            return await pending.response
        } onCancel: {
            task.cancel()
        }
    }

    /// Creates a task and registers its delegate.
    ///
    /// Every method that creates a task calls this one. The responder's serializer validates
    /// responses unless `isJudged` is false.
    func makeTask<Task: SessionTask>(
        _ source: RequestSource,
        _ responder: (any TaskResponder)?,
        isJudged: Bool = true,
        options: TaskOptions? = nil,
        defaults: SerializerDefaults? = nil,
        upload: UploadBody? = nil,
        flow: BodyFlow = .memory,
        uploadProgress: ProgressHandler? = nil,
        downloadProgress: ProgressHandler? = nil
    ) -> Task {
        let source = options?.values.applied(to: source) ?? source
        let defaults = defaults ?? serializerDefaults(options)
        var (session, pools, group, completionQueue, identifier, interceptors) = settings.withLock {
            settings in
            settings.lastTaskIdentifier += 1
            return (
                settings.session, settings.pools, settings.completionGroup,
                settings.completionQueue, settings.lastTaskIdentifier, settings.interceptors
            )
        }
        if let options { interceptors += options.values.interceptors }
        if ProcessFork.hasLostThreads { session = .afterFork }
        let delegate = TaskDelegate(
            Task.kind,
            taskIdentifier: identifier,
            session: session,
            setup: TaskSetup(
                source: source, options: options, defaults: defaults, pools: pools,
                isJudged: isJudged, group: group, completionQueue: completionQueue,
                interceptors: interceptors.isEmpty ? nil : TaskInterceptors(interceptors)),
            responder: responder,
            upload: upload,
            flow: flow,
            uploadProgress: uploadProgress ?? options?.values.uploadProgress,
            downloadProgress: downloadProgress ?? options?.values.downloadProgress
        )
        let task = Task(delegate: delegate, taskIdentifier: identifier)
        // Queued before the delegate can be found, so that it precedes the task's other events.
        let isToldOf = delegate.queueIfMonitored(.created)
        session.map.withLock { $0.insert(delegate) }
        if isToldOf { delegate.actOnQueued() }
        return task
    }

    /// Returns an unused identifier for a data task that becomes a download.
    func makeTaskIdentifier() -> Int {
        settings.withLock { settings in
            settings.lastTaskIdentifier += 1
            return settings.lastTaskIdentifier
        }
    }

    // MARK: Invalidation

    /// Ends the session, so that no further task can be started in it.
    ///
    /// Tasks that were never resumed are canceled. When the last task has completed,
    /// ``sessionDidBecomeInvalid(error:)`` is called and ``didInvalidateNotification`` is posted.
    /// The last completion handler can still be running then; ``completionGroup`` waits for it.
    ///
    /// Unused connections are closed at once, and the other connections when their tasks have
    /// ended.
    ///
    /// - Parameters:
    ///   - cancelingTasks: Whether running tasks are canceled. If false, they continue until they
    ///     end.
    ///   - resetSession: Whether a new session with its own connections begins at once, so that the
    ///     manager remains usable.
    public func invalidate(cancelingTasks: Bool, resetSession: Bool) {
        // The tasks and connections are those of the process from which this one was forked.
        guard !ProcessFork.hasLostThreads else { return }
        let (session, pools) = settings.withLock { settings in
            let (session, pools) = (settings.session, settings.pools)
            if resetSession {
                settings.formerSessions.removeAll { $0.map.withLock { $0.isEmpty } }
                settings.formerSessions.append(session)
                settings.session = session.makeSuccessor()
                settings.renewPools()
            }
            return (session, pools)
        }
        // In reverse order, because each cancel would otherwise start the next waiting task.
        for delegate in session.invalidate().reversed()
        where cancelingTasks || delegate.isNew {
            if let task = delegate.task { delegate.cancel(task, because: .invalidation) }
        }
        // After the cancels, which free the connections of their tasks.
        pools.closeSoon()
        if session.map.withLock({ $0.reportEnd(of: session) }) {
            callbacks.dispatchQueue.async { [self] in sessionIsInvalid() }
        }
    }

    /// Calls the hook and posts the notification, on the callback queue.
    func sessionIsInvalid() {
        sessionDidBecomeInvalid(error: nil)
        notifications.post(.sessionDidInvalidate, of: self)
    }
}
