import FoundationNetworking

extension Verb {
    /// Sends a form whose parts a closure appends, and hands over the response, as in AFNetworking.
    ///
    /// `api.upload(.form(form, parameters: parameters), to: path)` takes the form as a value, and can be
    /// awaited.
    ///
    /// - Parameters:
    ///   - path: A path below ``HTTPSessionManager/baseURL``, or a whole URL.
    ///   - parameters: Fields that come first, in the order and with the names of a query.
    ///   - headers: Header fields, which beat those of the serializer. The body's own
    ///     `Content-Type` stays, because its boundary is in it.
    ///   - serializer: What judges and serializes the response.
    ///   - options: What is different for this call.
    ///   - constructingBody: Appends the other parts; called on this thread, before this returns,
    ///     once, or not at all where path, headers or parameters fail the task already. What it
    ///     throws fails the task. Without any part the form is no form: the request is that of the
    ///     serializer.
    ///   - completionHandler: Called exactly once, whatever the task's fate.
    /// - Returns: The task.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        constructingBody: (inout MultipartFormData) throws -> Void,
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> UploadTask {
        let options = TaskOptions(options)
        let request = manager.formRequest(
            method, path, parameters, headers, options, constructingBody)
        let task = manager.uploadTask(
            request, request.form, serializer, options, completionHandler: completionHandler)
        task.resume()
        return task
    }
}
