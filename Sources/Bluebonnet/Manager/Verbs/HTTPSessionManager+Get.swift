public import Foundation

extension HTTPSessionManager {
    /// Sends GET, and hands over the response, serialized by the manager's serializer or by another.
    ///
    /// ```swift
    /// api.get("users")  // Sends it, and returns the task.
    /// api.get("users", parameters: ["page": 1]) { response in print(response) }
    /// api.get("feed", serializer: .xmlDocument) { response in print(response) }
    /// api.get("users/1", as: User.self) { response in print(response) }  // Decoded from JSON.
    /// ```
    ///
    /// Without a handler, it is awaited:
    ///
    /// ```swift
    /// let data = try await api.get("users")                   // The body.
    /// let user: User = try await api.get("users/1")           // Decoded from JSON.
    /// let same = try await api.get("users/1", as: User.self)  // Decoded from JSON, too.
    /// let response = await api.response(.get, "users")        // Head, body and metrics, too.
    /// print(data.count, user.name, same.name, response.headers)
    /// ```
    ///
    /// Each form takes ``Parameters``, a value that is `Encodable`, or a dictionary.
    ///
    /// An `async` form throws whatever made the task fail, an unacceptable status included, and cancels the
    /// request when its Swift task is cancelled; the completion queue plays no part in it. In an `async`
    /// function a call without a handler is such a form, and has to be awaited;
    /// `let task: DataTask = api.get("users")` is the other one.
    ///
    /// - Parameters:
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: Put into the request by ``requestSerializer``.
    ///   - headers: Header fields, which beat those of the serializer (AFNetworking, H2).
    ///   - serializer: Judges and serializes the response; default the manager's
    ///     ``SessionManager/responseSerializer``.
    ///   - options: Settings of this call alone.
    ///   - completionHandler: Called exactly once, whatever the task's fate, also for a request that could
    ///     not be built, on ``SessionManager/completionQueue``.
    /// - Returns: The task, which runs.
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

    /// Sends GET.
    @discardableResult
    public func get(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(.get, path, parameters, headers, .manager, options, nil)
    }

    /// Sends GET, and hands over the response, decoded from JSON.
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

    /// Sends GET and waits for the body of the response, of any content type.
    @discardableResult
    public func get(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(.get, path, parameters, headers, body, options)
    }

    /// Sends GET and waits for the response, decoded from JSON.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(.get, path, parameters, headers, decoding(), options)
    }

    /// Sends GET with parameters that are encoded.
    @_disfavoredOverload
    @discardableResult
    public func get(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(.get, path, parameters, headers, .manager, options, nil)
    }

    /// Sends GET with parameters that are encoded, and hands over the response, serialized by the manager's serializer or by
    /// another.
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

    /// Sends GET with parameters that are encoded, and hands over the response, decoded from JSON.
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

    /// Sends GET with parameters that are encoded, and waits for the body of the response, of any content type.
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

    /// Sends GET with parameters that are encoded, and waits for the response, decoded from JSON.
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

    /// Sends GET with parameters in a dictionary.
    @_disfavoredOverload
    @discardableResult
    public func get(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(.get, path, parameters.map { Parameters($0) }, headers, .manager, options, nil)
    }

    /// Sends GET with parameters in a dictionary, and hands over the response, serialized by the manager's serializer or by
    /// another.
    @_disfavoredOverload
    @discardableResult
    public func get<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        start(
            .get, path, parameters.map { Parameters($0) }, headers, serializer, options,
            completionHandler)
    }

    /// Sends GET with parameters in a dictionary, and hands over the response, decoded from JSON.
    @_disfavoredOverload
    @discardableResult
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> DataTask {
        start(
            .get, path, parameters.map { Parameters($0) }, headers, decoding(), options,
            completionHandler)
    }

    /// Sends GET with parameters in a dictionary, and waits for the body of the response, of any content type.
    @_disfavoredOverload
    @discardableResult
    public func get(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(.get, path, parameters.map { Parameters($0) }, headers, body, options)
    }

    /// Sends GET with parameters in a dictionary, and waits for the response, decoded from JSON.
    @_disfavoredOverload
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(.get, path, parameters.map { Parameters($0) }, headers, decoding(), options)
    }
}
