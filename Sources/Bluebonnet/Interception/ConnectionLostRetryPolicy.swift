import Foundation

/// Retries requests whose connection was lost, and nothing else.
///
/// An idempotent request that is lost with a kept connection is sent again without a retrier. This policy is for those
/// that are lost with a new one, too.
open class ConnectionLostRetryPolicy: RetryPolicy, @unchecked Sendable {
    // @unchecked as in the superclass: nothing is added.

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor between delays.
    ///   - exponentialBackoffScale: The first delay in seconds.
    ///   - retryableHTTPMethods: The methods whose requests may arrive twice.
    ///   - jitter: How delays vary.
    ///   - budget: Pays for retries; nil for no limit.
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
    /// A policy that retries lost connections up to two times.
    public static var connectionLostRetryPolicy: ConnectionLostRetryPolicy {
        ConnectionLostRetryPolicy()
    }

    /// Creates a policy that retries lost connections, with the parameters of its initializer.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor between delays.
    ///   - exponentialBackoffScale: The first delay in seconds.
    ///   - retryableHTTPMethods: The methods whose requests may arrive twice.
    ///   - jitter: How delays vary.
    ///   - budget: Pays for retries; nil for no limit.
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
