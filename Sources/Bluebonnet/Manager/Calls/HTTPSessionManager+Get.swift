public import Foundation

extension HTTPSessionManager {
    /// Sends a GET request and passes the serialized response to a handler.
    ///
    /// ```swift
    /// api.get("users", parameters: ["page": 1]) { response in print(response) }
    /// api.get("feed", serializer: .xmlDocument) { response in print(response) }
    /// api.get("users/1", as: User.self) { response in print(response) }  // Decoded from JSON.
    /// ```
    ///
    /// The forms without a handler are awaited:
    ///
    /// ```swift
    /// let data = try await api.get("users")                   // The body.
    /// let user: User = try await api.get("users/1")           // Decoded from JSON.
    /// let same = try await api.get("users/1", as: User.self)  // Also decoded from JSON.
    /// let response = await api.response(.get, "users")        // With head, body and metrics.
    /// print(data.count, user.name, same.name, response.headers)
    /// ```
    ///
    /// Each form takes ``Parameters`` or an `Encodable` value. For a dictionary of values of several
    /// types, pass `Parameters(dictionary)` or `try Parameters(untyped: dictionary)`.
    ///
    /// An `async` form throws the error of its task, for example an unacceptable status code. It
    /// does not use the completion queue. Canceling the Swift task cancels the request.
    ///
    /// To send a request without waiting for its response, resume a task of
    /// ``dataTask(_:_:parameters:headers:options:)-(_,_,Parameters?,_,_)``.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: The parameters that ``requestSerializer`` puts into the request.
    ///   - headers: Header fields that override those of the serializer, as in AFNetworking.
    ///   - serializer: The serializer that validates and serializes the response. The default is
    ///     the manager's ``SessionManager/responseSerializer``.
    ///   - options: Settings for this call alone.
    ///   - completionHandler: Called exactly once on ``SessionManager/completionQueue``, whether
    ///     the task succeeds, fails or is canceled. A request that cannot be built fails the task.
    /// - Returns: The running task.
    @discardableResult
    public func get<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        start(.get, path, parameters, headers, serializer, options, completionHandler)
    }

    /// Sends a GET request and passes the response, decoded from JSON, to a handler.
    @discardableResult
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> DataTask {
        start(.get, path, parameters, headers, decoding(), options, completionHandler)
    }

    /// Sends a GET request and returns the body of the response, of any content type.
    @discardableResult
    public func get(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(.get, path, parameters, headers, body, options)
    }

    /// Sends a GET request and returns the response, decoded from JSON.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(.get, path, parameters, headers, decoding(), options)
    }

    /// Sends a GET request with `Encodable` parameters and passes the serialized response to a
    /// handler.
    @_disfavoredOverload
    @discardableResult
    public func get<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        start(.get, path, parameters, headers, serializer, options, completionHandler)
    }

    /// Sends a GET request with `Encodable` parameters and passes the response, decoded from JSON,
    /// to a handler.
    @_disfavoredOverload
    @discardableResult
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> DataTask {
        start(.get, path, parameters, headers, decoding(), options, completionHandler)
    }

    /// Sends a GET request with `Encodable` parameters and returns the body of the response, of any
    /// content type.
    @_disfavoredOverload
    @discardableResult
    public func get(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(.get, path, parameters, headers, body, options)
    }

    /// Sends a GET request with `Encodable` parameters and returns the response, decoded from JSON.
    @_disfavoredOverload
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(.get, path, parameters, headers, decoding(), options)
    }
}
