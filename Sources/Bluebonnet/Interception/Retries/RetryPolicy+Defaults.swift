public import Foundation

extension RetryPolicy {
    /// The default number of retries: 2.
    public static let defaultRetryLimit: UInt = 2
    /// The default factor between delays: 2.
    public static let defaultExponentialBackoffBase: UInt = 2
    /// The default first delay: 0.5 seconds.
    public static let defaultExponentialBackoffScale: Double = 0.5
    /// The idempotent methods (RFC 9110 section 9.2.2), and QUERY, which Alamofire does not retry.
    public static let defaultRetryableHTTPMethods: Set<HTTPMethod> = [
        .delete, .get, .head, .options, .put, .query, .trace,
    ]
    /// The statuses that are often temporary: 408, 500, 502, 503 and 504.
    public static let defaultRetryableHTTPStatusCodes: Set<Int> = [408, 500, 502, 503, 504]
    /// The codes of failures that are often temporary.
    ///
    /// Those that the library reports are `badServerResponse`, `cannotConnectToHost`,
    /// `cannotFindHost`, `networkConnectionLost`, `secureConnectionFailed`,
    /// `serverCertificateHasBadDate`, `serverCertificateNotYetValid` and `timedOut`. The others are
    /// Alamofire's.
    public static let defaultRetryableURLErrorCodes: Set<URLError.Code> = [
        .backgroundSessionInUseByAnotherProcess, .backgroundSessionWasDisconnected,
        .badServerResponse, .callIsActive, .cannotConnectToHost, .cannotFindHost,
        .cannotLoadFromNetwork, .dataNotAllowed, .dnsLookupFailed, .downloadDecodingFailedMidStream,
        .downloadDecodingFailedToComplete, .internationalRoamingOff, .networkConnectionLost,
        .notConnectedToInternet, .secureConnectionFailed, .serverCertificateHasBadDate,
        .serverCertificateNotYetValid, .timedOut,
    ]
    /// The default maximum delay: 30 seconds.
    public static let defaultMaximumDelay: TimeInterval = 30
}

extension RequestInterceptor where Self == RetryPolicy {
    /// A policy with Alamofire's defaults: up to two retries, after 0.5 and 1 seconds.
    public static var retryPolicy: RetryPolicy { RetryPolicy() }

    /// Creates a policy with the parameters of its initializer.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - exponentialBackoffBase: The factor by which each delay is multiplied to get the next
    ///     one.
    ///   - exponentialBackoffScale: The first delay, in seconds.
    ///   - retryableHTTPMethods: The methods whose requests can safely be sent twice.
    ///   - retryableHTTPStatusCodes: The status codes that are retried.
    ///   - retryableURLErrorCodes: The error codes that are retried.
    ///   - maximumDelay: The longest delay in seconds, except for `Retry-After`.
    ///   - jitter: The random variation of delays.
    ///   - maximumRetryAfter: The longest `Retry-After` that the policy waits for, in seconds, or
    ///     nil to ignore the field.
    ///   - budget: The budget that pays for retries, or nil for no limit.
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
