import FoundationNetworking

/// An interceptor that combines adapters and retriers.
///
/// Adapters run in order until one fails. Retriers are asked in order until one returns a result
/// other than ``RetryResult/doNotRetry``. Each adapter and retrier must answer within
/// ``SessionConfiguration/interceptorTimeout``. Interceptors act as both, after the adapters and
/// retriers.
open class Interceptor: OpenInterceptor, @unchecked Sendable {
    // @unchecked because the class is open: its stored properties are constants. A subclass
    // protects its own state.

    /// The adapters, interceptors included, in order.
    public let adapters: [any RequestAdapter]
    /// The retriers, interceptors included, in order.
    public let retriers: [any RequestRetrier]

    /// Creates an interceptor from two closures with completions.
    ///
    /// - Parameters:
    ///   - adaptHandler: Calls its completion once, with the request to send.
    ///   - retryHandler: Calls its completion once, with its result.
    public convenience init(
        adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler
    ) {
        self.init(adapter: Adapter(adaptHandler), retrier: Retrier(retryHandler))
    }

    /// Creates an interceptor from an adapter and a retrier.
    ///
    /// - Parameters:
    ///   - adapter: Adapts the request of each attempt.
    ///   - retrier: Decides about retries.
    public convenience init(adapter: any RequestAdapter, retrier: any RequestRetrier) {
        self.init(adapters: [adapter], retriers: [retrier])
    }

    /// Creates an interceptor from any number of adapters, retriers and interceptors.
    ///
    /// - Parameters:
    ///   - adapters: The adapters to run first, in order.
    ///   - retriers: The retriers to ask first, in order.
    ///   - interceptors: Act as both, after the adapters and retriers.
    public init(
        adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    override class var libraryType: OpenInterceptor.Type { Interceptor.self }

    override func adaptItself(
        _ urlRequest: URLRequest, for session: Session, in state: RequestAdapterState?
    ) async throws -> URLRequest {
        var request = urlRequest
        for (index, adapter) in adapters.enumerated() {
            guard let state else {
                request = try await adapter.adapt(request, for: session)
                continue
            }
            if index > 0 { state.request.renewInterceptorLimit() }
            state.interception?.noteBegun(index + 1, by: self)
            request = try await adapter.adapt(request, using: state)
        }
        return request
    }

    override func retryItself(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        for (index, retrier) in retriers.enumerated() {
            if index > 0 { request.renewInterceptorLimit() }
            let result = await retrier.retry(request, for: session, dueTo: error)
            if case .doNotRetry = result { continue }
            return result
        }
        return .doNotRetry
    }

    /// Notifies the adapters that are interceptors and were started in the attempt.
    ///
    /// - Parameter attempt: The attempt that has ended.
    open override func attemptDidEnd(_ attempt: EndedAttempt) {
        let count = attempt.interception?.begunCount(by: self) ?? 0
        for case let interceptor as any RequestInterceptor in adapters.prefix(count) {
            interceptor.attemptDidEnd(attempt)
        }
    }
}

extension Request {
    /// Renews the time limit for the next adapter or retrier of a composite.
    fileprivate func renewInterceptorLimit() {
        // The Swift task of an earlier question must not renew the limit of the next one.
        guard !Task.isCancelled else { return }
        delegate.state.withLock { $0.question }?.renewLimit()
    }
}

extension RequestInterceptor where Self == Interceptor {
    /// Creates an interceptor from two closures with completions.
    ///
    /// - Parameters:
    ///   - adaptHandler: Calls its completion once, with the request to send.
    ///   - retryHandler: Calls its completion once, with its result.
    /// - Returns: The interceptor.
    public static func interceptor(
        adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler
    ) -> Interceptor {
        Interceptor(adaptHandler: adaptHandler, retryHandler: retryHandler)
    }

    /// Creates an interceptor from an adapter and a retrier.
    ///
    /// - Parameters:
    ///   - adapter: Adapts the request of each attempt.
    ///   - retrier: Decides about retries.
    /// - Returns: The interceptor.
    public static func interceptor(
        adapter: any RequestAdapter, retrier: any RequestRetrier
    ) -> Interceptor {
        Interceptor(adapter: adapter, retrier: retrier)
    }

    /// Creates an interceptor from any number of adapters, retriers and interceptors.
    ///
    /// - Parameters:
    ///   - adapters: The adapters to run first, in order.
    ///   - retriers: The retriers to ask first, in order.
    ///   - interceptors: Act as both, after the adapters and retriers.
    /// - Returns: The interceptor.
    public static func interceptor(
        adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) -> Interceptor {
        Interceptor(adapters: adapters, retriers: retriers, interceptors: interceptors)
    }
}
