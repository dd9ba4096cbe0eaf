public import FoundationNetworking

/// Adapters and retriers that act as one interceptor.
///
/// Adapters run in order, up to the first that fails. Retriers are asked in order, until one returns anything other than
/// ``RetryResult/doNotRetry``. Each of them has ``SessionConfiguration/interceptorTimeout`` to answer. Interceptors count as both, behind the others.
open class Interceptor: RequestInterceptor, @unchecked Sendable {
    // @unchecked because the class is open: its own state is constants. A subclass that stores state of its own
    // protects it itself.

    /// The adapters, interceptors included, in order.
    public let adapters: [any RequestAdapter]
    /// The retriers, interceptors included, in order.
    public let retriers: [any RequestRetrier]

    /// Creates an interceptor from two closures with completions.
    ///
    /// - Parameters:
    ///   - adaptHandler: Calls its completion once with the request to send.
    ///   - retryHandler: Calls its completion once with the answer.
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
    ///   - adapters: Run first, in order.
    ///   - retriers: Asked first, in order.
    ///   - interceptors: Count as both, behind the others.
    public init(
        adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        self.adapters = adapters + interceptors
        self.retriers = retriers + interceptors
    }

    /// Runs the adapters in order, up to the first that fails.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The attempt.
    /// - Returns: The request as the last adapter has made it.
    /// - Throws: The error of the first adapter that fails.
    open func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        var request = urlRequest
        for (index, adapter) in adapters.enumerated() {
            if index > 0 { state.request.renewInterceptorLimit() }
            state.interception?.noteBegun(index + 1, by: self)
            request = try await adapter.adapt(request, using: state)
        }
        return request
    }

    /// Runs the adapters in order, up to the first that fails.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - session: The manager.
    /// - Returns: The request as the last adapter has made it.
    /// - Throws: The error of the first adapter that fails.
    open func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
        var request = urlRequest
        for adapter in adapters { request = try await adapter.adapt(request, for: session) }
        return request
    }

    /// Asks the retriers in order.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: The manager.
    ///   - error: Why the attempt failed.
    /// - Returns: The first answer other than ``RetryResult/doNotRetry``.
    open func retry(
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

    /// Tells those adapters that are interceptors and have begun with the attempt.
    ///
    /// - Parameter attempt: How the attempt has ended.
    open func attemptDidEnd(_ attempt: EndedAttempt) {
        let count = attempt.interception?.begunCount(by: self) ?? 0
        for case let interceptor as any RequestInterceptor in adapters.prefix(count) {
            interceptor.attemptDidEnd(attempt)
        }
    }
}

extension Request {
    /// Begins the time that an interceptor has to answer anew, for the next one of a composite.
    fileprivate func renewInterceptorLimit() {
        // A question that is over may have been followed by another.
        guard !Task.isCancelled else { return }
        delegate.state.withLock { $0.question }?.renewLimit()
    }
}

extension RequestInterceptor where Self == Interceptor {
    /// An interceptor made of two closures with completions.
    ///
    /// - Parameters:
    ///   - adaptHandler: Calls its completion once with the request to send.
    ///   - retryHandler: Calls its completion once with the answer.
    /// - Returns: The interceptor.
    public static func interceptor(
        adaptHandler: @escaping AdaptHandler, retryHandler: @escaping RetryHandler
    ) -> Interceptor {
        Interceptor(adaptHandler: adaptHandler, retryHandler: retryHandler)
    }

    /// An interceptor made of an adapter and a retrier.
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

    /// An interceptor made of any number of adapters, retriers and interceptors.
    ///
    /// - Parameters:
    ///   - adapters: Run first, in order.
    ///   - retriers: Asked first, in order.
    ///   - interceptors: Count as both, behind the others.
    /// - Returns: The interceptor.
    public static func interceptor(
        adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) -> Interceptor {
        Interceptor(adapters: adapters, retriers: retriers, interceptors: interceptors)
    }
}
