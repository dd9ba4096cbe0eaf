public import BluebonnetChain
public import Dispatch

/// Moya's name for ``TargetProvider``.
public typealias MoyaProvider = TargetProvider

/// A provider that sends the requests of targets.
///
/// ```swift
/// let provider = TargetProvider<GitHub>(plugins: [NetworkLoggerPlugin()])
/// provider.request(.profile("ash")) { result in
///     print(result)
/// }
/// let zen = try await provider.request(.zen).mapString()
/// ```
///
/// Each call is a request of the session's chain. Calls continue when the provider is deallocated.
/// A provider can be used from any thread.
// `open` because Moya's users override `request`. The constants are private, so a subclass cannot
// change anything that a call relies on.
open class TargetProvider<Target: TargetType>: @unchecked Sendable {
    // @unchecked because the class is not final: all its properties are constants.

    /// A closure that returns the endpoint of a target.
    public typealias EndpointClosure = @Sendable (_ target: Target) -> Endpoint
    /// A closure that receives the request of an endpoint, or an error; only its first call has an
    /// effect.
    public typealias RequestResultClosure =
        @Sendable (_ result: Result<URLRequest, TargetError>) ->
        Void
    /// A closure that builds the request of an endpoint and passes it on, immediately or later.
    public typealias RequestClosure =
        @Sendable (
            _ endpoint: Endpoint, _ closure: @escaping RequestResultClosure
        ) -> Void
    /// A closure that decides whether a target is answered with its sample.
    public typealias StubClosure = @Sendable (_ target: Target) -> StubBehavior
    /// A closure that receives the result of a call.
    public typealias Completion = BluebonnetTargets.Completion
    /// A closure that receives the progress of a call.
    public typealias ProgressBlock = BluebonnetTargets.ProgressBlock

    private let endpointClosure: EndpointClosure
    private let requestClosure: RequestClosure
    private let stubClosure: StubClosure
    private let terms: TargetCall.Terms

    /// The manager that sends the requests.
    public var session: Session { terms.session }
    /// The plugins, in the order in which they are called.
    public var plugins: [any PluginType] { terms.plugins }
    /// Whether equal requests that are under way at the same time share one exchange.
    public var trackInflights: Bool { terms.shared != nil }

    /// The number of exchanges under way that calls can join.
    var sharedExchangeCount: Int { terms.shared?.count ?? 0 }

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - endpointClosure: Returns the endpoint of a target. It is called on the thread of the
    ///     call.
    ///   - requestClosure: Builds the request of an endpoint. It is called on the thread of the
    ///     call.
    ///   - stubClosure: Decides whether a target is answered with its ``TargetType/sampleData``;
    ///     by default, none is.
    ///   - callbackQueue: The queue for completions and for the plugin methods that handle
    ///     responses. If nil, it is the session's ``/Bluebonnet/SessionManager/completionQueue``.
    ///   - session: The session that sends the requests; a new one by default.
    ///   - plugins: The plugins, in the order in which they are called.
    ///   - trackInflights: Whether equal requests that are under way at the same time share one
    ///     exchange, with its retries. The default is false. Downloads and uploads never share one.
    ///     Requests are compared as plugins have prepared them, so a custom plugin that sets the
    ///     credentials of a user must do so in `prepare`. An interceptor that limits the number of
    ///     simultaneous requests also counts calls that wait for a shared exchange.
    ///   - sharedMethods: The methods of requests that can share an exchange; GET and HEAD by
    ///     default.
    public init(
        endpointClosure: @escaping EndpointClosure = TargetProvider.defaultEndpointMapping,
        requestClosure: @escaping RequestClosure = TargetProvider.defaultRequestMapping,
        stubClosure: @escaping StubClosure = TargetProvider.neverStub,
        callbackQueue: DispatchQueue? = nil,
        session: Session = TargetProvider.defaultAlamofireSession(),
        plugins: [any PluginType] = [],
        trackInflights: Bool = false,
        sharedMethods: Set<HTTPMethod> = [.get, .head]
    ) {
        self.endpointClosure = endpointClosure
        self.requestClosure = requestClosure
        self.stubClosure = stubClosure
        terms = TargetCall.Terms(
            session: session, plugins: plugins, callbackQueue: callbackQueue,
            shared: trackInflights ? SharedExchanges(of: sharedMethods) : nil)
    }

    /// Sends the request of a target.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - callbackQueue: The queue for the completion; nil for that of the provider.
    ///   - progress: Receives the progress of the call, the last time with the response.
    ///   - completion: Receives the result; called exactly once.
    /// - Returns: A handle for canceling the call.
    @discardableResult
    open func request(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil,
        progress: ProgressBlock? = nil,
        completion: @escaping Completion
    ) -> any Cancellable {
        let endpoint = endpointClosure(target)
        let call = TargetCall(
            target, endpoint.task, terms, queue: callbackQueue, progress: progress,
            sample: SampleTransport(endpoint, stubClosure(target)), completion: completion)
        requestClosure(endpoint) { call.send($0) }
        return call
    }

    // Disfavored, so that an `async` form of this name in an extension of the caller takes
    // precedence.
    /// Sends the request of a target and waits for its response.
    ///
    /// Canceling the Swift task cancels the call.
    ///
    /// - Parameter target: The target.
    /// - Returns: The response, with any status code that the target's
    ///   ``TargetType/validationType`` accepts.
    /// - Throws: The error that the call failed with.
    @_disfavoredOverload
    public func request(_ target: Target) async throws(TargetError) -> TargetResponse {
        let result = await completion { completion in
            request(target, callbackQueue: nil, progress: nil, completion: completion)
        }
        return try result.get()
    }
}

// Moya's defaults.
extension TargetProvider {
    /// Returns the endpoint of a target, with its URL, method, task and header fields.
    public static func defaultEndpointMapping(for target: Target) -> Endpoint { Endpoint(target) }

    /// Passes the request of an endpoint to a closure.
    public static func defaultRequestMapping(
        for endpoint: Endpoint, closure: RequestResultClosure
    ) {
        closure(Result { () throws(TargetError) in try endpoint.urlRequest() })
    }

    /// Returns a session with default settings.
    public static func defaultAlamofireSession() -> Session { Session() }

    /// Returns ``StubBehavior/never`` for every target.
    public static func neverStub(_: Target) -> StubBehavior { .never }

    /// Returns ``StubBehavior/immediate`` for every target.
    public static func immediatelyStub(_: Target) -> StubBehavior { .immediate }

    /// Returns a closure that answers every target with its sample, after a delay in seconds.
    public static func delayedStub(_ seconds: TimeInterval) -> StubClosure {
        { _ in .delayed(seconds: seconds) }
    }
}

/// Whether a target is answered with its sample instead of a server.
public enum StubBehavior: Sendable, Hashable {
    /// The request is sent to the server.
    case never
    /// The sample answers immediately.
    case immediate
    /// The sample answers after a delay.
    case delayed(seconds: TimeInterval)
}
