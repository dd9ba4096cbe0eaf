import FoundationNetworking

extension HTTPSessionManager {
    /// Sends a HEAD request and passes the response, which has a head but no value, to a handler.
    ///
    /// ```swift
    /// api.head("archive.zip") { response in print(response.head?.expectedContentLength ?? -1) }
    /// ```
    ///
    /// Only the status code is validated, by the manager's ``SessionManager/responseSerializer``.
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: The values that ``requestSerializer`` writes into the query; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled. A request that cannot be built fails the task.
    /// - Returns: The running task.
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
    ///
    /// ```swift
    /// let head = try await api.head("archive.zip")
    /// print(head.statusCode, head.expectedContentLength)
    /// ```
    ///
    /// Only the status code is validated, by the manager's ``SessionManager/responseSerializer``.
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: The values that ``requestSerializer`` writes into the query; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The status code and header fields.
    /// - Throws: The error that ended the task, for example
    ///   ``BluebonnetError/unacceptableStatus(_:_:)``. Canceling the Swift task cancels the request
    ///   and throws ``BluebonnetError/cancelled(_:)``.
    @discardableResult
    public func head(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> ResponseHead {
        try await head(of: request(.head, path, parameters, headers, TaskOptions(options)), options)
    }

    /// Sends a HEAD request with `Encodable` parameters and passes the response, which has a head
    /// but no value, to a handler.
    ///
    /// ```swift
    /// api.head("files", parameters: Filter(name: "Ann")) { response in
    ///     print(response.head?.statusCode ?? 0)
    /// }
    /// ```
    ///
    /// Only the status code is validated, by the manager's ``SessionManager/responseSerializer``.
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query; nil
    ///     for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled. A request that cannot be built fails the task.
    /// - Returns: The running task.
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
    ///
    /// ```swift
    /// let head = try await api.head("files", parameters: Filter(name: "Ann"))
    /// ```
    ///
    /// Only the status code is validated, by the manager's ``SessionManager/responseSerializer``.
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query; nil
    ///     for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The status code and header fields.
    /// - Throws: The error that ended the task, for example
    ///   ``BluebonnetError/unacceptableStatus(_:_:)``. Canceling the Swift task cancels the request
    ///   and throws ``BluebonnetError/cancelled(_:)``.
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
