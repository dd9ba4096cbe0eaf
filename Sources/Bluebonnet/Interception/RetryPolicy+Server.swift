public import Foundation

extension RequestInterceptor where Self == RetryPolicy {
    /// The policy for services: it helps with short faults, and adds little to the load in an outage.
    ///
    /// - Up to two retries, with full jitter and at most 20 seconds of delay.
    /// - Statuses 408, 429, 500, 502, 503 and 504, and ``RetryPolicy/defaultRetryableURLErrorCodes``.
    /// - `Retry-After` of up to 60 seconds is waited for. After a longer one the request is not retried.
    /// - Each manager has a ``RetryBudget`` of its own, which ``RetryPolicy/budget(for:)`` returns. It pays for a tenth
    ///   more requests, and for up to ten retries to each origin that were saved up before.
    ///
    /// It is one policy for the whole process, so it may also be given to single calls.
    public static var server: RetryPolicy { ServerRetryPolicy.shared }

    /// The policy for services with other limits or methods, or with a budget that several managers share.
    ///
    /// - Parameters:
    ///   - budget: Pays for retries. Create it once, not for each call. The default nil stands for the budget that
    ///     each manager has with ``server``.
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - retryableHTTPMethods: The methods whose requests may arrive twice.
    ///   - maximumRetryAfter: The longest `Retry-After` that the policy waits for, in seconds.
    /// - Returns: The policy.
    public static func server(
        budget: RetryBudget? = nil, retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        maximumRetryAfter: TimeInterval = RetryPolicy.serverMaximumRetryAfter
    ) -> RetryPolicy {
        ServerRetryPolicy(budget, retryLimit, retryableHTTPMethods, maximumRetryAfter)
    }
}

extension RetryPolicy {
    /// The longest `Retry-After` for which the policy for services waits: 60 seconds.
    public static let serverMaximumRetryAfter: TimeInterval = 60
    /// The longest delay of the policy for services: 20 seconds.
    public static let serverMaximumDelay: TimeInterval = 20
    /// The statuses that the policy for services retries: the default ones, and 429.
    public static let serverRetryableHTTPStatusCodes = defaultRetryableHTTPStatusCodes.union([429])
}

/// The policy for services, with one budget for each manager unless it is given another.
private final class ServerRetryPolicy: RetryPolicy, @unchecked Sendable {
    // @unchecked as in the superclass: nothing is added.
    static let shared = ServerRetryPolicy(
        nil, defaultRetryLimit, defaultRetryableHTTPMethods, serverMaximumRetryAfter)
    private static let budgets = ManagerBudgets()

    init(
        _ budget: RetryBudget?, _ retryLimit: UInt, _ methods: Set<HTTPMethod>,
        _ maximumRetryAfter: TimeInterval
    ) {
        super.init(
            retryLimit: retryLimit, retryableHTTPMethods: methods,
            retryableHTTPStatusCodes: Self.serverRetryableHTTPStatusCodes,
            maximumDelay: Self.serverMaximumDelay, jitter: .full,
            maximumRetryAfter: maximumRetryAfter, budget: budget)
    }

    override func budget(for session: Session) -> RetryBudget? {
        super.budget(for: session) ?? Self.budgets.budget(of: session)
    }
}
