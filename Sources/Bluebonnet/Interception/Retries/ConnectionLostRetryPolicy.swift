/// Retries only requests whose connection was lost.
///
/// An idempotent request that is lost on a reused connection is sent again even without a retrier.
/// This policy also retries requests that are lost on a new connection.
open class ConnectionLostRetryPolicy: RetryPolicy, @unchecked Sendable {
    // @unchecked as in the superclass: this class adds no state.

    override class var libraryType: OpenInterceptor.Type { ConnectionLostRetryPolicy.self }

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor by which each delay is multiplied to get the next
    ///     one.
    ///   - exponentialBackoffScale: The first delay, in seconds.
    ///   - retryableHTTPMethods: The methods whose requests can safely be sent twice.
    ///   - jitter: The random variation of delays.
    ///   - budget: The budget that pays for retries, or nil for no limit.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        jitter: Jitter = .none,
        budget: RetryBudget? = nil
    ) {
        super.init(
            retryLimit: retryLimit, exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods, retryableHTTPStatusCodes: [],
            retryableURLErrorCodes: [.networkConnectionLost], jitter: jitter, budget: budget)
    }
}

extension RequestInterceptor where Self == ConnectionLostRetryPolicy {
    /// A policy that retries requests whose connection was lost, up to two times.
    public static var connectionLostRetryPolicy: ConnectionLostRetryPolicy {
        ConnectionLostRetryPolicy()
    }

    /// Creates a policy that retries requests whose connection was lost.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor by which each delay is multiplied to get the next
    ///     one.
    ///   - exponentialBackoffScale: The first delay, in seconds.
    ///   - retryableHTTPMethods: The methods whose requests can safely be sent twice.
    ///   - jitter: The random variation of delays.
    ///   - budget: The budget that pays for retries, or nil for no limit.
    /// - Returns: The policy.
    public static func connectionLostRetryPolicy(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        jitter: RetryPolicy.Jitter = .none,
        budget: RetryBudget? = nil
    ) -> ConnectionLostRetryPolicy {
        ConnectionLostRetryPolicy(
            retryLimit: retryLimit, exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods, jitter: jitter, budget: budget)
    }
}
