public import Foundation
public import FoundationNetworking

extension Request {
    /// Starts the request, or lets a suspended one go on; does nothing to one that has ended or is under way.
    ///
    /// - Returns: The request.
    @discardableResult
    public func resume() -> Self {
        task?.resume()
        return self
    }

    /// Stops the request until it is resumed; one that has not been started waits for ``resume()`` then.
    ///
    /// - Returns: The request.
    @discardableResult
    public func suspend() -> Self {
        task?.suspend()
        return self
    }

    /// Ends the request as cancelled, unless it has ended; its handlers get ``BluebonnetError/cancelled(_:)``.
    ///
    /// - Returns: The request.
    @discardableResult
    public func cancel() -> Self {
        // Its values may still be on the way when all of its body has come.
        if self is DataStreamRequest { delegate.cancelStream() } else { task?.cancel() }
        return self
    }
}

extension Request {
    /// Adapts and retries the request, behind the interceptors that it has.
    ///
    /// Its adapters count if they are added before the request is started.
    ///
    /// - Parameter interceptor: The interceptor.
    /// - Returns: The request.
    @discardableResult
    public func interceptor(_ interceptor: any RequestInterceptor) -> Self {
        task?.addInterceptor(interceptor)
        return self
    }

    /// Adapts the request, behind the interceptors that it has.
    ///
    /// It counts if it is added before the request is started.
    ///
    /// - Parameter adapter: The adapter.
    /// - Returns: The request.
    @discardableResult
    public func adapt(using adapter: any RequestAdapter) -> Self {
        interceptor(Interceptor(adapters: [adapter]))
    }

    /// Retries the request, behind the interceptors that it has.
    ///
    /// - Parameter retrier: The retrier.
    /// - Returns: The request.
    @discardableResult
    public func retry(using retrier: any RequestRetrier) -> Self {
        interceptor(Interceptor(retriers: [retrier]))
    }

    /// Decides about the redirects of the request, in place of its manager's handler; of several the last counts.
    ///
    /// - Parameter handler: The handler.
    /// - Returns: The request.
    @discardableResult
    public func redirect(using handler: any RedirectHandler) -> Self {
        delegate.set(\.redirects, to: .handler(handler))
        return self
    }

    /// Answers challenges of servers with a name and a password; of several calls the last counts.
    ///
    /// - Parameters:
    ///   - username: The name.
    ///   - password: The password.
    ///   - persistence: Kept in the credential; how long it is remembered is up to the manager.
    /// - Returns: The request.
    @discardableResult
    public func authenticate(
        username: String, password: String, persistence: URLCredential.Persistence = .forSession
    ) -> Self {
        authenticate(
            with: URLCredential(user: username, password: password, persistence: persistence))
    }

    /// Answers challenges of servers with a credential; of several calls the last counts.
    ///
    /// It goes to the origin of the request alone, not to one that a redirect leads to, and is not sent before a
    /// server asks. The hook ``SessionManager/didReceiveChallenge(_:challenge:)`` is asked about the rest.
    ///
    /// - Parameter credential: The credential.
    /// - Returns: The request.
    @discardableResult
    public func authenticate(with credential: URLCredential) -> Self {
        delegate.set(\.credential, to: credential)
        return self
    }

    /// Hears of how far the request's body has been sent; of several calls the last counts.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called; nil, the default, for the manager's
    ///     ``SessionManager/completionQueue``.
    ///   - closure: Called with the progress.
    /// - Returns: The request.
    @discardableResult
    public func uploadProgress(
        queue: DispatchQueue? = nil, closure: @escaping ProgressHandler
    ) -> Self {
        let handler = delegate.progressHandler(on: queue, closure)
        delegate.set(\.sending.handler, to: handler)
        return self
    }

    /// Hears of how far the response's body has come; of several calls the last counts.
    ///
    /// - Parameters:
    ///   - queue: Where the closure is called; nil, the default, for the manager's
    ///     ``SessionManager/completionQueue``.
    ///   - closure: Called with the progress.
    /// - Returns: The request.
    @discardableResult
    public func downloadProgress(
        queue: DispatchQueue? = nil, closure: @escaping ProgressHandler
    ) -> Self {
        let handler = delegate.progressHandler(on: queue, closure)
        delegate.set(\.receiving.handler, to: handler)
        return self
    }
}

extension TaskDelegate {
    /// A handler that has a closure called where the chain's closures are.
    fileprivate func progressHandler(
        on queue: DispatchQueue?, _ closure: @escaping ProgressHandler
    ) -> ProgressHandler {
        { [weak self] progress in self?.call(on: queue) { closure(progress) } }
    }

    /// Has a closure called on a queue: its own, the manager's or, where there is neither, in the pool, where those
    /// of one task never overlap.
    func call(on queue: DispatchQueue?, _ closure: @escaping @Sendable () -> Void) {
        let job = session.work.counting(closure)
        if let queue = queue ?? setup.completionQueue { return queue.async(execute: job) }
        runInPool { [self] in
            job()
            leavePool()
        }
    }
}
