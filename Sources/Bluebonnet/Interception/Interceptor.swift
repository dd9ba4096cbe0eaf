public import FoundationNetworking

/// Adapters and retriers that act as one interceptor (A-I3).
///
/// Adapters run in order, up to the first that fails. Retriers are asked in order, until one answers something else than
/// ``RetryResult/doNotRetry``. Interceptors count as both, behind the others.
open class Interceptor: RequestInterceptor, @unchecked Sendable {
    // @unchecked because the class is open: its own state is constants. A subclass that stores state of its own
    // protects it itself.

    /// The adapters, interceptors included, in order.
    public let adapters: [any RequestAdapter]
    /// The retriers, interceptors included, in order.
    public let retriers: [any RequestRetrier]

    /// Creates an interceptor from two closures.
    public convenience init(
        adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler
    ) {
        self.init(adapter: Adapter(adaptHandler), retrier: Retrier(retryHandler))
    }

    /// Creates an interceptor from an adapter and a retrier.
    public convenience init(adapter: any RequestAdapter, retrier: any RequestRetrier) {
        self.init(adapters: [adapter], retriers: [retrier])
    }

    /// Creates an interceptor from any number of adapters, retriers and interceptors.
    public init(
        adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    /// Runs the adapters in order, up to the first that fails.
    open func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        var request = urlRequest
        for (index, adapter) in adapters.enumerated() {
            state.begun.set(index + 1, by: self)
            request = try await adapter.adapt(request, using: state)
        }
        return request
    }

    /// Runs the adapters in order, up to the first that fails.
    open func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        var request = urlRequest
        for adapter in adapters { request = try await adapter.adapt(request, for: session) }
        return request
    }

    /// Asks the retriers in order.
    open func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        for retrier in retriers {
            let result = await retrier.retry(request, for: session, dueTo: error)
            if case .doNotRetry = result { continue }
            return result
        }
        return .doNotRetry
    }

    /// Tells those adapters that are interceptors and have begun with the attempt.
    open func attemptDidEnd(_ attempt: EndedAttempt) {
        let count = attempt.begun.count(by: self)
        for case let interceptor as any RequestInterceptor in adapters.prefix(count) {
            interceptor.attemptDidEnd(attempt)
        }
    }
}

extension RequestInterceptor where Self == Interceptor {
    /// An interceptor made of two closures.
    public static func interceptor(
        adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler
    ) -> Interceptor {
        Interceptor(adaptHandler: adaptHandler, retryHandler: retryHandler)
    }

    /// An interceptor made of an adapter and a retrier.
    public static func interceptor(
        adapter: any RequestAdapter, retrier: any RequestRetrier
    ) -> Interceptor {
        Interceptor(adapter: adapter, retrier: retrier)
    }

    /// An interceptor made of any number of adapters, retriers and interceptors.
    public static func interceptor(
        adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) -> Interceptor {
        Interceptor(adapters: adapters, retriers: retriers, interceptors: interceptors)
    }
}
