public import Bluebonnet

extension Request {
    /// Sets a closure that receives the request of each attempt, after adaptation.
    ///
    /// If you call this method several times, the last closure is used. If a request already
    /// exists, the closure is called with it at once.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the closure is called. If it is nil, the default, the
    ///     manager's ``/Bluebonnet/SessionManager/completionQueue`` is used.
    ///   - handler: Called with the request.
    /// - Returns: The request.
    @discardableResult
    public func onURLRequestCreation(
        on queue: DispatchQueue? = nil,
        perform handler: @escaping @Sendable (_ request: URLRequest) -> Void
    ) -> Self {
        delegate.setRequestHandler { [weak delegate] request in
            delegate?.call(on: queue) { handler(request) }
        }
        return self
    }

    /// Calls a closure with the task.
    ///
    /// The task exists from the start and is the same for all attempts.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the closure is called. If it is nil, the default, the
    ///     manager's ``/Bluebonnet/SessionManager/completionQueue`` is used.
    ///   - handler: Called once, with the task.
    /// - Returns: The request.
    @discardableResult
    public func onURLSessionTaskCreation(
        on queue: DispatchQueue? = nil,
        perform handler: @escaping @Sendable (_ task: SessionTask) -> Void
    ) -> Self {
        delegate.call(on: queue) { handler(self) }
        return self
    }

    /// Calls a closure with the task as Foundation's class, for ported code that names the class.
    ///
    /// The object passes on every call to the ``SessionTask``.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the closure is called. If it is nil, the default, the
    ///     manager's ``/Bluebonnet/SessionManager/completionQueue`` is used.
    ///   - handler: Called once, with the task.
    /// - Returns: The request.
    @_disfavoredOverload
    @discardableResult
    public func onURLSessionTaskCreation(
        on queue: DispatchQueue? = nil,
        perform handler: @escaping @Sendable (_ task: URLSessionTask) -> Void
    ) -> Self {
        onURLSessionTaskCreation(on: queue) { (task: SessionTask) in
            handler(FoundationTask(task))
        }
    }

    /// Calls a closure with the request as a `curl` command, once the request has been created.
    ///
    /// - Parameter handler: Called once, on the manager's
    ///   ``/Bluebonnet/SessionManager/completionQueue``, with the text of
    ///   ``/Bluebonnet/SessionTask/cURLDescription(includingSecrets:)``.
    /// - Returns: The request.
    @discardableResult
    public func cURLDescription(
        calling handler: @escaping @Sendable (_ description: String) -> Void
    ) -> Self {
        awaitCommand(nil, handler)
    }

    /// Calls a closure with the request as a `curl` command, once the request has been created.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the closure is called.
    ///   - handler: Called once, with the text of
    ///     ``/Bluebonnet/SessionTask/cURLDescription(includingSecrets:)``.
    /// - Returns: The request.
    @discardableResult
    public func cURLDescription(
        on queue: DispatchQueue,
        calling handler: @escaping @Sendable (_ description: String) -> Void
    ) -> Self {
        awaitCommand(queue, handler)
    }

    private func awaitCommand(
        _ queue: DispatchQueue?, _ handler: @escaping @Sendable (String) -> Void
    ) -> Self {
        delegate.awaitRequest { [weak delegate] in
            guard let delegate else { return handler(CURLCommand.unavailable) }
            let text = delegate.cURLDescription(includingSecrets: false)
            delegate.call(on: queue) { handler(text) }
        }
        return self
    }
}
