public import Dispatch
public import Foundation
public import FoundationNetworking

/// Moya's name of ``TargetProvider``.
public typealias MoyaProvider = TargetProvider

/// Sends targets.
///
/// ```swift
/// let provider = TargetProvider<GitHub>(plugins: [NetworkLoggerPlugin()])
/// provider.request(.profile("ash")) { result in
///     print(result)
/// }
/// let zen = try await provider.request(.zen).mapString()
/// ```
///
/// Each call is a request of the session's chain. Calls go on when the provider is let go. Any thread may use it.
// `open` because Moya's users override `request`: its constants are private, so a subclass can change nothing that a call
// relies on.
open class TargetProvider<Target: TargetType>: @unchecked Sendable {
    // @unchecked because the class is not final: constants are all it has.

    /// Makes an endpoint of a target.
    public typealias EndpointClosure = @Sendable (_ target: Target) -> Endpoint
    /// Takes the request of an endpoint, or why there is none; its first call counts.
    public typealias RequestResultClosure =
        @Sendable (_ result: Result<URLRequest, TargetError>) ->
        Void
    /// Makes the request of an endpoint, and passes it on, at once or later.
    public typealias RequestClosure =
        @Sendable (
            _ endpoint: Endpoint, _ closure: @escaping RequestResultClosure
        ) -> Void
    /// Decides whether a target is answered by its sample.
    public typealias StubClosure = @Sendable (_ target: Target) -> StubBehavior
    /// Hears how a call ended.
    public typealias Completion = @Sendable (_ result: Result<TargetResponse, TargetError>) -> Void
    /// Hears how far a call is.
    public typealias ProgressBlock = @Sendable (_ progress: ProgressResponse) -> Void

    private let endpointClosure: EndpointClosure
    private let requestClosure: RequestClosure
    private let stubClosure: StubClosure
    private let terms: TargetCall.Terms

    /// The manager that sends the requests.
    public var session: Session { terms.session }
    /// The plugins, in the order in which they are asked.
    public var plugins: [any PluginType] { terms.plugins }
    /// Whether equal requests that are under way at once share one exchange.
    public var trackInflights: Bool { terms.shared != nil }

    /// How many exchanges are under way that calls can join.
    var sharedExchangeCount: Int { terms.shared?.count ?? 0 }

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - endpointClosure: Makes the endpoint of a target, on the thread of the call.
    ///   - requestClosure: Makes the request of an endpoint, on the thread of the call.
    ///   - stubClosure: Decides whether a target is answered by its ``TargetType/sampleData``; default never.
    ///   - callbackQueue: Where plugins hear of responses, and completions are called; nil for the session's
    ///     ``SessionManager/completionQueue``.
    ///   - session: Sends the requests; by default a new one.
    ///   - plugins: Change and hear of the calls, in this order.
    ///   - trackInflights: Whether equal requests that are under way at once share one exchange, with its retries;
    ///     default false. Downloads and uploads never do. Requests are compared as plugins have prepared them, so a plugin
    ///     of yours that gives users credentials has to do so in `prepare`. An interceptor that lets a number of requests
    ///     through at once counts those that wait for the exchange of another.
    ///   - sharedMethods: The methods of requests that may share one; default GET and HEAD.
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

    /// Sends a target.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - callbackQueue: Where the completion is called; nil for the provider's.
    ///   - progress: Hears how far the call is; the last time with the response.
    ///   - completion: Called exactly once.
    /// - Returns: What cancels the call.
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
            sample: SampleTransport(endpoint, stubClosure(target))
        ) { completion($0.result) }
        requestClosure(endpoint) { call.send($0) }
        return call
    }

    // Disfavoured, so that an `async` form of this name in an extension of the caller's own is preferred.
    /// Sends a target, and waits for its response.
    ///
    /// Cancelling the Swift task cancels the call.
    ///
    /// - Parameter target: The target.
    /// - Returns: The response, whatever its status unless the target's ``TargetType/validationType`` refuses it.
    /// - Throws: Whatever made the call fail.
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
    /// The endpoint of a target: its URL, method, task and header fields.
    public static func defaultEndpointMapping(for target: Target) -> Endpoint { Endpoint(target) }

    /// Passes on the request of an endpoint.
    public static func defaultRequestMapping(
        for endpoint: Endpoint, closure: RequestResultClosure
    ) {
        closure(Result { () throws(TargetError) in try endpoint.urlRequest() })
    }

    /// A session with every default.
    public static func defaultAlamofireSession() -> Session { Session() }

    /// Answers no target by its sample.
    public static func neverStub(_: Target) -> StubBehavior { .never }

    /// Answers every target by its sample.
    public static func immediatelyStub(_: Target) -> StubBehavior { .immediate }

    /// Answers every target by its sample, after a delay in seconds.
    public static func delayedStub(_ seconds: TimeInterval) -> StubClosure {
        { _ in .delayed(seconds: seconds) }
    }
}

/// Whether a target is answered by its sample in place of a server.
public enum StubBehavior: Sendable, Hashable {
    /// It is sent.
    case never
    /// It is answered at once.
    case immediate
    /// It is answered after a delay.
    case delayed(seconds: TimeInterval)
}
