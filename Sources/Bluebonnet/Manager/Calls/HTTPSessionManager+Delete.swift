public import Foundation

extension HTTPSessionManager {
    /// Sends a DELETE request and passes the serialized response to a handler.
    ///
    /// ```swift
    /// api.delete("users/7") { response in print(response.result) }
    /// ```
    ///
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: The values that ``requestSerializer`` writes into the query; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``SessionManager/responseSerializer``.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled. A request that cannot be built fails the task.
    /// - Returns: The running task.
    @discardableResult
    public func delete<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        start(.delete, path, parameters, headers, serializer, options, completionHandler)
    }

    /// Sends a DELETE request and passes the response, decoded from JSON, to a handler.
    ///
    /// ```swift
    /// api.delete("users/7", as: User?.self) { response in print(response.result) }
    /// ```
    ///
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: The values that ``requestSerializer`` writes into the query; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - type: The type to decode. Use an optional type if the body can be empty.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled. A request that cannot be built fails the task.
    /// - Returns: The running task.
    @discardableResult
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> DataTask {
        start(.delete, path, parameters, headers, decoding(), options, completionHandler)
    }

    /// Sends a DELETE request and returns the body of the response, of any content type.
    ///
    /// ```swift
    /// try await api.delete("users/7")
    /// ```
    ///
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: The values that ``requestSerializer`` writes into the query; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The body. It is empty if the response has none.
    /// - Throws: The error that ended the task, for example
    ///   ``BluebonnetError/unacceptableStatus(_:_:)``. Canceling the Swift task cancels the request
    ///   and throws ``BluebonnetError/cancelled(_:)``.
    @discardableResult
    public func delete(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(.delete, path, parameters, headers, body, options)
    }

    /// Sends a DELETE request and returns the response, decoded from JSON.
    ///
    /// ```swift
    /// let deleted = try await api.delete("users/7", as: User?.self)
    /// ```
    ///
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: The values that ``requestSerializer`` writes into the query; nil for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - type: The type to decode, which can be omitted if the result has a declared type. Use an
    ///     optional type if the body can be empty.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The decoded value.
    /// - Throws: The error that ended the task, for example
    ///   ``BluebonnetError/unacceptableStatus(_:_:)``. Canceling the Swift task cancels the request
    ///   and throws ``BluebonnetError/cancelled(_:)``.
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(.delete, path, parameters, headers, decoding(), options)
    }

    /// Sends a DELETE request with `Encodable` parameters and passes the serialized response to a
    /// handler.
    ///
    /// ```swift
    /// api.delete("users", parameters: Filter(name: "Ann")) { response in
    ///     print(response.result)
    /// }
    /// ```
    ///
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query; nil
    ///     for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``SessionManager/responseSerializer``.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled. A request that cannot be built fails the task.
    /// - Returns: The running task.
    @_disfavoredOverload
    @discardableResult
    public func delete<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        start(.delete, path, parameters, headers, serializer, options, completionHandler)
    }

    /// Sends a DELETE request with `Encodable` parameters and passes the response, decoded from
    /// JSON, to a handler.
    ///
    /// ```swift
    /// api.delete("users", parameters: Filter(name: "Ann"), as: [User].self) { response in
    ///     print(response.result)
    /// }
    /// ```
    ///
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query; nil
    ///     for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - type: The type to decode. Use an optional type if the body can be empty.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled. A request that cannot be built fails the task.
    /// - Returns: The running task.
    @_disfavoredOverload
    @discardableResult
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> DataTask {
        start(.delete, path, parameters, headers, decoding(), options, completionHandler)
    }

    /// Sends a DELETE request with `Encodable` parameters and returns the body of the response, of
    /// any content type.
    ///
    /// ```swift
    /// try await api.delete("users", parameters: Filter(name: "Ann"))
    /// ```
    ///
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query; nil
    ///     for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The body. It is empty if the response has none.
    /// - Throws: The error that ended the task, for example
    ///   ``BluebonnetError/unacceptableStatus(_:_:)``. Canceling the Swift task cancels the request
    ///   and throws ``BluebonnetError/cancelled(_:)``.
    @_disfavoredOverload
    @discardableResult
    public func delete(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(.delete, path, parameters, headers, body, options)
    }

    /// Sends a DELETE request with `Encodable` parameters and returns the response, decoded from
    /// JSON.
    ///
    /// ```swift
    /// let deleted = try await api.delete("users", parameters: Filter(name: "Ann"), as: [User].self)
    /// ```
    ///
    /// For every form, the errors and the options, see <doc:VerbForms>.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: An `Encodable` value that ``requestSerializer`` writes into the query; nil
    ///     for none.
    ///   - headers: Header fields that override those of ``requestSerializer``; nil for none.
    ///   - type: The type to decode, which can be omitted if the result has a declared type. Use an
    ///     optional type if the body can be empty.
    ///   - options: Settings for this call alone, such as `.timeout(5)`, in seconds.
    /// - Returns: The decoded value.
    /// - Throws: The error that ended the task, for example
    ///   ``BluebonnetError/unacceptableStatus(_:_:)``. Canceling the Swift task cancels the request
    ///   and throws ``BluebonnetError/cancelled(_:)``.
    @_disfavoredOverload
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(.delete, path, parameters, headers, decoding(), options)
    }
}
