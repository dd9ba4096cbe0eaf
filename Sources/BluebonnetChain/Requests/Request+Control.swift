public import Bluebonnet

extension Request {
    /// Adds an interceptor after the existing interceptors of the request.
    ///
    /// Its adapters have an effect only if it is added before the request starts.
    ///
    /// - Parameter interceptor: The interceptor.
    /// - Returns: The request.
    @discardableResult
    public func interceptor(_ interceptor: any RequestInterceptor) -> Self {
        addInterceptor(interceptor)
        return self
    }

    /// Adds an adapter after the existing interceptors of the request.
    ///
    /// It has an effect only if it is added before the request starts.
    ///
    /// - Parameter adapter: The adapter.
    /// - Returns: The request.
    @discardableResult
    public func adapt(using adapter: any RequestAdapter) -> Self {
        interceptor(Interceptor(adapters: [adapter]))
    }

    /// Adds a retrier after the existing interceptors of the request.
    ///
    /// - Parameter retrier: The retrier.
    /// - Returns: The request.
    @discardableResult
    public func retry(using retrier: any RequestRetrier) -> Self {
        interceptor(Interceptor(retriers: [retrier]))
    }

    /// Sets the handler for the redirects of the request, in place of the manager's handler.
    ///
    /// If you call this method several times, the last handler is used.
    ///
    /// - Parameter handler: The handler.
    /// - Returns: The request.
    @discardableResult
    public func redirect(using handler: any RedirectHandler) -> Self {
        delegate.setRedirects(handler)
        return self
    }

    /// Sets the handler that decides what a cache stores of the request's responses, in place of the
    /// manager's handler.
    ///
    /// If you call this method several times, the last handler is used. It has an effect only if it
    /// is called before the request is sent.
    ///
    /// - Parameter handler: The handler.
    /// - Returns: The request.
    @discardableResult
    public func cacheResponse(using handler: any CachedResponseHandler) -> Self {
        delegate.setCacheHandler { task, response in
            await handler.dataTask(task, willCacheResponse: response)
        }
        return self
    }

    /// Sets a user name and a password for challenges from servers.
    ///
    /// If you set several credentials, the last one is used.
    ///
    /// - Parameters:
    ///   - username: The user name.
    ///   - password: The password.
    ///   - persistence: Stored in the credential. The manager determines how long it keeps the
    ///     credential.
    /// - Returns: The request.
    @discardableResult
    public func authenticate(
        username: String, password: String, persistence: URLCredential.Persistence = .forSession
    ) -> Self {
        authenticate(
            with: URLCredential(user: username, password: password, persistence: persistence))
    }

    /// Sets a credential for challenges from servers.
    ///
    /// If you set several credentials, the last one is used. It is sent only to the origin of the
    /// request, not to the target of a redirect, and only after a server requests it. Other
    /// challenges are passed to the hook
    /// ``/Bluebonnet/SessionManager/didReceiveChallenge(_:challenge:)``.
    ///
    /// - Parameter credential: The credential.
    /// - Returns: The request.
    @discardableResult
    public func authenticate(with credential: URLCredential) -> Self {
        delegate.setCredential(credential)
        return self
    }

    /// Sets a closure that receives the upload progress of the request's body.
    ///
    /// If you call this method several times, the last closure is used.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the closure is called. If it is nil, the default, the
    ///     manager's ``/Bluebonnet/SessionManager/completionQueue`` is used.
    ///   - closure: Called with the progress.
    /// - Returns: The request.
    @discardableResult
    public func uploadProgress(
        queue: DispatchQueue? = nil, closure: @escaping ProgressHandler
    ) -> Self {
        delegate.setUploadProgress(delegate.progressHandler(on: queue, closure))
        return self
    }

    /// Sets a closure that receives the download progress of the response's body.
    ///
    /// If you call this method several times, the last closure is used.
    ///
    /// - Parameters:
    ///   - queue: The queue on which the closure is called. If it is nil, the default, the
    ///     manager's ``/Bluebonnet/SessionManager/completionQueue`` is used.
    ///   - closure: Called with the progress.
    /// - Returns: The request.
    @discardableResult
    public func downloadProgress(
        queue: DispatchQueue? = nil, closure: @escaping ProgressHandler
    ) -> Self {
        delegate.setDownloadProgress(delegate.progressHandler(on: queue, closure))
        return self
    }
}

extension TaskDelegate {
    /// Returns a progress handler that calls a closure on a queue, as ``call(on:_:)`` does.
    fileprivate func progressHandler(
        on queue: DispatchQueue?, _ closure: @escaping ProgressHandler
    ) -> ProgressHandler {
        { [weak self] progress in self?.call(on: queue) { closure(progress) } }
    }
}
