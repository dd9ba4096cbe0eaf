public import Bluebonnet
import Foundation

extension APIClient {
    /// Returns a client whose calls are answered by the routes of a stub.
    ///
    /// Everything above the network is real: encoding, interceptors, retries, validation and
    /// decoding.
    ///
    /// - Parameters:
    ///   - stub: The stub that answers the requests.
    ///   - baseURL: The URL that the paths of requests are relative to.
    ///   - configuration: The configuration of the session. Set its clock to a ``ManualClock`` so
    ///     that delays take no time.
    ///   - interceptors: The interceptors of the client; none by default.
    ///   - monitors: Receive the events of the client's tasks; none by default.
    ///   - encoder: Writes bodies. If nil, it is that of the session.
    ///   - decoder: Decodes bodies. If nil, it is that of the session.
    /// - Returns: The client.
    public static func stubbed(
        by stub: StubTransport,
        baseURL: URL,
        configuration: SessionConfiguration = .default,
        interceptors: [any RequestInterceptor] = [],
        monitors: [any TaskEventMonitor] = [],
        encoder: JSONBodyEncoder? = nil,
        decoder: (any DataDecoder)? = nil
    ) -> APIClient {
        APIClient(
            baseURL: baseURL,
            session: HTTPSessionManager(configuration: configuration, transport: stub),
            interceptors: interceptors, monitors: monitors, encoder: encoder, decoder: decoder)
    }
}
