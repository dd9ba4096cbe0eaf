import FoundationNetworking

extension HTTPSessionManager {
    /// Sends POST with a form whose parts a closure appends, and hands over the response, as in AFNetworking.
    ///
    /// `api.upload(.form(form, parameters: parameters), to: path)` takes the form as a value, and can be
    /// awaited.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: Fields that come first, in the order and with the names of a query.
    ///   - headers: Header fields, which beat those of the serializer. The body's own
    ///     `Content-Type` stays, because its boundary is in it.
    ///   - serializer: Judges and serializes the response.
    ///   - options: Settings of this call alone.
    ///   - constructingBody: Appends the other parts; called on this thread, before this returns,
    ///     once, or not at all where path, headers or parameters fail the task already. What it
    ///     throws fails the task. If there are no parts at all, the request is that of the serializer.
    ///   - completionHandler: Called exactly once, whatever the task's fate.
    /// - Returns: The task, which runs.
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

    /// Sends PUT with a form whose parts a closure appends, and hands over the response, as in AFNetworking.
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

    /// Sends PATCH with a form whose parts a closure appends, and hands over the response, as in AFNetworking.
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
