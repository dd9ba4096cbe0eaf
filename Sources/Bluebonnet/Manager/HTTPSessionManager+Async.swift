import FoundationNetworking

// Each sends a request and waits. Cancelling the Swift task cancels the request, and throws
// `.cancelled`; the completion queue plays no part.
extension HTTPSessionManager {
    /// Sends a request with a method, for a path, and waits for its response.
    ///
    /// It gives head, body and metrics beside the value, and takes a serializer of any kind, which
    /// alone decides what is accepted. ``SessionManager/completionQueue`` plays no part.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: A path below ``baseURL``, or a whole URL.
    ///   - parameters: What ``requestSerializer`` puts into the request.
    ///   - headers: Header fields, which beat those of the serializer (AFNetworking, H2).
    ///   - serializer: What judges and serializes the response.
    /// - Returns: The response, which has the error of a task that failed.
    public func response<Serializer: ResponseSerializer>(
        method: HTTPMethod,
        path: String,
        parameters: Parameters? = nil,
        headers: HTTPHeaders? = nil,
        serializer: Serializer
    ) async -> Response<Serializer.Value> {
        await response(request(method, path, parameters, headers), serializer: serializer)
    }

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
        try await response(request, serializer: decoder()).result.get()
    }

    /// Accepts what the manager's own serializer does where that is one of JSON, too.
    func decoder<Value: Decodable & Sendable>() -> DecodableResponseSerializer<Value> {
        guard let json = responseSerializer as? JSONResponseSerializer else { return .init() }
        return DecodableResponseSerializer(
            acceptableStatusCodes: json.acceptableStatusCodes,
            acceptableContentTypes: json.acceptableContentTypes,
            maximumDocumentSize: json.maximumDocumentSize
        )
    }
}
