public import Bluebonnet

/// The shared manager, ``Bluebonnet/SessionManager/default``.
public let AF = HTTPSessionManager.default

extension SessionManager {
    /// The shared manager, which has default settings.
    public static let `default` = HTTPSessionManager()
}

extension HTTPSessionManager {
    /// A closure that changes the request of each attempt before its parameters are encoded.
    public typealias RequestModifier = Bluebonnet.RequestModifier

    /// Creates a manager with Alamofire's parameters.
    ///
    /// - Parameters:
    ///   - configuration: The settings that its tasks share.
    ///   - startRequestsImmediately: Whether the first handler of a request resumes it. The default
    ///     is true.
    ///   - interceptor: Adapts and retries all tasks. The default is none.
    ///   - redirectHandler: Decides about redirects. If it is nil, they are followed.
    ///   - cachedResponseHandler: Decides what a cache stores. If it is nil, the cache decides.
    ///   - eventMonitors: Receive the events of its tasks. The default is none.
    ///   - transport: The transport that performs exchanges, such as a `StubTransport` in tests; nil,
    ///     the default, for the process's shared transport, which uses libcurl.
    public convenience init(
        configuration: SessionConfiguration = .default,
        startRequestsImmediately: Bool = true,
        interceptor: (any RequestInterceptor)? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any CachedResponseHandler)? = nil,
        eventMonitors: [any EventMonitor] = [],
        transport: (any Transport)? = nil
    ) {
        self.init(baseURL: nil, configuration: configuration, transport: transport)
        self.startRequestsImmediately = startRequestsImmediately
        if let interceptor { interceptors = [interceptor] }
        if let redirectHandler { setRedirectHandler(redirectHandler) }
        if let cachedResponseHandler { setCachedResponseHandler(cachedResponseHandler) }
        for monitor in eventMonitors { addMonitor(monitor) }
    }

    /// Whether the first handler of a request resumes it, for requests created from now on; default
    /// true.
    public var startRequestsImmediately: Bool {
        get { chain.startsRequestsImmediately }
        set { changeChain { $0.startsRequestsImmediately = newValue } }
    }

    /// Whether requests of the chain are validated without a call of `validate`; default false.
    ///
    /// It applies to requests created from now on, which are validated as by
    /// ``DataTask/validate()-()``.
    public var validatesByDefault: Bool {
        get { chain.validatesByDefault }
        set { changeChain { $0.validatesByDefault = newValue } }
    }
}

// MARK: Requests

extension HTTPSessionManager {
    /// Creates a request that is sent when its first handler is added.
    ///
    /// Nothing is created before that. Each attempt creates its request again: first the URL,
    /// method and header fields, then the changes of the modifier, then the parameters. An error in
    /// one of these steps fails the request and is delivered to its handlers.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - method: The method. The default is GET.
    ///   - parameters: The parameters, which `encoding` puts into the request.
    ///   - encoding: How the parameters are encoded. By default, they are a query for GET, HEAD and
    ///     DELETE, and a form in the body for other methods. It is called even without parameters.
    ///   - headers: The header fields.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - requestModifier: Changes the request before the parameters are encoded.
    /// - Returns: The request.
    public func request(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        let request = ChainRequest(
            url: convertible, method: method, headers: headers, modifier: requestModifier)
        return dataRequest(
            request.source(relativeTo: baseURL, encode: encode(parameters, encoding)),
            interceptor, shouldAutomaticallyResume)
    }

    /// Creates a request with parameters from a dictionary with values of any type.
    @_disfavoredOverload
    public func request(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: [String: Any]?,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        request(
            convertible, method: method, parameters: parameters.map(Parameters.init(unchecked:)),
            encoding: encoding, headers: headers, interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume, requestModifier: requestModifier)
    }

    /// Creates a request with `Encodable` parameters, which are encoded in each attempt.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative URL is resolved against
    ///     ``/Bluebonnet/HTTPSessionManager/baseURL``.
    ///   - method: The method. The default is GET.
    ///   - parameters: The parameters, which `encoder` puts into the request.
    ///   - encoder: How the parameters are encoded. By default, they are a query for GET, HEAD and
    ///     DELETE, and a form in the body for other methods.
    ///   - headers: The header fields.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    ///   - requestModifier: Changes the request before the parameters are encoded.
    /// - Returns: The request.
    public func request<P: Encodable & Sendable>(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: P? = nil,
        encoder: any ParameterEncoder = URLEncodedFormParameterEncoder.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        let request = ChainRequest(
            url: convertible, method: method, headers: headers, modifier: requestModifier)
        return dataRequest(
            request.source(relativeTo: baseURL, encode: encode(parameters, encoder)),
            interceptor, shouldAutomaticallyResume)
    }

    /// Creates a request from a convertible value, such as a case of a router.
    ///
    /// - Parameters:
    ///   - convertible: Creates the request of each attempt.
    ///   - interceptor: Adapts and retries the request, after the manager's interceptors.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes the request; nil uses
    ///     ``startRequestsImmediately``.
    /// - Returns: The request.
    public func request(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> DataRequest {
        dataRequest(
            RequestSource(convertible, relativeTo: baseURL), interceptor, shouldAutomaticallyResume)
    }

    // MARK: The primitive

    private func dataRequest(
        _ source: RequestSource, _ interceptor: (any RequestInterceptor)?,
        _ resumesAutomatically: Bool?
    ) -> DataRequest { makeRequest(source, interceptor, resumesAutomatically) }

    /// Creates a request; its response is not judged unless a validation is added.
    func makeRequest<Handle: Request>(
        _ source: RequestSource, _ interceptor: (any RequestInterceptor)?,
        _ resumesAutomatically: Bool?, upload: UploadBody? = nil,
        to destination: BodyDestination = .memory
    ) -> Handle {
        let chain = chain
        let request: Handle = makeUnjudgedTask(
            source, startsByItself: resumesAutomatically ?? chain.startsRequestsImmediately,
            validators: chain.validatesByDefault ? [RequestValidation.standard] : [],
            upload: upload, to: destination)
        if let interceptor { request.addInterceptor(interceptor) }
        return request
    }

    /// Returns a closure that encodes parameters into a request.
    func encode(
        _ parameters: Parameters?, _ encoding: any ParameterEncoding
    ) -> @Sendable (URLRequest) throws -> URLRequest {
        // Also without parameters, from which an encoding can create a body.
        { try encoding.encode($0, with: parameters) }
    }

    /// Returns a closure that encodes parameters into a request; nil if there are none.
    func encode<P: Encodable & Sendable>(
        _ parameters: P?, _ encoder: any ParameterEncoder
    ) -> (@Sendable (URLRequest) throws -> URLRequest)? {
        guard let parameters else { return nil }
        return { try encoder.encode(parameters, into: $0) }
    }
}

/// The settings that the chain keeps with a manager.
private struct ChainSettings {
    var startsRequestsImmediately = true
    var validatesByDefault = false
}

extension HTTPSessionManager {
    private var chain: ChainSettings { withLayerSettings { $0 as? ChainSettings ?? .init() } }

    private func changeChain(_ change: (inout ChainSettings) -> Void) {
        withLayerSettings { settings in
            var chain = settings as? ChainSettings ?? ChainSettings()
            change(&chain)
            settings = chain
        }
    }
}
