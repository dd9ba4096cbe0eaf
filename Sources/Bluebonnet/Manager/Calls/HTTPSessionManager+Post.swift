public import Foundation

extension HTTPSessionManager {
    /// Sends a POST request and passes the serialized response to a handler.
    ///
    /// For all forms of this method, see
    /// ``get(_:parameters:headers:serializer:options:completionHandler:)-(_,Parameters?,_,_,_,_)``.
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        start(.post, path, parameters, headers, serializer, options, completionHandler)
    }

    /// Sends a POST request and passes the response, decoded from JSON, to a handler.
    @discardableResult
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> DataTask {
        start(.post, path, parameters, headers, decoding(), options, completionHandler)
    }

    /// Sends a POST request and returns the body of the response, of any content type.
    @discardableResult
    public func post(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(.post, path, parameters, headers, body, options)
    }

    /// Sends a POST request and returns the response, decoded from JSON.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(.post, path, parameters, headers, decoding(), options)
    }

    /// Sends a POST request with `Encodable` parameters and passes the serialized response to a
    /// handler.
    @_disfavoredOverload
    @discardableResult
    public func post<Serializer: ResponseSerializer>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer = .manager,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Serializer.Value>) -> Void
    ) -> DataTask {
        start(.post, path, parameters, headers, serializer, options, completionHandler)
    }

    /// Sends a POST request with `Encodable` parameters and passes the response, decoded from JSON,
    /// to a handler.
    @_disfavoredOverload
    @discardableResult
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type,
        options: RequestOptions = [],
        completionHandler: @escaping @Sendable (Response<Value>) -> Void
    ) -> DataTask {
        start(.post, path, parameters, headers, decoding(), options, completionHandler)
    }

    /// Sends a POST request with `Encodable` parameters and returns the body of the response, of
    /// any content type.
    @_disfavoredOverload
    @discardableResult
    public func post(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Data {
        try await value(.post, path, parameters, headers, body, options)
    }

    /// Sends a POST request with `Encodable` parameters and returns the response, decoded from
    /// JSON.
    @_disfavoredOverload
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        parameters: (any Encodable & Sendable)? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self,
        options: RequestOptions = []
    ) async throws(BluebonnetError) -> Value {
        try await value(.post, path, parameters, headers, decoding(), options)
    }
}
