import BluebonnetTransport
public import Foundation
public import FoundationNetworking

extension SessionManager {
    /// Makes a data task, suspended.
    ///
    /// - Parameters:
    ///   - request: What to send. One that cannot be sent still yields a task, which fails.
    ///   - serializer: What judges and serializes the response.
    ///   - downloadProgress: Called with each piece of the body, on the callback queue.
    ///   - completionHandler: Called exactly once, whatever the task's fate, on ``completionQueue``.
    /// - Returns: The task.
    public func dataTask<Serializer: ResponseSerializer>(
        with request: URLRequest,
        serializer: Serializer,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        dataTask(
            .success(request),
            serializer: serializer,
            downloadProgress: downloadProgress,
            completionHandler: completionHandler
        )
    }

    /// Makes a data task, suspended, with the manager's ``responseSerializer``.
    ///
    /// The parameters are those of ``dataTask(with:serializer:downloadProgress:completionHandler:)``.
    public func dataTask(
        with request: URLRequest,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<(any Sendable)?>) -> Void)?
    ) -> DataTask {
        dataTask(
            with: request,
            serializer: UntypedResponseSerializer(base: responseSerializer),
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
        serializer: Serializer
    ) async -> Response<Serializer.Value> {
        await response(.success(request), serializer: serializer)
    }

    /// Sends a request and waits for its body, of any content type.
    ///
    /// - Throws: whatever made the task fail, an unacceptable status included.
    public func data(for request: URLRequest) async throws(BluebonnetError) -> Data {
        try await response(for: request, serializer: HTTPResponseSerializer()).result.get()
    }

    // MARK: The primitive

    func dataTask<Serializer: ResponseSerializer>(
        _ request: Result<URLRequest, BluebonnetError>,
        serializer: Serializer,
        downloadProgress: ProgressHandler? = nil,
        completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        makeTask(
            request,
            ResponseDelivery(
                serializer: serializer,
                receiver: .handler(completionHandler, on: completionQueue)
            ),
            downloadProgress: downloadProgress
        )
    }

    func response<Serializer: ResponseSerializer>(
        _ request: Result<URLRequest, BluebonnetError>,
        serializer: Serializer
    ) async -> Response<Serializer.Value> {
        let pending = PendingResponse<Serializer.Value>()
        let task = makeTask(
            request,
            ResponseDelivery(serializer: serializer, receiver: .awaiting(pending))
        )
        return await withTaskCancellationHandler {
            task.resume()
            return await pending.response
        } onCancel: {
            task.cancel()
        }
    }

    /// Makes a task and registers its delegate: every way of calling ends here.
    private func makeTask(
        _ request: Result<URLRequest, BluebonnetError>,
        _ delivery: any TaskDelivery,
        downloadProgress: ProgressHandler? = nil
    ) -> DataTask {
        let (session, pool, group, identifier) = settings.withLock { settings in
            settings.lastTaskIdentifier += 1
            return (
                settings.session, settings.pool, settings.completionGroup,
                settings.lastTaskIdentifier
            )
        }
        let delegate = DataTaskDelegate(
            taskIdentifier: identifier,
            session: session,
            setup: TaskSetup(request: request, pool: pool, group: group),
            delivery: delivery,
            downloadProgress: downloadProgress,
            manager: self
        )
        let task = DataTask(delegate: delegate)
        session.map.withLock { $0.insert(delegate) }
        return task
    }

    // MARK: The session's end

    /// Ends the session: no task can be started in it any more.
    ///
    /// Tasks that were never resumed are cancelled. When the last has completed,
    /// ``sessionDidBecomeInvalid(error:)`` is called and ``didInvalidateNotification`` posted.
    ///
    /// - Parameters:
    ///   - cancelingTasks: Whether tasks under way are cancelled too, rather than waited for.
    ///   - resetSession: Whether a new session begins at once, with connections of its own, so that
    ///     the manager can go on.
    public func invalidate(cancelingTasks: Bool, resetSession: Bool) {
        let session = settings.withLock { settings in
            let session = settings.session
            if resetSession {
                settings.session = session.makeSuccessor()
                settings.pool = settings.session.makePool(settings.securityPolicy)
            }
            return session
        }
        for delegate in session.map.withLock({ $0.invalidate() })
        where cancelingTasks || delegate.isNew {
            delegate.task?.cancel()
        }
        if session.map.withLock({ $0.reportInvalidation() }) {
            callbacks.dispatchQueue.async { [self] in sessionIsInvalid() }
        }
    }

    /// Tells hook and observers, on the callback queue.
    func sessionIsInvalid() {
        sessionDidBecomeInvalid(error: nil)
        notifications.send(
            PendingNotification(name: Self.didInvalidateNotification, object: self)
        )
    }
}
