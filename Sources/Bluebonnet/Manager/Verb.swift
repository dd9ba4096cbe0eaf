public import Foundation

/// A method of HTTP that a manager sends requests with: ``HTTPSessionManager/get`` and its kin.
///
/// It is called like a function. Each form exists with ``Parameters``, with a value that is `Encodable`, and
/// with a dictionary; they differ in nothing else.
///
/// ```swift
/// api.get("users")                                                    // Send it. The task is returned.
/// api.get("users", parameters: ["page": 1]) { response in … }         // The manager's serializer.
/// api.get("feed", serializer: .xmlDocument) { response in … }         // One of your own.
/// api.get("users/1", as: User.self) { response in … }                 // Decoded JSON.
///
/// let data = try await api.get("users")                               // The body.
/// let user: User = try await api.get("users/1")                       // Decoded JSON.
/// let user = try await api.get("users/1", as: User.self)              // The same.
/// ```
///
/// For the whole ``Response`` of any serializer, awaited, see
/// ``HTTPSessionManager/response(_:_:parameters:headers:serializer:options:)-(_,_,Parameters?,_,_,_)``.
///
/// - `path` is a path below ``HTTPSessionManager/baseURL``, or a whole URL.
/// - `parameters` are put into the request by ``HTTPSessionManager/requestSerializer``.
/// - `headers` beat those of the serializer (AFNetworking, H2).
/// - `options` say what is different for this call: ``RequestOptions``.
/// - `completionHandler` is called exactly once, whatever the task's fate, also for a request that could
///   not be built, on ``SessionManager/completionQueue``.
///
/// An `async` form throws whatever made the task fail, an unacceptable status included, and cancels the
/// request when the Swift task is cancelled. The completion queue plays no part in it. In an `async` function
/// a call without a handler is such a form, and has to be awaited; `let task: DataTask = api.get("users")` is
/// the other.
public struct Verb: Sendable {
    let manager: HTTPSessionManager
    let method: HTTPMethod
}

extension HTTPSessionManager {
    /// Sends GET: `api.get("users") { response in … }`.
    ///
    /// ``Verb`` shows every form.
    public var get: Verb { Verb(manager: self, method: .get) }

    /// Sends POST: `api.post("users", parameters: ["name": "Ann"]) { response in … }`.
    ///
    /// ``Verb`` shows every form.
    public var post: Verb { Verb(manager: self, method: .post) }

    /// Sends PUT: `api.put("users/1", parameters: ["name": "Ann"]) { response in … }`.
    ///
    /// ``Verb`` shows every form.
    public var put: Verb { Verb(manager: self, method: .put) }

    /// Sends PATCH: `api.patch("users/1", parameters: ["name": "Ann"]) { response in … }`.
    ///
    /// ``Verb`` shows every form.
    public var patch: Verb { Verb(manager: self, method: .patch) }

    /// Sends DELETE: `api.delete("users/1") { response in … }`.
    ///
    /// ``Verb`` shows every form.
    public var delete: Verb { Verb(manager: self, method: .delete) }
}

// MARK: Parameters

extension Verb {
    /// Sends a request.
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(path, parameters, headers, .manager, options, nil)
    }

    /// Sends a request, and hands over the response, serialized by the manager's serializer or by another.
    @discardableResult
    public func callAsFunction<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        start(path, parameters, headers, serializer, options, completionHandler)
    }

    /// Sends a request, and hands over the response, decoded from JSON.
    @discardableResult
    public func callAsFunction<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> DataTask {
        start(path, parameters, headers, manager.decoding(), options, completionHandler)
    }

    /// Sends a request and waits for the body of its response, of any content type.
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(path, parameters, headers, manager.body, options)
    }

    /// Sends a request and waits for its response, decoded from JSON.
    public func callAsFunction<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(path, parameters, headers, manager.decoding(), options)
    }
}

// MARK: Encodable parameters

extension Verb {
    /// Sends a request with parameters that are encoded.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(path, try .encoded(parameters), headers, .manager, options, nil)
    }

    /// Sends a request with parameters that are encoded, and hands over the response, serialized by the
    /// manager's serializer or by another.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        start(path, try .encoded(parameters), headers, serializer, options, completionHandler)
    }

    /// Sends a request with parameters that are encoded, and hands over the response, decoded from JSON.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction<Value: Decodable & Sendable>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> DataTask {
        start(
            path, try .encoded(parameters), headers, manager.decoding(), options, completionHandler)
    }

    /// Sends a request with parameters that are encoded, and waits for the body of its response.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(path, try .encoded(parameters), headers, manager.body, options)
    }

    /// Sends a request with parameters that are encoded, and waits for its response, decoded from JSON.
    @_disfavoredOverload
    public func callAsFunction<Value: Decodable & Sendable>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(path, try .encoded(parameters), headers, manager.decoding(), options)
    }
}

// MARK: Parameters in a dictionary

extension Verb {
    /// Sends a request with the parameters in a dictionary.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(path, parameters.map { Parameters($0) }, headers, .manager, options, nil)
    }

    /// Sends a request with the parameters in a dictionary, and hands over the response, serialized by the
    /// manager's serializer or by another.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        let parameters = parameters.map { Parameters($0) }
        return start(path, parameters, headers, serializer, options, completionHandler)
    }

    /// Sends a request with the parameters in a dictionary, and hands over the response, decoded from JSON.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction<Value: Decodable & Sendable>(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> DataTask {
        let parameters = parameters.map { Parameters($0) }
        return start(path, parameters, headers, manager.decoding(), options, completionHandler)
    }

    /// Sends a request with the parameters in a dictionary, and waits for the body of its response.
    @_disfavoredOverload
    @discardableResult
    public func callAsFunction(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(path, parameters.map { Parameters($0) }, headers, manager.body, options)
    }

    /// Sends a request with the parameters in a dictionary, and waits for its response, decoded from JSON.
    @_disfavoredOverload
    public func callAsFunction<Value: Decodable & Sendable>(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        let parameters = parameters.map { Parameters($0) }
        return try await value(path, parameters, headers, manager.decoding(), options)
    }
}

// MARK: What they all are

extension Verb {
    private func start<Serializer: ResponseSerializer>(
        _ path: String,
        _ parameters: @autoclosure () throws -> Parameters?,
        _ headers: HTTPHeaders?,
        _ serializer: Serializer,
        _ options: RequestOptions,
        _ completionHandler: (@Sendable (Response<Serializer.Value>) -> Void)?
    ) -> DataTask {
        let options = TaskOptions(options)
        let task = manager.dataTask(
            manager.request(method, path, try parameters(), headers, options),
            serializer: serializer, options: options, completionHandler: completionHandler)
        task.resume()
        return task
    }

    private func value<Serializer: ResponseSerializer>(
        _ path: String,
        _ parameters: @autoclosure () throws -> Parameters?,
        _ headers: HTTPHeaders?,
        _ serializer: Serializer,
        _ options: RequestOptions
    ) async throws(BluebonnetError) -> Serializer.Value {
        let options = TaskOptions(options)
        return try await manager.response(
            manager.request(method, path, try parameters(), headers, options),
            serializer: serializer, options: options
        ).result.get()
    }
}
