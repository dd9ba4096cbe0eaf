public import Foundation

extension RequestInterceptor where Self == RetryPolicy {
    /// A policy for services that handles short faults and adds little load in an outage.
    ///
    /// - It makes up to two retries, with full jitter and delays of at most 20 seconds.
    /// - It retries statuses 408, 429, 500, 502, 503 and 504, and
    ///   ``RetryPolicy/defaultRetryableURLErrorCodes``.
    /// - It waits for a `Retry-After` of up to 60 seconds. After a longer one it does not retry.
    /// - Each manager has its own ``RetryBudget``, which ``RetryPolicy/budget(for:)`` returns. The
    ///   budget pays for two retries to each origin, and for one more per ten requests.
    ///
    /// The whole process shares this policy, so it can also be passed to single calls.
    public static var server: RetryPolicy { ServerRetryPolicy.shared }

    /// Creates the policy for services with other limits, delays, or methods, or a shared budget.
    ///
    /// - Parameters:
    ///   - budget: The budget that pays for retries. Create it once, not for each call. The
    ///     default, nil, uses the budget that each manager has with ``server``.
    ///   - retryLimit: The maximum number of retries of a request. The default budget pays for two to
    ///     an origin with few requests.
    ///   - exponentialBackoffScale: The longest first delay, in seconds. The default is 0.5.
    ///   - retryableHTTPMethods: The methods whose requests can safely be sent twice.
    ///   - maximumRetryAfter: The longest `Retry-After` that the policy waits for, in seconds.
    /// - Returns: The policy.
    public static func server(
        budget: RetryBudget? = nil, retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        maximumRetryAfter: TimeInterval = RetryPolicy.serverMaximumRetryAfter
    ) -> RetryPolicy {
        ServerRetryPolicy(
            budget, retryLimit, exponentialBackoffScale, retryableHTTPMethods, maximumRetryAfter)
    }
}

extension RetryPolicy {
    /// The longest `Retry-After` that the policy for services waits for: 60 seconds.
    public static let serverMaximumRetryAfter: TimeInterval = 60
    /// The longest delay of the policy for services: 20 seconds.
    public static let serverMaximumDelay: TimeInterval = 20
    /// The statuses that the policy for services retries: the default ones and 429.
    public static let serverRetryableHTTPStatusCodes = defaultRetryableHTTPStatusCodes.union([429])
}

/// The policy for services, with one budget per manager unless it is created with another.
private final class ServerRetryPolicy: RetryPolicy, @unchecked Sendable {
    // @unchecked as in the superclass: this class adds no state.
    static let shared = ServerRetryPolicy(
        nil, defaultRetryLimit, defaultExponentialBackoffScale, defaultRetryableHTTPMethods,
        serverMaximumRetryAfter)
    private static let budgets = ManagerBudgets()

    override class var libraryType: OpenInterceptor.Type { ServerRetryPolicy.self }

    init(
        _ budget: RetryBudget?, _ retryLimit: UInt, _ scale: Double, _ methods: Set<HTTPMethod>,
        _ maximumRetryAfter: TimeInterval
    ) {
        super.init(
            retryLimit: retryLimit, exponentialBackoffScale: scale, retryableHTTPMethods: methods,
            retryableHTTPStatusCodes: Self.serverRetryableHTTPStatusCodes,
            maximumDelay: Self.serverMaximumDelay, jitter: .full,
            maximumRetryAfter: maximumRetryAfter, budget: budget)
    }

    override func budget(for session: Session) -> RetryBudget? {
        super.budget(for: session) ?? Self.budgets.budget(of: session)
    }
}
