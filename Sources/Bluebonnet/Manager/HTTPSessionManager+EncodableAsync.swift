// The waiting verbs with parameters that are encoded.
extension HTTPSessionManager {
    /// Sends a request with a method and encoded parameters, for a path, and waits for its response.
    ///
    /// As ``response(method:path:parameters:headers:serializer:)`` does with a dictionary.
    public func response<Serializer: ResponseSerializer>(
        method: HTTPMethod,
        path: String,
        parameters: some Encodable & Sendable,
        headers: HTTPHeaders? = nil,
        serializer: Serializer
    ) async -> Response<Serializer.Value> {
        await response(request(method, path, encoding: parameters, headers), serializer: serializer)
    }

    /// Sends HEAD with encoded parameters and returns the response's head.
    ///
    /// - Throws: whatever made the task fail, the encoding of the parameters included.
    public func head(
        _ path: String,
        parameters: some Encodable & Sendable,
        headers: HTTPHeaders? = nil
    ) async throws(BluebonnetError) -> ResponseHead {
        try await head(request(.head, path, encoding: parameters, headers))
    }

    /// Sends GET with encoded parameters and decodes the JSON of the response.
    ///
    /// - Throws: whatever made the task fail, the encoding of the parameters included.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        parameters: some Encodable & Sendable,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self
    ) async throws(BluebonnetError) -> Value {
        try await decoded(request(.get, path, encoding: parameters, headers))
    }

    /// Sends POST with encoded parameters and decodes the JSON of the response.
    ///
    /// - Throws: whatever made the task fail, the encoding of the parameters included.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        parameters: some Encodable & Sendable,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self
    ) async throws(BluebonnetError) -> Value {
        try await decoded(request(.post, path, encoding: parameters, headers))
    }

    /// Sends PUT with encoded parameters and decodes the JSON of the response.
    ///
    /// - Throws: whatever made the task fail, the encoding of the parameters included.
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        parameters: some Encodable & Sendable,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self
    ) async throws(BluebonnetError) -> Value {
        try await decoded(request(.put, path, encoding: parameters, headers))
    }

    /// Sends PATCH with encoded parameters and decodes the JSON of the response.
    ///
    /// - Throws: whatever made the task fail, the encoding of the parameters included.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        parameters: some Encodable & Sendable,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self
    ) async throws(BluebonnetError) -> Value {
        try await decoded(request(.patch, path, encoding: parameters, headers))
    }

    /// Sends DELETE with encoded parameters and decodes the JSON of the response.
    ///
    /// - Throws: whatever made the task fail, the encoding of the parameters included.
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        parameters: some Encodable & Sendable,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self
    ) async throws(BluebonnetError) -> Value {
        try await decoded(request(.delete, path, encoding: parameters, headers))
    }
}
