public import BluebonnetChain

/// The URL, method, header fields and content that a provider sends for a target.
///
/// An endpoint closure can change it.
public struct Endpoint: Sendable {
    /// A closure that returns the response of a stub.
    public typealias SampleResponseClosure = @Sendable () -> EndpointSampleResponse

    /// The URL as a string.
    public let url: String
    /// Returns the response of a stub.
    public let sampleResponseClosure: SampleResponseClosure
    /// The HTTP method.
    public let method: HTTPMethod
    /// The content of the request and the destination of its response.
    public let task: TargetTask
    /// The header fields; nil for none.
    public let httpHeaderFields: [String: String]?
    /// The URL of the target, or the reason why it has none; nil if only the text is known.
    private var targetURL: Result<URL, RequestSerializationError>?

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - url: The absolute URL.
    ///   - sampleResponseClosure: Returns the response of a stub.
    ///   - method: The HTTP method.
    ///   - task: The content of the request and the destination of its response.
    ///   - httpHeaderFields: The header fields; nil for none.
    public init(
        url: String,
        sampleResponseClosure: @escaping SampleResponseClosure,
        method: HTTPMethod,
        task: TargetTask,
        httpHeaderFields: [String: String]?
    ) {
        self.url = url
        self.sampleResponseClosure = sampleResponseClosure
        self.method = method
        self.task = task
        self.httpHeaderFields = httpHeaderFields
    }

    /// Creates the endpoint of a target, as ``TargetProvider/defaultEndpointMapping(for:)`` does.
    init(_ target: some TargetType) {
        let (base, path) = (target.baseURL, target.path)
        let url = Result { () throws(RequestSerializationError) in
            try URL(endpointPath: path, below: base)
        }
        targetURL = url
        self.url = (try? url.get().absoluteString) ?? base.absoluteString + path
        sampleResponseClosure = { .networkResponse(200, target.sampleData) }
        method = target.method
        task = target.task
        httpHeaderFields = target.headers
    }

    /// Returns a copy with additional header fields, which replace existing fields of the same
    /// name.
    ///
    /// The case of names is ignored.
    ///
    /// - Parameter newHTTPHeaderFields: The fields to add.
    /// - Returns: The new endpoint.
    public func adding(newHTTPHeaderFields: [String: String]) -> Endpoint {
        guard !newHTTPHeaderFields.isEmpty else { return self }
        let names = Set(newHTTPHeaderFields.keys.map { $0.lowercased() })
        let former = (httpHeaderFields ?? [:]).filter { !names.contains($0.key.lowercased()) }
        return copy(task, former.merging(newHTTPHeaderFields) { $1 })
    }

    /// Returns a copy with another task.
    ///
    /// - Parameter task: The new task.
    /// - Returns: The new endpoint.
    public func replacing(task: TargetTask) -> Endpoint {
        copy(task, httpHeaderFields)
    }

    private func copy(_ task: TargetTask, _ fields: [String: String]?) -> Endpoint {
        var endpoint = Endpoint(
            url: url, sampleResponseClosure: sampleResponseClosure, method: method, task: task,
            httpHeaderFields: fields)
        endpoint.targetURL = targetURL
        return endpoint
    }
}

extension Endpoint {
    /// Returns the request of the endpoint.
    ///
    /// - Returns: The request, without the body of an upload, which is read while it is sent.
    /// - Throws: ``TargetError/requestMapping(_:)`` if the URL is invalid,
    ///   ``TargetError/parameterEncoding(_:)`` for parameters that cannot be sent, or
    ///   ``TargetError/encodableMapping(_:)`` for a value that cannot be encoded.
    public func urlRequest() throws(TargetError) -> URLRequest {
        guard let url = try? targetURL?.get() ?? url.asURL(), url.scheme != nil
        else { throw .requestMapping(url) }
        var request = URLRequest(method, url)
        // Of several spellings of a name, one is sent.
        for (name, value) in (httpHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            request.setField(name, to: value)
        }
        return try task.adding(to: request)
    }
}
