public import Foundation
public import FoundationNetworking

/// A client that sends requests with the types of their responses.
///
/// ```swift
/// let client = APIClient(baseURL: URL(string: "https://api.example.com/v1")!)
/// let user = try await client.send(GetUser(id: 7))
/// for try await page in client.pages(ListUsers()) { print(page.count) }
/// ```
///
/// A client can be used from any thread. Its calls are tasks of its session, with the session's
/// interceptors, retries and monitors.
public struct APIClient: Sendable {
    /// The URL that the paths of requests are relative to; its query precedes theirs.
    public let baseURL: URL
    /// The manager that sends the requests.
    public let session: HTTPSessionManager
    private let interceptors: [any RequestInterceptor]
    private let encoder: JSONBodyEncoder?
    private let decoder: (any DataDecoder)?

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that the paths of requests are relative to.
    ///   - session: The manager that sends the requests; a new one by default.
    ///   - interceptors: Adapt and retry the requests of this client, after the interceptors of the
    ///     session; none by default.
    ///   - monitors: Receive the events of all tasks of the session, to which they are added for
    ///     good; none by default. Pass them to one client of a session, and add an `EventMonitor`
    ///     with `session.addMonitor` instead.
    ///   - encoder: Writes bodies. If nil, it is the session's
    ///     ``HTTPSessionManager/JSON/encoder``.
    ///   - decoder: Decodes bodies. If nil, it is the session's
    ///     ``HTTPSessionManager/JSON/decoder``.
    public init(
        baseURL: URL,
        session: HTTPSessionManager = HTTPSessionManager(),
        interceptors: [any RequestInterceptor] = [],
        monitors: [any TaskEventMonitor] = [],
        encoder: JSONBodyEncoder? = nil,
        decoder: (any DataDecoder)? = nil
    ) {
        self.baseURL = baseURL
        self.session = session
        self.interceptors = interceptors
        self.encoder = encoder
        self.decoder = decoder
        for monitor in monitors { session.addMonitor(monitor) }
    }

    /// Sends a request and waits for the value of its response.
    ///
    /// Canceling the Swift task cancels the call.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - progress: Receives the progress of an upload's body, or else of the response's body, on
    ///     the session's callback queue, even after the call has returned; nil by default.
    /// - Returns: The value, which is the location of the file for an ``APIDownload``.
    /// - Throws: The error that the call failed with.
    public func send<R: APIRequest>(
        _ request: R, progress: ProgressHandler? = nil
    ) async throws(BluebonnetError) -> R.Response {
        try await sendResponse(request, progress: progress).result.get()
    }

    /// Sends a request whose response has no value, and waits for its end.
    ///
    /// It does the same as the other `send`, with a result that can be ignored.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - progress: Receives the progress, as with the other `send`; nil by default.
    /// - Returns: An empty value.
    /// - Throws: The error that the call failed with.
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R, progress: ProgressHandler? = nil
    ) async throws(BluebonnetError) -> EmptyBody where R.Response == EmptyBody {
        try await sendResponse(request, progress: progress).result.get()
    }

    /// Sends a request and waits for its response, whether the call succeeds or fails.
    ///
    /// Canceling the Swift task cancels the call.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - progress: Receives the progress, as with `send`.
    /// - Returns: The status code, header fields and metrics, with the value or the error.
    public func sendResponse<R: APIRequest>(
        _ request: R, progress: ProgressHandler? = nil
    ) async -> Response<R.Response> {
        await sendResponse(request, at: nil, progress)
    }

    /// Sends a request, to another URL if one is given, and waits for its response.
    func sendResponse<R: APIRequest>(
        _ request: R, at url: URL?, _ progress: ProgressHandler? = nil
    ) async -> Response<R.Response> {
        let options = options(of: request)
        let content = content(of: request, at: url, options) { content in
            guard !(request is any APIStream) else {
                throw RequestSerializationError(
                    reason: "\(R.self) is a stream; read it with stream(_:)")
            }
            return content
        }
        return await session.response(
            content.map(\.request),
            serializer: EndpointSerializer(of: request, serializerDefaults(options)),
            options: options,
            upload: (try? content.get())?.upload,
            download: (request as? any APIDownload).map {
                Download(destination: $0.destination, options: options?.values.files ?? [])
            },
            uploadProgress: request is any APIUpload ? progress : nil,
            downloadProgress: request is any APIUpload ? nil : progress)
    }

    /// Sends a request whose response is a stream, and returns the values as they arrive.
    ///
    /// Each loop sends its own request. A slow loop slows the server down. Leaving the loop, or
    /// canceling its Swift task, cancels the call. A stream of events asks for the content type
    /// `text/event-stream`, and accepts no other one. A request that uploads a file, a form, a stream
    /// or a sequence fails.
    ///
    /// - Parameter request: The request.
    /// - Returns: The values.
    public func stream<R: APIStream>(_ request: R) -> StreamRecords<R.Element> {
        let options = options(of: request)
        let defaults = serializerDefaults(options)
        let framing = request.framing
        return StreamRecords(
            framing: framing, decoder: defaults.otherDecoder ?? defaults.decoder
        ) { () async throws(BluebonnetError) in
            try await session.stream(
                content(of: request, at: nil, options) { try $0.streamed(as: framing) },
                HTTPResponseSerializer(
                    acceptableStatusCodes: request.acceptableStatusCodes,
                    acceptableContentTypes: framing.isOfEvents ? [ServerSentEvent.contentType] : nil
                ),
                options)
        }
    }

    /// Sends a request and follows the `Link` fields of the responses from page to page (RFC 8288).
    ///
    /// Each page is requested when the loop asks for it, with the header fields and the body of the
    /// request. The loop fails on a link to another origin than that of the base URL, even if a
    /// redirect leads there, because that origin would receive credentials. It also fails on a link
    /// to a page that it has already read.
    ///
    /// - Parameters:
    ///   - request: The request for the first page.
    ///   - relation: The relation of the links to follow; `next` by default.
    /// - Returns: The pages.
    public func pages<R: APIRequest>(
        _ request: R, following relation: String = "next"
    ) -> APIPages<R> {
        APIPages(client: self, request: request, relation: relation)
    }

    /// Returns the `URLRequest` that is sent for a request, before interceptors change it.
    ///
    /// - Parameter request: The request.
    /// - Returns: The URL, method, header fields and body; without the body of an upload, which is
    ///   read while it is sent.
    /// - Throws: The reason why it cannot be sent, as ``BluebonnetError/invalidRequest(_:_:)``.
    public func urlRequest(for request: some APIRequest) throws(BluebonnetError) -> URLRequest {
        try content(of: request, at: nil, options(of: request)) { $0.request }.get()
    }

    /// Returns what a closure takes from the content of a request, or the error with which the task
    /// fails.
    private func content<Part>(
        of request: some APIRequest, at url: URL?, _ options: TaskOptions?,
        _ part: (EncodedAPIRequest) throws -> Part
    ) -> Result<Part, BluebonnetError> {
        Result {
            try part(
                EncodedAPIRequest(
                    of: request, below: baseURL, at: url, session,
                    options?.values.encoder ?? encoder))
        }.mapError { .invalidRequest("\($0)", .init(underlying: $0)) }
    }

    private func options(of request: some APIRequest) -> TaskOptions? {
        TaskOptions(
            interceptors.reversed().reduce(request.options) { [.interceptor($1), $0] })
    }

    /// The defaults for a serializer that has no decoder of its own.
    private func serializerDefaults(_ options: TaskOptions?) -> SerializerDefaults {
        let decoder = options?.values.decoder ?? decoder
        return SerializerDefaults(
            serializer: session.serializer.value,
            decoder: decoder as? JSONDecoder ?? session.json.decoder,
            otherDecoder: decoder is JSONDecoder ? nil : decoder)
    }
}

/// The former name of ``APIClient``.
@available(
    *, unavailable,
    message: "use APIClient, which takes interceptors and monitors instead of plugins"
)
public typealias TargetClient = APIClient
