import BluebonnetTransport
public import Foundation
public import FoundationNetworking

extension SessionManager {
    /// Makes a data task, suspended.
    ///
    /// - Parameters:
    ///   - request: What to send. One that cannot be sent still yields a task, which fails.
    ///   - serializer: What judges and serializes the response; default the manager's
    ///     ``responseSerializer``.
    ///   - options: What is different for this task.
    ///   - uploadProgress: Called while the request's body is sent, on the callback queue.
    ///   - downloadProgress: Called while the response's body comes, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on ``completionQueue``.
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
    /// Cancelling the Swift task cancels the request.
    ///
    /// ``completionQueue`` plays no part.
    public func response<Serializer: ResponseSerializer>(
        for request: URLRequest,
        serializer: Serializer = .manager,
        options: RequestOptions = []
    ) async -> Response<Serializer.Value> {
        await response(.success(request), serializer: serializer, options: TaskOptions(options))
    }

    /// Sends a request and waits for its body, of any content type.
    ///
    /// - Throws: whatever made the task fail, an unacceptable status included.
    public func data(
        for request: URLRequest, options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await response(
            for: request, serializer: HTTPResponseSerializer(), options: options
        ).result.get()
    }

    // MARK: The primitive

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
            DataTaskDelegate.self,
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
        uploadProgress: ProgressHandler? = nil
    ) async -> Response<Serializer.Value> {
        let pending = PendingResponse<Serializer.Value>()
        let defaults = serializerDefaults(options)
        let responder = Responder(
            serializer: defaults.bound(serializer), receiver: .awaiting(pending))
        let task: DataTask
        if upload == nil {
            task = makeTask(
                DataTaskDelegate.self, .made(request), responder, options: options,
                defaults: defaults)
        } else {
            let uploadTask: UploadTask = makeTask(
                UploadTaskDelegate.self, .made(request), responder, options: options,
                defaults: defaults,
                upload: upload,
                uploadProgress: uploadProgress
            )
            task = uploadTask
        }
        return await withTaskCancellationHandler {
            task.resume()
            return await pending.response
        } onCancel: {
            task.cancel()
        }
    }

    /// Makes a task and registers its delegate: every way of calling ends here.
    ///
    /// The serializer of the responder judges responses, unless `isJudged` is false.
    func makeTask<Task: SessionTask>(
        _ delegateType: TaskDelegate.Type,
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
        let delegate = delegateType.init(
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
        // Told of once it can be found, and before what others do to it from then on.
        let isToldOf = delegate.queueIfMonitored(.created)
        session.map.withLock { $0.insert(delegate) }
        if isToldOf { delegate.actOnQueued() }
        return task
    }

    /// A number that no other task has, for one that goes on as another.
    func makeTaskIdentifier() -> Int {
        settings.withLock { settings in
            settings.lastTaskIdentifier += 1
            return settings.lastTaskIdentifier
        }
    }

    // MARK: The session's end

    /// Ends the session: no task can be started in it any more.
    ///
    /// Tasks that were never resumed are cancelled. When the last has completed,
    /// ``sessionDidBecomeInvalid(error:)`` is called and ``didInvalidateNotification`` posted. That
    /// can be before its completion handler has run, for which ``completionGroup`` waits.
    ///
    /// Unused connections are closed at once, the others when their tasks have ended.
    ///
    /// - Parameters:
    ///   - cancelingTasks: Whether tasks under way are cancelled too, rather than waited for.
    ///   - resetSession: Whether a new session begins at once, with connections of its own, so that
    ///     the manager can go on.
    public func invalidate(cancelingTasks: Bool, resetSession: Bool) {
        let (session, pools) = settings.withLock { settings in
            let (session, pools) = (settings.session, settings.pools)
            if resetSession {
                settings.session = session.makeSuccessor()
                settings.renewPools()
            }
            return (session, pools)
        }
        // The last ones first, or each cancel would let the next waiting task begin.
        for delegate in session.map.withLock({ $0.invalidate() }).reversed()
        where cancelingTasks || delegate.isNew {
            if let task = delegate.task { delegate.cancel(task, because: .invalidation) }
        }
        // Behind the cancels, which free the connections of their tasks.
        pools.closeSoon()
        if session.map.withLock({ $0.reportInvalidation() }) {
            callbacks.dispatchQueue.async { [self] in sessionIsInvalid() }
        }
    }

    /// Tells hook and observers, on the callback queue.
    func sessionIsInvalid() {
        sessionDidBecomeInvalid(error: nil)
        notifications.post(.sessionDidInvalidate, of: self)
    }
}
