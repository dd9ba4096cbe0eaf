public import Foundation

extension HTTPSessionManager {
    /// Sends a DELETE request and passes the serialized response to a handler.
    ///
    /// For all forms of this method, see
    /// ``get(_:parameters:headers:serializer:options:completionHandler:)-(_,Parameters?,_,_,_,_)``.
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
