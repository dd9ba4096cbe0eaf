import FoundationNetworking

// Each sends a request and waits. Cancelling the Swift task cancels the request, and throws
// `.cancelled`; the completion queue plays no part.
extension HTTPSessionManager {
    /// Sends HEAD and returns the response's head.
    ///
    /// - Throws: whatever made the task fail.
    public func head(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil
    ) async throws(BluebonnetError) -> ResponseHead {
        try await head(request(.head, path, parameters, headers))
    }

    /// Sends GET and decodes the JSON of the response.
    ///
    /// As with every verb that decodes, the statuses and content types that are accepted are those
    /// of ``SessionManager/responseSerializer`` where that is a ``JSONResponseSerializer``, else
    /// those that ``DecodableResponseSerializer`` accepts by default.
    ///
    /// - Throws: whatever made the task fail, an unacceptable status or content type included.
    public func get<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self
    ) async throws(BluebonnetError) -> Value {
        try await decoded(request(.get, path, parameters, headers))
    }

    /// Sends POST and decodes the JSON of the response.
    ///
    /// - Throws: whatever made the task fail, an unacceptable status or content type included.
    public func post<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self
    ) async throws(BluebonnetError) -> Value {
        try await decoded(request(.post, path, parameters, headers))
    }

    /// Sends PUT and decodes the JSON of the response.
    ///
    /// - Throws: whatever made the task fail, an unacceptable status or content type included.
    public func put<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self
    ) async throws(BluebonnetError) -> Value {
        try await decoded(request(.put, path, parameters, headers))
    }

    /// Sends PATCH and decodes the JSON of the response.
    ///
    /// - Throws: whatever made the task fail, an unacceptable status or content type included.
    public func patch<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self
    ) async throws(BluebonnetError) -> Value {
        try await decoded(request(.patch, path, parameters, headers))
    }

    /// Sends DELETE and decodes the JSON of the response.
    ///
    /// - Throws: whatever made the task fail, an unacceptable status or content type included.
    public func delete<Value: Decodable & Sendable>(
        _ path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        as type: Value.Type = Value.self
    ) async throws(BluebonnetError) -> Value {
        try await decoded(request(.delete, path, parameters, headers))
    }
}

extension HTTPSessionManager {
    func head(
        _ request: Result<URLRequest, BluebonnetError>
    ) async throws(BluebonnetError) -> ResponseHead {
        let response = await response(request, serializer: HTTPResponseSerializer())
        _ = try response.result.get()
        guard let head = response.head else {
            throw .unreadableBody("no response came", .init(request: response.request))
        }
        return head
    }

    func decoded<Value: Decodable & Sendable>(
        _ request: Result<URLRequest, BluebonnetError>
    ) async throws(BluebonnetError) -> Value {
        try await response(
            request,
            serializer: DecodableResponseSerializer<Value>()
        ).result.get()
    }
}
