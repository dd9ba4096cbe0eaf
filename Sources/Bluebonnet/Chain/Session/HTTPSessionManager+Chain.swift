import Foundation
import FoundationNetworking

/// The manager that is shared by all who want no other: ``SessionManager/default``.
public let AF = HTTPSessionManager.default

extension SessionManager {
    /// A manager that is shared by all who want no other, with every default.
    public static let `default` = HTTPSessionManager()
}

extension HTTPSessionManager {
    /// Changes a request before its parameters are encoded, in each attempt.
    public typealias RequestModifier = Bluebonnet.RequestModifier

    /// Makes a manager, in Alamofire's words.
    ///
    /// - Parameters:
    ///   - configuration: What its tasks have in common.
    ///   - startRequestsImmediately: Whether the first handler of a request resumes it; default true.
    ///   - interceptor: Adapts and retries all of its tasks; default none.
    ///   - redirectHandler: Decides about redirects; nil follows them.
    ///   - eventMonitors: Hear what happens to its tasks; default none.
    public convenience init(
        configuration: SessionConfiguration = .default,
        startRequestsImmediately: Bool = true,
        interceptor: (any RequestInterceptor)? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        eventMonitors: [any EventMonitor] = []
    ) {
        self.init(baseURL: nil, configuration: configuration, transport: nil)
        self.startRequestsImmediately = startRequestsImmediately
        if let interceptor { interceptors = [interceptor] }
        if let redirectHandler { setRedirectHandler(redirectHandler) }
        for monitor in eventMonitors { addMonitor(monitor) }
    }

    /// Whether the first handler of a request that is made from now on resumes it; default true.
    public var startRequestsImmediately: Bool {
        get { settings.withLock { $0.startsRequestsImmediately } }
        set { settings.withLock { $0.startsRequestsImmediately = newValue } }
    }

    /// Whether requests of the chain that are made from now on are validated as by ``DataRequest/validate()-()``
    /// without being asked to; default false.
    public var validatesByDefault: Bool {
        get { settings.withLock { $0.validatesByDefault } }
        set { settings.withLock { $0.validatesByDefault = newValue } }
    }
}

// MARK: Requests

extension HTTPSessionManager {
    /// Makes a request that is sent when it has its first handler.
    ///
    /// Nothing is built before that. Each attempt builds its request anew: the URL, method and header fields, then
    /// what the modifier changes, then the parameters. What fails there fails the request, and its handlers are told.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative one is below ``baseURL``.
    ///   - method: The method; default GET.
    ///   - parameters: What the encoding puts into the request.
    ///   - encoding: How; by default into the query of GET, HEAD and DELETE, and into the body of others as a form.
    ///   - headers: Header fields.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
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

    /// Makes a request with parameters from a dictionary of a known type.
    @_disfavoredOverload
    public func request(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: [String: any Sendable]?,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> DataRequest {
        request(
            convertible, method: method, parameters: parameters.map { Parameters($0) },
            encoding: encoding, headers: headers, interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume, requestModifier: requestModifier)
    }

    /// Makes a request with parameters of a type of yours, which are encoded in each attempt.
    ///
    /// - Parameters:
    ///   - convertible: The URL; a relative one is below ``baseURL``.
    ///   - method: The method; default GET.
    ///   - parameters: What the encoder puts into the request.
    ///   - encoder: How; by default as a form, into the query of GET, HEAD and DELETE, and into the body of others.
    ///   - headers: Header fields.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
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

    /// Makes a request of something that is one, such as a case of a router; it is asked again for each attempt.
    ///
    /// - Parameters:
    ///   - convertible: Makes the request.
    ///   - interceptor: Adapts and retries the request, behind those of the manager.
    ///   - shouldAutomaticallyResume: Whether the first handler resumes it; nil for
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
    ) -> DataRequest {
        let task: DataTask = makeChainTask(DataTaskDelegate.self, source, interceptor)
        return handle(of: task, resumesAutomatically)
    }

    /// Makes the task of a request; nothing judges its response unless a validation is added.
    func makeChainTask<Task: SessionTask>(
        _ delegateType: TaskDelegate.Type, _ source: RequestSource,
        _ interceptor: (any RequestInterceptor)?, responder: (any TaskResponder)? = nil,
        upload: UploadBody? = nil, flow: BodyFlow = .memory
    ) -> Task {
        let task: Task = makeTask(
            delegateType, source, responder, isJudged: false, upload: upload, flow: flow)
        if let interceptor { task.addInterceptor(interceptor) }
        return task
    }

    /// The handle by which the caller and interceptors know a task.
    func handle<Handle: Request>(of task: SessionTask, _ resumesAutomatically: Bool?) -> Handle {
        let (startsAtOnce, isValidated) = settings.withLock {
            ($0.startsRequestsImmediately, $0.validatesByDefault)
        }
        let request = Handle(
            task.delegate, holding: task,
            resumesAutomatically: resumesAutomatically ?? startsAtOnce)
        task.delegate.state.withLock { state in
            state.request = request
            state.managerUntilStart = self
            if isValidated { state.validators.append(RequestValidation.standard) }
        }
        return request
    }

    /// What puts parameters into a request; nil without any.
    func encode(
        _ parameters: Parameters?, _ encoding: any ParameterEncoding
    ) -> (@Sendable (URLRequest) throws -> URLRequest)? {
        guard let parameters else { return nil }
        return { try encoding.encode($0, with: parameters) }
    }

    /// What puts parameters into a request; nil without any.
    func encode<P: Encodable & Sendable>(
        _ parameters: P?, _ encoder: any ParameterEncoder
    ) -> (@Sendable (URLRequest) throws -> URLRequest)? {
        guard let parameters else { return nil }
        return { try encoder.encode(parameters, into: $0) }
    }
}
