public import Foundation
import FoundationNetworking

/// Sends requests that know the types of their responses.
///
/// ```swift
/// let client = TargetClient(baseURL: URL(string: "https://api.example.com/v1")!)
/// let user = try await client.send(GetUser(id: 7))
/// for try await page in client.pages(ListUsers()) { print(page.count) }
/// ```
///
/// Calls go through the same plugins as those of a ``TargetProvider``, and below them through the session's interceptors,
/// retries and monitors. Any thread may use it.
public struct TargetClient: Sendable {
    /// What the paths of requests are below; its query stays behind them.
    public let baseURL: URL
    private let encoder: JSONEncoder?
    private let decoder: (any DataDecoder)?
    private let terms: TargetCall.Terms

    /// The manager that sends the requests.
    public var session: Session { terms.session }
    /// The plugins, in the order in which they are asked.
    public var plugins: [any PluginType] { terms.plugins }

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - baseURL: What the paths of requests are below.
    ///   - session: Sends the requests; by default a new one.
    ///   - plugins: Change and hear of the calls, in this order.
    ///   - encoder: Encodes bodies, and must not be changed later; nil for `JSONEncoder()`.
    ///   - decoder: Decodes bodies; nil for the session's ``HTTPSessionManager/JSON/decoder``.
    ///   - trackInflights: Whether equal GET and HEAD requests that are under way at once share one exchange, as in
    ///     ``TargetProvider/init(endpointClosure:requestClosure:stubClosure:callbackQueue:session:plugins:trackInflights:sharedMethods:)``;
    ///     default false.
    public init(
        baseURL: URL,
        session: Session = Session(),
        plugins: [any PluginType] = [],
        encoder: JSONEncoder? = nil,
        decoder: (any DataDecoder)? = nil,
        trackInflights: Bool = false
    ) {
        self.baseURL = baseURL
        self.encoder = encoder
        self.decoder = decoder
        terms = TargetCall.Terms(
            session: session, plugins: plugins, callbackQueue: nil,
            shared: trackInflights ? SharedExchanges(of: [.get, .head]) : nil)
    }

    /// Sends a request, and waits for the value of its response.
    ///
    /// Cancelling the Swift task cancels the call.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - progress: Hears how far the call is, on the session's ``SessionManager/completionQueue``; default nil.
    /// - Returns: The value; that of an ``APIDownload`` is the file.
    /// - Throws: Whatever made the call fail. An error of a plugin's own is the context's underlying one.
    public func send<R: APIRequest>(
        _ request: R, progress: (@Sendable (_ progress: ProgressResponse) -> Void)? = nil
    ) async throws(BluebonnetError) -> R.Response {
        try await sendResponse(request, progress: progress).result.get()
    }

    /// Sends a request, and waits for its response, whatever came of it.
    ///
    /// Cancelling the Swift task cancels the call.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - progress: Hears how far the call is, on the session's ``SessionManager/completionQueue``; default nil.
    /// - Returns: Status, header fields, metrics, and the value or the error.
    public func sendResponse<R: APIRequest>(
        _ request: R, progress: (@Sendable (_ progress: ProgressResponse) -> Void)? = nil
    ) async -> Response<R.Response> {
        await sendResponse(request, at: nil, progress)
    }

    /// The same, to a URL in place of that of the request.
    func sendResponse<R: APIRequest>(
        _ request: R, at url: URL?,
        _ progress: (@Sendable (_ progress: ProgressResponse) -> Void)? = nil
    ) async -> Response<R.Response> {
        let target = APIRequestTarget(request, baseURL: baseURL)
        let end: TargetCall.End = await completion { completion in
            let call = TargetCall(
                target, target.task, terms, progress: progress, completion: completion)
            // So that nothing is sent.
            if Task.isCancelled { call.cancel() }
            call.send(urlRequest(of: target, at: url))
            return call
        }
        return end.response(serializedBy: request.serializer, serializerDefaults)
    }

    /// Sends a request whose response is a stream, and reads the values as they come.
    ///
    /// Each loop sends a request of its own. The server waits for a loop that takes its time; leaving the loop, or
    /// cancelling its Swift task, cancels the call. Plugins receive the end without a body, and what they make of it has
    /// no effect. A request that uploads a file or a form fails.
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

    /// Sends a request, and then one for each page that follows, as the `Link` fields of the responses say (RFC 8288).
    ///
    /// Each page is asked for when the loop wants it, with the header fields and the body of the request. A link to another
    /// origin than that of the base URL fails the loop, also where a redirect leads there: it would receive credentials. So
    /// does a link to a page that the loop has read.
    ///
    /// - Parameters:
    ///   - request: The request for the first page.
    ///   - relation: The relation of the links that are followed; default `next`.
    /// - Returns: The pages.
    public func pages<R: APIRequest>(
        _ request: R, following relation: String = "next"
    ) -> TargetPages<R> {
        TargetPages(client: self, request: request, relation: relation)
    }

    private func urlRequest(
        of target: APIRequestTarget, at url: URL?
    ) -> Result<URLRequest, TargetError> {
        Result { () throws(TargetError) in try target.urlRequest(at: url, encoder) }
    }

    private func streamRequest(of target: APIRequestTarget) -> Result<URLRequest, TargetError> {
        switch target.task {
        case .uploadFile, .uploadMultipartFormData, .uploadCompositeMultipartFormData:
            .failure(
                .parameterEncoding(
                    RequestSerializationError(
                        reason: "a stream sends no file and no form; send a body")))
        default: urlRequest(of: target, at: nil)
        }
    }

    /// What serializers of requests have that were not told.
    private var serializerDefaults: SerializerDefaults {
        SerializerDefaults(
            serializer: session.serializer.value,
            decoder: decoder as? JSONDecoder ?? session.json.decoder,
            otherDecoder: decoder is JSONDecoder ? nil : decoder)
    }
}

// What does not take a stream, which might never end.
extension TargetClient {
    /// A stream has no one response.
    @available(*, unavailable, message: "use stream(_:)")
    public func send<R: APIStream>(
        _ request: R, progress: (@Sendable (_ progress: ProgressResponse) -> Void)? = nil
    ) async throws(BluebonnetError) -> R.Response {
        try await sendResponse(request, at: nil, progress).result.get()
    }

    /// A stream has no one response.
    @available(*, unavailable, message: "use stream(_:)")
    public func sendResponse<R: APIStream>(
        _ request: R, progress: (@Sendable (_ progress: ProgressResponse) -> Void)? = nil
    ) async -> Response<R.Response> {
        await sendResponse(request, at: nil, progress)
    }

    /// A stream has no pages.
    @available(*, unavailable, message: "use stream(_:)")
    public func pages<R: APIStream>(
        _ request: R, following relation: String = "next"
    ) -> TargetPages<R> {
        TargetPages(client: self, request: request, relation: relation)
    }
}

extension TargetCall.End {
    /// The response with its value, or the error of the call.
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
                task?.delegate.errorContext ?? (Redactor(request: outcome.request), nil)
            }
        }
        return response(serializer)
    }
}

extension TaskOutcome {
    /// Takes over what plugins have made of the response.
    fileprivate mutating func take(_ response: TargetResponse) {
        fileURL = response.fileURL ?? fileURL
        // A download has none.
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
    /// The error of a call that has ended so, with what plugins have made of the response.
    fileprivate func error(of task: TaskOutcome) -> BluebonnetError {
        let cause: any Error = underlyingError ?? self
        guard var error = bluebonnetError ?? task.error else {
            return .validation(
                "a plugin refused the response: \(self)",
                BluebonnetError.Context(
                    request: task.request, head: task.head, data: task.data, underlying: cause))
        }
        if bluebonnetError == nil { error.context.underlying = cause }
        if response != nil { (error.context.head, error.context.data) = (task.head, task.data) }
        return error
    }
}
