public import Foundation

extension RequestInterceptor where Self == RetryPolicy {
    /// The policy for services: it helps with short faults, and adds at most a tenth to the load in an outage.
    ///
    /// - Up to two retries, with full jitter and at most 20 seconds of delay.
    /// - Statuses 408, 429, 500, 502, 503 and 504, and ``RetryPolicy/defaultRetryableURLErrorCodes``.
    /// - `Retry-After` of up to 60 seconds is waited for. After a longer one the request is not retried.
    /// - Each manager has a ``RetryBudget`` of its own, which ``RetryPolicy/budget(for:)`` returns.
    ///
    /// It is one policy for the whole process, so it may also be given to single calls.
    public static var server: RetryPolicy { ServerRetryPolicy.shared }

    /// The policy for services with another budget, for example one that several managers share.
    ///
    /// - Parameters:
    ///   - budget: Pays for retries. Create it once, not for each call.
    ///   - retryLimit: The maximum number of retries of a request.
    ///   - maximumRetryAfter: The longest `Retry-After` in seconds that is waited for.
    /// - Returns: The policy.
    public static func server(
        budget: RetryBudget, retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        maximumRetryAfter: TimeInterval = RetryPolicy.serverMaximumRetryAfter
    ) -> RetryPolicy {
        RetryPolicy(
            retryLimit: retryLimit,
            retryableHTTPStatusCodes: RetryPolicy.serverRetryableHTTPStatusCodes,
            maximumDelay: RetryPolicy.serverMaximumDelay, jitter: .full,
            maximumRetryAfter: maximumRetryAfter, budget: budget)
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

/// The policy for services, with one budget for each manager.
private final class ServerRetryPolicy: RetryPolicy, @unchecked Sendable {
    // @unchecked as in the superclass: a constant that is `Sendable` is all that is added.
    static let shared = ServerRetryPolicy()
    private let budgets = ManagerBudgets()

    private init() {
        super.init(
            retryableHTTPStatusCodes: Self.serverRetryableHTTPStatusCodes,
            maximumDelay: Self.serverMaximumDelay, jitter: .full,
            maximumRetryAfter: Self.serverMaximumRetryAfter)
    }

    override func budget(for session: Session) -> RetryBudget? { budgets.budget(of: session) }
}
