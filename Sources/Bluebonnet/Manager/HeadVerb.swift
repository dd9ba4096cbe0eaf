/// The method HEAD, which a manager sends requests with: ``HTTPSessionManager/head``.
///
/// It is called like a function, as a ``Verb`` is. The response has no body, so only its head is judged, by
/// the status codes that the manager's ``SessionManager/responseSerializer`` accepts.
///
/// ```swift
/// api.head("archive.zip") { response in print(response.head?.expectedContentLength ?? 0) }
/// let head = try await api.head("archive.zip")
/// ```
public struct HeadVerb: Sendable {
    let manager: HTTPSessionManager
}

extension HTTPSessionManager {
    /// Sends HEAD: `try await api.head("archive.zip")` is the response's head.
    ///
    /// ``HeadVerb`` shows every form.
    public var head: HeadVerb { HeadVerb(manager: self) }
}

extension HeadVerb {
    /// Sends a request.
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(path, parameters, headers, options, nil)
    }

    /// Sends a request, and hands over the response, which has no value but its head.
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Void>) -> Void
    ) -> DataTask {
        start(path, parameters, headers, options, completionHandler)
    }

    /// Sends a request and waits for the head of its response.
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> ResponseHead {
        try await head(path, parameters, headers, options)
    }

    /// Sends a request with parameters that are encoded.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(path, try .encoded(parameters), headers, options, nil)
    }

    /// Sends a request with parameters that are encoded, and hands over the response.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Void>) -> Void
    ) -> DataTask {
        start(path, try .encoded(parameters), headers, options, completionHandler)
    }

    /// Sends a request with parameters that are encoded, and waits for the head of its response.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> ResponseHead {
        try await head(path, try .encoded(parameters), headers, options)
    }

    private func start(
        _ path: String,
        _ parameters: @autoclosure () throws -> Parameters?,
        _ headers: HTTPHeaders?,
        _ options: RequestOptions,
        _ completionHandler: (@Sendable (Response<Void>) -> Void)?
    ) -> DataTask {
        let options = TaskOptions(options)
        let task = manager.dataTask(
            manager.request(.head, path, try parameters(), headers, options),
            serializer: HeadSerializer(judge: manager.judge), options: options,
            completionHandler: completionHandler)
        task.resume()
        return task
    }

    private func head(
        _ path: String,
        _ parameters: @autoclosure () throws -> Parameters?,
        _ headers: HTTPHeaders?,
        _ options: RequestOptions
    ) async throws(BluebonnetError) -> ResponseHead {
        let options = TaskOptions(options)
        let response = await manager.response(
            manager.request(.head, path, try parameters(), headers, options),
            serializer: HeadSerializer(judge: manager.judge), options: options)
        try response.result.get()
        guard let head = response.head else {
            throw .unreadableBody("no response came", .init(request: response.request))
        }
        return head
    }
}
