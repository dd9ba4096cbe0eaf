public import Foundation

extension RetryPolicy {
    /// Two retries.
    public static let defaultRetryLimit: UInt = 2
    /// Each delay is twice the one before.
    public static let defaultExponentialBackoffBase: UInt = 2
    /// The first delay is half a second.
    public static let defaultExponentialBackoffScale: Double = 0.5
    /// The idempotent methods (RFC 9110 section 9.2.2).
    public static let defaultRetryableHTTPMethods: Set<HTTPMethod> = [
        .delete, .get, .head, .options, .put, "TRACE",
    ]
    /// Statuses that often go away: 408, 500, 502, 503 and 504.
    public static let defaultRetryableHTTPStatusCodes: Set<Int> = [408, 500, 502, 503, 504]
    /// Codes of failures that often go away, such as `networkConnectionLost` and `timedOut`.
    public static let defaultRetryableURLErrorCodes: Set<URLError.Code> = [
        .backgroundSessionInUseByAnotherProcess, .backgroundSessionWasDisconnected,
        .badServerResponse, .callIsActive, .cannotConnectToHost, .cannotFindHost,
        .cannotLoadFromNetwork, .dataNotAllowed, .dnsLookupFailed, .downloadDecodingFailedMidStream,
        .downloadDecodingFailedToComplete, .internationalRoamingOff, .networkConnectionLost,
        .notConnectedToInternet, .secureConnectionFailed, .serverCertificateHasBadDate,
        .serverCertificateNotYetValid, .timedOut,
    ]
    /// No delay is longer than 30 seconds.
    public static let defaultMaximumDelay: TimeInterval = 30
}

extension RequestInterceptor where Self == RetryPolicy {
    /// A policy with Alamofire's defaults: up to two retries, after 0.5 and 1 seconds.
    public static var retryPolicy: RetryPolicy { RetryPolicy() }

    /// Creates a policy with the parameters of its initializer.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor between delays.
    ///   - exponentialBackoffScale: The first delay in seconds.
    ///   - retryableHTTPMethods: The methods whose requests may arrive twice.
    ///   - retryableHTTPStatusCodes: The status codes that are retried.
    ///   - retryableURLErrorCodes: The error codes that are retried.
    ///   - maximumDelay: The longest delay in seconds, but for `Retry-After`.
    ///   - jitter: How delays vary.
    ///   - maximumRetryAfter: The longest `Retry-After` that the policy waits for, in seconds; nil ignores the field.
    ///   - budget: Pays for retries; nil for no limit.
    /// - Returns: The policy.
    public static func retryPolicy(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes,
        maximumDelay: TimeInterval = RetryPolicy.defaultMaximumDelay,
        jitter: RetryPolicy.Jitter = .none,
        maximumRetryAfter: TimeInterval? = nil,
        budget: RetryBudget? = nil
    ) -> RetryPolicy {
        RetryPolicy(
            retryLimit: retryLimit, exponentialBackoffBase: exponentialBackoffBase,
            exponentialBackoffScale: exponentialBackoffScale,
            retryableHTTPMethods: retryableHTTPMethods,
            retryableHTTPStatusCodes: retryableHTTPStatusCodes,
            retryableURLErrorCodes: retryableURLErrorCodes, maximumDelay: maximumDelay,
            jitter: jitter, maximumRetryAfter: maximumRetryAfter, budget: budget)
    }
}
