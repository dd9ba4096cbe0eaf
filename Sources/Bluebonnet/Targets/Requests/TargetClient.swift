public import Foundation
public import FoundationNetworking

/// A client that sends requests with the types of their responses.
///
/// ```swift
/// let client = TargetClient(baseURL: URL(string: "https://api.example.com/v1")!)
/// let user = try await client.send(GetUser(id: 7))
/// for try await page in client.pages(ListUsers()) { print(page.count) }
/// ```
///
/// Calls go through the same plugins as those of a ``TargetProvider``, and below them through the
/// session's interceptors, retries and monitors. A client can be used from any thread.
public struct TargetClient: Sendable {
    /// The URL that the paths of requests are relative to; its query precedes theirs.
    public let baseURL: URL
    private let encoder: JSONEncoder?
    private let decoder: (any DataDecoder)?
    private let terms: TargetCall.Terms

    /// The manager that sends the requests.
    public var session: Session { terms.session }
    /// The plugins, in the order in which they are called.
    public var plugins: [any PluginType] { terms.plugins }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that the paths of requests are relative to.
    ///   - session: The session that sends the requests; a new one by default.
    ///   - plugins: The plugins, in the order in which they are called.
    ///   - encoder: Encodes bodies, and must not be changed afterward. If nil, it is the session's
    ///     ``HTTPSessionManager/JSON/encoder``.
    ///   - decoder: Decodes bodies. If nil, it is the session's
    ///     ``HTTPSessionManager/JSON/decoder``.
    public init(
        baseURL: URL,
        session: Session = Session(),
        plugins: [any PluginType] = [],
        encoder: JSONEncoder? = nil,
        decoder: (any DataDecoder)? = nil
    ) {
        self.baseURL = baseURL
        self.encoder = encoder
        self.decoder = decoder
        terms = TargetCall.Terms(
            session: session, plugins: plugins, callbackQueue: nil, shared: nil)
    }

    /// Sends a request and waits for the value of its response.
    ///
    /// Canceling the Swift task cancels the call.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - progress: Receives the progress of the call, on the session's
    ///     ``SessionManager/completionQueue``; nil by default.
    /// - Returns: The value, which is the location of the file for an ``APIDownload``.
    /// - Throws: The error that the call failed with. An error that a plugin throws is the
    ///   underlying error of its context.
    public func send<R: APIRequest>(
        _ request: R, progress: (@Sendable (_ progress: ProgressResponse) -> Void)? = nil
    ) async throws(BluebonnetError) -> R.Response {
        try await sendResponse(request, progress: progress).result.get()
    }

    /// Sends a request whose response has no value, and waits for its end.
    ///
    /// It does the same as the other `send`, with a result that can be ignored.
    @discardableResult
    public func send<R: APIRequest>(
        _ request: R, progress: (@Sendable (_ progress: ProgressResponse) -> Void)? = nil
    ) async throws(BluebonnetError) -> EmptyBody where R.Response == EmptyBody {
        try await sendResponse(request, progress: progress).result.get()
    }

    /// Sends a request and waits for its response, whether the call succeeds or fails.
    ///
    /// Canceling the Swift task cancels the call.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - progress: Receives the progress of the call, on the session's
    ///     ``SessionManager/completionQueue``; nil by default.
    /// - Returns: The status code, header fields and metrics, with the value or the error.
    public func sendResponse<R: APIRequest>(
        _ request: R, progress: (@Sendable (_ progress: ProgressResponse) -> Void)? = nil
    ) async -> Response<R.Response> {
        await sendResponse(request, at: nil, progress)
    }

    /// Sends a request, to another URL if one is given, and waits for its response.
    func sendResponse<R: APIRequest>(
        _ request: R, at url: URL?,
        _ progress: (@Sendable (_ progress: ProgressResponse) -> Void)? = nil
    ) async -> Response<R.Response> {
        let target = APIRequestTarget(request, baseURL: baseURL)
        let end: TargetCall.End = await completion { completion in
            let call = TargetCall(
                target, target.task, terms, progress: progress, completion: completion)
            // A task that is already canceled sends nothing.
            if Task.isCancelled { call.cancel() }
            call.send(singleRequest(of: target, at: url))
            return call
        }
        return end.response(serializedBy: request.serializer, serializerDefaults)
    }

    /// Sends a request whose response is a stream, and returns the values as they arrive.
    ///
    /// Each loop sends its own request. A slow loop slows the server down. Leaving the loop, or
    /// canceling its Swift task, cancels the call. Plugins are notified of the end without a body,
    /// and the result that they return has no effect. A request that uploads a file or a form
    /// fails.
    ///
    /// - Parameter request: The request.
    /// - Returns: The values.
    public func stream<R: APIStream>(_ request: R) -> TargetStream<R.Element> {
        TargetStream {
            let target = APIRequestTarget(request, baseURL: baseURL)
            let call = TargetCall(target, target.task, terms) { _ in }
            return call.sendStream(streamRequest(of: target)) {
                $0.streamTask().streamingDecodables(
                    decoder: decoder ?? session.json.decoder, framing: request.framing)
            }
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
    ) -> TargetPages<R> {
        TargetPages(client: self, request: request, relation: relation)
    }

    /// Returns the `URLRequest` that is sent for a request, before plugins and interceptors change
    /// it.
    ///
    /// - Parameter request: The request.
    /// - Returns: The URL, method, header fields and body; without the body of an upload, which is
    ///   read while it is sent.
    /// - Throws: The reason why it cannot be sent.
    public func urlRequest(for request: some APIRequest) throws(TargetError) -> URLRequest {
        try urlRequest(of: APIRequestTarget(request, baseURL: baseURL), at: nil).get()
    }

    private func urlRequest(
        of target: APIRequestTarget, at url: URL?
    ) -> Result<URLRequest, TargetError> {
        let encoding = ClientEncoding(session: session, encoder: encoder)
        return Result { () throws(TargetError) in
            try target.urlRequest(at: url, encodedBy: encoding)
        }
    }

    /// Returns the request, or a failure if its response is a stream, which might never end.
    private func singleRequest(
        of target: APIRequestTarget, at url: URL?
    ) -> Result<URLRequest, TargetError> {
        guard !(target.request is any APIStream) else {
            let reason = "\(type(of: target.request)) is a stream; read it with stream(_:)"
            return .failure(.parameterEncoding(RequestSerializationError(reason: reason)))
        }
        return urlRequest(of: target, at: url)
    }

    private func streamRequest(of target: APIRequestTarget) -> Result<URLRequest, TargetError> {
        switch target.task {
        case .uploadFile, .uploadMultipartFormData, .uploadCompositeMultipartFormData:
            .failure(
                .parameterEncoding(
                    RequestSerializationError(
                        reason: "a stream cannot upload a file or a form; set a body instead")))
        default: urlRequest(of: target, at: nil)
        }
    }

    /// The defaults for serializers of requests that have no decoder of their own.
    private var serializerDefaults: SerializerDefaults {
        SerializerDefaults(
            serializer: session.serializer.value,
            decoder: decoder as? JSONDecoder ?? session.json.decoder,
            otherDecoder: decoder is JSONDecoder ? nil : decoder)
    }
}

extension TargetCall.End {
    /// Returns the response with its value, or with the error of the call.
    fileprivate func response<Value>(
        serializedBy serializer: any ResponseSerializer<Value>, _ defaults: SerializerDefaults
    ) -> Response<Value> {
        var outcome = task?.outcome ?? TaskOutcome()
        switch result {
        case .success(let response):
            outcome.error = nil
            outcome.take(response)
        case .failure(let error):
            if let response = error.response { outcome.take(response) }
            outcome.error = error.error(of: outcome)
        }
        func response(_ serializer: some ResponseSerializer<Value>) -> Response<Value> {
            Response(outcome, serializedBy: defaults.bound(serializer)) {
                task?.delegate.errorContext ?? (TaskRedactor(request: outcome.request), nil, nil)
            }
        }
        return response(serializer)
    }
}

extension TaskOutcome {
    /// Applies the changes of plugins to the response.
    fileprivate mutating func take(_ response: TargetResponse) {
        fileURL = response.fileURL ?? fileURL
        // A download has no data.
        if fileURL == nil { data = response.data }
        request = response.request ?? request
        metrics = response.metrics ?? metrics
        if let made = response.head {
            head = made
        } else if head?.statusCode != response.statusCode, let url = head?.url ?? request?.url {
            head = ResponseHead(
                statusCode: response.statusCode, headers: head?.headers ?? [:], url: url)
        }
    }
}

extension TargetError {
    /// Returns the error of a call with the given outcome and the changes of plugins to the
    /// response.
    fileprivate func error(of task: TaskOutcome) -> BluebonnetError {
        let cause: any Error = underlyingError ?? self
        guard var error = bluebonnetError ?? task.error else {
            return .validation(
                "a plugin rejected the response: \(self)",
                BluebonnetError.Context(
                    request: task.request, head: task.head, data: task.data, underlying: cause))
        }
        if bluebonnetError == nil { error.context.underlying = cause }
        if response != nil { (error.context.head, error.context.data) = (task.head, task.data) }
        return error
    }
}
