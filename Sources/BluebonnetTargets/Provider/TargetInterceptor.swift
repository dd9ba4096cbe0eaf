import BluebonnetChain

/// An interceptor that lets the plugins of a call prepare the request of each attempt.
///
/// It runs after the session's interceptors.
struct TargetInterceptor: RequestInterceptor {
    let call: TargetCall

    func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        try await call.adapt(urlRequest, of: state.request)
    }
}
