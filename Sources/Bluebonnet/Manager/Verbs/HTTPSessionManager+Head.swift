import FoundationNetworking

extension HTTPSessionManager {
    /// Sends HEAD, and hands over the response, which has no value but its head.
    ///
    /// ```swift
    /// api.head("archive.zip") { response in print(response.head?.expectedContentLength ?? 0) }
    /// ```
    ///
    /// Without a handler, it is awaited, and returns the head:
    ///
    /// ```swift
    /// let head = try await api.head("archive.zip")
    /// print(head.statusCode)
    /// ```
    ///
    /// There is no body, so the head alone is judged, by the status codes that the manager's
    /// ``SessionManager/responseSerializer`` accepts. The parameters are those of
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

    /// Sends HEAD.
    @discardableResult
    public func head(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(.head, path, parameters, headers, HeadSerializer(judge: judge), options, nil)
    }

    /// Sends HEAD and waits for the head of the response.
    @discardableResult
    public func head(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> ResponseHead {
        try await head(of: request(.head, path, parameters, headers, TaskOptions(options)), options)
    }

    /// Sends HEAD with parameters that are encoded, and hands over the response.
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

    /// Sends HEAD with parameters that are encoded.
    @_disfavoredOverload
    @discardableResult
    public func head(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(
            .head, path, parameters, headers, HeadSerializer(judge: judge), options,
            nil)
    }

    /// Sends HEAD with parameters that are encoded, and waits for the head of the response.
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

    /// Sends HEAD with parameters in a dictionary, and hands over the response.
    @_disfavoredOverload
    @discardableResult
    public func head(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Void>) -> Void
    ) -> DataTask {
        let serializer = HeadSerializer(judge: judge)
        return start(
            .head, path, parameters.map { Parameters($0) }, headers, serializer, options,
            completionHandler)
    }

    /// Sends HEAD with parameters in a dictionary.
    @_disfavoredOverload
    @discardableResult
    public func head(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(
            .head, path, parameters.map { Parameters($0) }, headers, HeadSerializer(judge: judge),
            options, nil)
    }

    /// Sends HEAD with parameters in a dictionary, and waits for the head of the response.
    @_disfavoredOverload
    @discardableResult
    public func head(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> ResponseHead {
        try await head(
            of: request(
                .head, path, parameters.map { Parameters($0) }, headers, TaskOptions(options)),
            options)
    }

    private func head(
        of request: Result<URLRequest, BluebonnetError>, _ options: RequestOptions
    ) async throws(BluebonnetError) -> ResponseHead {
        let response = await response(
            request, serializer: HeadSerializer(judge: judge), options: TaskOptions(options))
        try response.result.get()
        guard let head = response.head else {
            throw .unreadableBody("no response came", .init(request: response.request))
        }
        return head
    }
}
