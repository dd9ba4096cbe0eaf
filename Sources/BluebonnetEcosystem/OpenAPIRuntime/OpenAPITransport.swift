#if OpenAPIRuntime
public import Bluebonnet
public import HTTPTypes
public import OpenAPIRuntime

/// Sends the calls of a client that Swift OpenAPI Generator wrote.
///
/// ```swift
/// let client = Client(serverURL: try Servers.Server1.url(), transport: OpenAPITransport(api))
/// ```
///
/// Calls are tasks of the manager, with its interceptors, retries and monitors. The operation's name
/// is the ``TaskAttributes/tag`` of its task. Responses of any status are returned, after a
/// ``RetryPolicy`` of the manager has retried its own.
///
/// Bodies are streamed both ways. A slow reader of a response slows the server down. Canceling the
/// Swift task, or releasing a response's body before its end, cancels the request.
public struct OpenAPITransport: ClientTransport {
    private let manager: SessionManager
    private let options: RequestOptions

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - manager: The manager that sends the requests.
    ///   - options: Settings for each request; none by default.
    public init(_ manager: SessionManager, options: RequestOptions = []) {
        (self.manager, self.options) = (manager, options)
    }

    /// Sends a request below a server's URL, whose query and fragment are left out.
    ///
    /// - Throws: A ``BluebonnetError``, which the generated client wraps in a `ClientError`.
    public func send(
        _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
    ) async throws -> (HTTPResponse, HTTPBody?) {
        let text = baseURL.absoluteURL.absoluteString.prefix { $0 != "?" && $0 != "#" }
        let isDoubled = text.hasSuffix("/") && request.path?.hasPrefix("/") == true
        let stream = try await stream(
            URLRequest(request, below: String(isDoubled ? text.dropLast() : text)), body,
            [.tag(operationID), options])
        let head = stream.head
        let response = try HTTPResponse(head)
        guard !head.cannotHaveBody, head.expectedContentLength != 0 else {
            // Releasing the stream before its end would cancel the task.
            for try await _ in stream {}
            return (response, nil)
        }
        return (
            response,
            HTTPBody(
                stream.map { ArraySlice($0) },
                length: head.expectedContentLength.map { .known($0) } ?? .unknown,
                iterationBehavior: .single)
        )
    }

    private func stream(
        _ request: URLRequest, _ body: HTTPBody?, _ options: RequestOptions
    ) async throws(BluebonnetError) -> ResponseStream {
        guard let body else {
            return try await manager.stream(
                for: request, validatedBy: .anyStatus, options: options)
        }
        let length: Int64? =
            if case .known(let length) = body.length { length } else { nil }
        return try await manager.stream(
            for: request, from: body.map { Data($0) }, length: length,
            isReplayable: body.iterationBehavior == .multiple, validatedBy: .anyStatus,
            options: options)
    }
}
#endif
