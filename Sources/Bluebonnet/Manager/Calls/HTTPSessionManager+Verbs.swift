import FoundationNetworking

// The implementation that all verbs share.
extension HTTPSessionManager {
    /// Creates a task for a method and a path, and starts it.
    func start<Serializer: ResponseSerializer>(
        _ method: HTTPMethod,
        _ path: String,
        _ parameters: (any Encodable & Sendable)?,
        _ headers: HTTPHeaders?,
        _ serializer: Serializer,
        _ options: RequestOptions,
        _ completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        let options = TaskOptions(options)
        let task = dataTask(
            request(method, path, parameters, headers, options),
            serializer: serializer, options: options, completionHandler: completionHandler)
        task.resume()
        return task
    }

    /// Sends a request for a method and a path, and returns the value of its response.
    func value<Serializer: ResponseSerializer>(
        _ method: HTTPMethod,
        _ path: String,
        _ parameters: (any Encodable & Sendable)?,
        _ headers: HTTPHeaders?,
        _ serializer: Serializer,
        _ options: RequestOptions
    ) async throws(BluebonnetError) -> Serializer.Value {
        let options = TaskOptions(options)
        return try await response(
            request(method, path, parameters, headers, options),
            serializer: serializer, options: options
        ).result.get()
    }
}
