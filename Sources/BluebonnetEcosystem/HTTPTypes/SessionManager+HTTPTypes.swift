#if HTTPTypes
public import Bluebonnet
public import HTTPTypes

extension SessionManager {
    /// Sends a request and waits for its response, whatever its status.
    ///
    /// ```swift
    /// let request = HTTPRequest(
    ///     method: .get, scheme: "https", authority: "api.example.com", path: "/users/7")
    /// let (response, body) = try await api.send(request)
    /// print(response.status, body.count)
    /// ```
    ///
    /// Every status is accepted, but a ``RetryPolicy`` of the manager still retries its own. Canceling
    /// the Swift task cancels the request. To stream a body, pass `URLRequest(request)` to another
    /// method.
    ///
    /// - Parameters:
    ///   - request: The request, with a scheme and an authority.
    ///   - body: The body; none by default.
    ///   - options: Settings for this task alone.
    /// - Returns: The response and its body.
    /// - Throws: The error of the task; ``BluebonnetError/invalidRequest(_:_:)`` for a request that
    ///   has no URL.
    @discardableResult
    public func send(
        _ request: HTTPRequest, body: Data? = nil, options: RequestOptions = []
    ) async throws(BluebonnetError) -> (HTTPResponse, Data) {
        var request = try URLRequest(request)
        request.httpBody = body
        let response = await response(for: request, serializer: .anyStatus, options: options)
        let data = try response.result.get()
        guard let head = response.head else {
            throw .unreadableBody("the response has no head", .init(request: request))
        }
        return (try HTTPResponse(head), data)
    }
}

extension ResponseSerializer where Self == HTTPResponseSerializer {
    static var anyStatus: Self { Self(acceptableStatusCodes: nil) }
}
#endif
