import FoundationNetworking

extension HTTPSessionManager {
    /// Sends a POST request with a form whose parts a closure appends, and passes the response to a
    /// handler.
    ///
    /// It corresponds to AFNetworking's `constructingBodyWithBlock` methods. To pass the form as a
    /// value, or to await the response, use
    /// `api.upload(.form(form, parameters: parameters), to: path)`.
    ///
    /// For every form and its errors, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: Fields that come before the other parts, with the order and names that they
    ///     would have in a query.
    ///   - headers: Header fields that override those of the serializer. The body's own
    ///     `Content-Type` is kept, because it contains the boundary.
    ///   - serializer: The serializer that validates and serializes the response.
    ///   - options: Settings for this call alone.
    ///   - constructingBody: Appends the other parts. It is called once on the calling thread
    ///     before this method returns, or not at all if the path, headers or parameters already
    ///     fail the task. An error that it throws fails the task. If there are no parts at all, the
    ///     request is the one that the serializer creates.
    ///   - completionHandler: Called exactly once, whether the task succeeds, fails or is canceled.
    /// - Returns: The running task.
    @_disfavoredOverload
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        constructingBody: (inout MultipartFormData) throws -> Void,
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> UploadTask {
        let request = formRequest(
            .post, path, parameters, headers, TaskOptions(options), constructingBody)
        return start(request, serializer, options, completionHandler)
    }

    /// Sends a PUT request with a form whose parts a closure appends, and passes the response to a
    /// handler.
    ///
    /// For every form and an example, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: Fields that come before the other parts; nil for none.
    ///   - headers: Header fields that override those of the serializer, except for `Content-Type`;
    ///     nil for none.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``SessionManager/responseSerializer``.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    ///   - constructingBody: Appends the other parts. It is called at most once, on the calling
    ///     thread, before this method returns. An error that it throws fails the task.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled.
    /// - Returns: The running task.
    @_disfavoredOverload
    @discardableResult
    public func put<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        constructingBody: (inout MultipartFormData) throws -> Void,
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> UploadTask {
        let request = formRequest(
            .put, path, parameters, headers, TaskOptions(options), constructingBody)
        return start(request, serializer, options, completionHandler)
    }

    /// Sends a PATCH request with a form whose parts a closure appends, and passes the response to
    /// a handler.
    ///
    /// For every form and an example, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: Fields that come before the other parts; nil for none.
    ///   - headers: Header fields that override those of the serializer, except for `Content-Type`;
    ///     nil for none.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``SessionManager/responseSerializer``.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    ///   - constructingBody: Appends the other parts. It is called at most once, on the calling
    ///     thread, before this method returns. An error that it throws fails the task.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled.
    /// - Returns: The running task.
    @_disfavoredOverload
    @discardableResult
    public func patch<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        constructingBody: (inout MultipartFormData) throws -> Void,
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> UploadTask {
        let request = formRequest(
            .patch, path, parameters, headers, TaskOptions(options), constructingBody)
        return start(request, serializer, options, completionHandler)
    }

    private func start<Serializer: ResponseSerializer>(
        _ request: Result<URLRequest, BluebonnetError>,
        _ serializer: Serializer,
        _ options: RequestOptions,
        _ completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> UploadTask {
        let task = uploadTask(
            request, request.form, serializer, TaskOptions(options),
            completionHandler: completionHandler)
        task.resume()
        return task
    }
}
