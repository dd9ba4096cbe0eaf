import FoundationNetworking

extension HTTPSessionManager {
    /// Sends a HEAD request and passes the response, which has a head but no value, to a handler.
    ///
    /// ```swift
    /// api.head("archive.zip") { response in print(response.head?.expectedContentLength ?? 0) }
    /// ```
    ///
    /// The form without a handler is awaited, and returns the head:
    ///
    /// ```swift
    /// let head = try await api.head("archive.zip")
    /// print(head.statusCode)
    /// ```
    ///
    /// There is no body, so only the status code is validated. The manager's
    /// ``SessionManager/responseSerializer`` decides which status codes are accepted. For the
    /// parameters, see
    /// ``get(_:parameters:headers:serializer:options:completionHandler:)-(_,Parameters?,_,_,_,_)``.
    @discardableResult
    public func head(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Void>) -> Void
    ) -> DataTask {
        let serializer = HeadSerializer(judge: judge)
        return start(.head, path, parameters, headers, serializer, options, completionHandler)
    }

    /// Sends a HEAD request and returns the head of the response.
    @discardableResult
    public func head(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> ResponseHead {
        try await head(of: request(.head, path, parameters, headers, TaskOptions(options)), options)
    }

    /// Sends a HEAD request with `Encodable` parameters and passes the response to a handler.
    @_disfavoredOverload
    @discardableResult
    public func head(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Void>) -> Void
    ) -> DataTask {
        let serializer = HeadSerializer(judge: judge)
        return start(.head, path, parameters, headers, serializer, options, completionHandler)
    }

    /// Sends a HEAD request with `Encodable` parameters and returns the head of the response.
    @_disfavoredOverload
    @discardableResult
    public func head(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> ResponseHead {
        try await head(
            of: request(.head, path, parameters, headers, TaskOptions(options)),
            options)
    }

    private func head(
        of request: Result<URLRequest, BluebonnetError>, _ options: RequestOptions
    ) async throws(BluebonnetError) -> ResponseHead {
        let response = await response(
            request, serializer: HeadSerializer(judge: judge), options: TaskOptions(options))
        try response.result.get()
        guard let head = response.head else {
            throw .unreadableBody("no response was received", .init(request: response.request))
        }
        return head
    }
}
