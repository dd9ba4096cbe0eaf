public import Foundation

extension HTTPSessionManager {
    /// Sends DELETE, and hands over the response, serialized by the manager's serializer or by
    /// another.
    ///
    /// ``get(_:parameters:headers:serializer:options:completionHandler:)-(_,Parameters?,_,_,_,_)`` shows every form.
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

    /// Sends DELETE.
    @discardableResult
    public func delete(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(.delete, path, parameters, headers, .manager, options, nil)
    }

    /// Sends DELETE, and hands over the response, decoded from JSON.
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

    /// Sends DELETE and waits for the body of the response, of any content type.
    @discardableResult
    public func delete(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(.delete, path, parameters, headers, body, options)
    }

    /// Sends DELETE and waits for the response, decoded from JSON.
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(.delete, path, parameters, headers, decoding(), options)
    }

    /// Sends DELETE with parameters that are encoded.
    @_disfavoredOverload
    @discardableResult
    public func delete(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(.delete, path, parameters, headers, .manager, options, nil)
    }

    /// Sends DELETE with parameters that are encoded, and hands over the response, serialized by the manager's serializer or by
    /// another.
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

    /// Sends DELETE with parameters that are encoded, and hands over the response, decoded from JSON.
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

    /// Sends DELETE with parameters that are encoded, and waits for the body of the response, of any content type.
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

    /// Sends DELETE with parameters that are encoded, and waits for the response, decoded from JSON.
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

    /// Sends DELETE with parameters in a dictionary.
    @_disfavoredOverload
    @discardableResult
    public func delete(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) -> DataTask {
        start(.delete, path, parameters.map { Parameters($0) }, headers, .manager, options, nil)
    }

    /// Sends DELETE with parameters in a dictionary, and hands over the response, serialized by the manager's serializer or by
    /// another.
    @_disfavoredOverload
    @discardableResult
    public func delete<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        start(
            .delete, path, parameters.map { Parameters($0) }, headers, serializer, options,
            completionHandler)
    }

    /// Sends DELETE with parameters in a dictionary, and hands over the response, decoded from JSON.
    @_disfavoredOverload
    @discardableResult
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> DataTask {
        start(
            .delete, path, parameters.map { Parameters($0) }, headers, decoding(), options,
            completionHandler)
    }

    /// Sends DELETE with parameters in a dictionary, and waits for the body of the response, of any content type.
    @_disfavoredOverload
    @discardableResult
    public func delete(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(.delete, path, parameters.map { Parameters($0) }, headers, body, options)
    }

    /// Sends DELETE with parameters in a dictionary, and waits for the response, decoded from JSON.
    @_disfavoredOverload
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        parameters: [String: any Sendable]? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(
            .delete, path, parameters.map { Parameters($0) }, headers, decoding(), options)
    }
}
