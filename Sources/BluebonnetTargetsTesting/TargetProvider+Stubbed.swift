public import BluebonnetTargets
public import BluebonnetTesting
public import Dispatch

extension TargetProvider {
    /// Returns a provider whose calls are answered by the routes of a stub.
    ///
    /// Test data then stays out of the program.
    ///
    /// ```swift
    /// let stub = StubTransport()
    /// stub.on(GitHub.zen, .text("Keep it simple."))
    /// let provider = TargetProvider<GitHub>.stubbed(by: stub)
    /// #expect(try await provider.request(.zen).mapString() == "Keep it simple.")
    /// ```
    ///
    /// Everything else works as with a server: plugins, interceptors, retries, redirects and
    /// validation.
    ///
    /// - Parameters:
    ///   - stub: The stub that answers the requests.
    ///   - configuration: The configuration of the session. Set its clock to a
    ///     ``/BluebonnetTesting/ManualClock`` so that delays take no time.
    ///   - interceptors: The interceptors of the session; none by default.
    ///   - endpointClosure: Returns the endpoint of a target.
    ///   - callbackQueue: The queue for completions and for the plugin methods that handle
    ///     responses. If nil, it is a queue of the library.
    ///   - plugins: The plugins, in the order in which they are called.
    ///   - trackInflights: Whether equal requests that are under way at the same time share one
    ///     exchange. The default is false.
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
        let session = HTTPSessionManager(configuration: configuration, transport: stub)
        session.interceptors = interceptors
        return TargetProvider(
            endpointClosure: endpointClosure, callbackQueue: callbackQueue, session: session,
            plugins: plugins, trackInflights: trackInflights)
    }
}
