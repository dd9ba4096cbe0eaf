public import Bluebonnet
public import Dispatch
import Foundation

extension TargetProvider {
    /// Makes a provider whose calls are answered by the routes of a stub, so that test data stays out of the program.
    ///
    /// ```swift
    /// let stub = StubTransport()
    /// stub.on(GitHub.zen, .text("Keep it simple."))
    /// let provider = TargetProvider<GitHub>.stubbed(by: stub)
    /// #expect(try await provider.request(.zen).mapString() == "Keep it simple.")
    /// ```
    ///
    /// All else is as with a server: plugins, interceptors, retries, redirects, validation.
    ///
    /// - Parameters:
    ///   - stub: Answers the requests.
    ///   - configuration: That of the session; give it a ``ManualClock`` so that delays take no time.
    ///   - interceptors: Those of the session; default none.
    ///   - endpointClosure: Makes the endpoint of a target.
    ///   - callbackQueue: Where plugins hear of responses, and completions are called; nil for one of the library's own.
    ///   - plugins: Change and hear of the calls, in this order.
    ///   - trackInflights: Whether equal requests that are under way at once share one exchange; default false.
    /// - Returns: The provider.
    public static func stubbed(
        by stub: StubTransport,
        configuration: SessionConfiguration = .default,
        interceptors: [any RequestInterceptor] = [],
        endpointClosure: @escaping EndpointClosure = TargetProvider.defaultEndpointMapping,
        callbackQueue: DispatchQueue? = nil,
        plugins: [any PluginType] = [],
        trackInflights: Bool = false
    ) -> TargetProvider {
        TargetProvider(
            endpointClosure: endpointClosure, callbackQueue: callbackQueue,
            session: .stubbed(by: stub, configuration, interceptors), plugins: plugins,
            trackInflights: trackInflights)
    }
}

extension TargetClient {
    /// Makes a client whose calls are answered by the routes of a stub, as
    /// ``TargetProvider/stubbed(by:configuration:interceptors:endpointClosure:callbackQueue:plugins:trackInflights:)``
    /// does.
    ///
    /// - Parameters:
    ///   - stub: Answers the requests.
    ///   - baseURL: What the paths of requests are below.
    ///   - configuration: That of the session; give it a ``ManualClock`` so that delays take no time.
    ///   - interceptors: Those of the session; default none.
    ///   - plugins: Change and hear of the calls, in this order.
    ///   - encoder: Encodes bodies; nil for `JSONEncoder()`.
    ///   - decoder: Decodes bodies; nil for `JSONDecoder()`.
    ///   - trackInflights: Whether equal requests that are under way at once share one exchange; default false.
    /// - Returns: The client.
    public static func stubbed(
        by stub: StubTransport,
        baseURL: URL,
        configuration: SessionConfiguration = .default,
        interceptors: [any RequestInterceptor] = [],
        plugins: [any PluginType] = [],
        encoder: JSONEncoder? = nil,
        decoder: (any DataDecoder)? = nil,
        trackInflights: Bool = false
    ) -> TargetClient {
        TargetClient(
            baseURL: baseURL, session: .stubbed(by: stub, configuration, interceptors),
            plugins: plugins, encoder: encoder, decoder: decoder, trackInflights: trackInflights)
    }
}

extension HTTPSessionManager {
    fileprivate static func stubbed(
        by stub: StubTransport, _ configuration: SessionConfiguration,
        _ interceptors: [any RequestInterceptor]
    ) -> HTTPSessionManager {
        let session = HTTPSessionManager(configuration: configuration, transport: stub)
        session.interceptors = interceptors
        return session
    }
}
