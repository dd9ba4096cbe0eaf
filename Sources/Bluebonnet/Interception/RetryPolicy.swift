public import Foundation
public import FoundationNetworking

/// Retries requests that may succeed at another try, after delays that grow.
///
/// For services, use `.server`. `RetryPolicy()` has Alamofire's defaults: up to two retries, after 0.5 and 1 seconds,
/// with neither jitter nor budget.
///
/// A failure is retried if it has a listed status or a listed error code, and if the request may arrive twice: its
/// method is listed, it has an `Idempotency-Key` field, or nothing of it was sent. After a redirect this holds for each
/// request that was sent.
///
/// The budget pays for the retries of this policy. It ignores retries that other retriers order.
///
/// A subclass overrides ``shouldRetry(request:dueTo:)``, ``delay(of:dueTo:)`` or ``budget(for:)``. One that overrides
/// ``retry(_:for:dueTo:)`` calls that of `super` last, since it pays.
open class RetryPolicy: RequestInterceptor, @unchecked Sendable {
    // @unchecked because the class is open: its own state is constants. A subclass that stores state of its own
    // protects it itself.

    /// The maximum number of retries of a request, by any retrier.
    public let retryLimit: UInt
    /// The number by which each delay is multiplied to make the next one.
    ///
    /// 0 and 1 make all delays the same.
    public let exponentialBackoffBase: UInt
    /// The delay before the first retry, in seconds.
    ///
    /// A negative number or NaN counts as 0.
    public let exponentialBackoffScale: Double
    /// The methods whose requests may arrive twice.
    public let retryableHTTPMethods: Set<HTTPMethod>
    /// The status codes that are retried.
    public let retryableHTTPStatusCodes: Set<Int>
    /// The error codes that are retried.
    ///
    /// They are codes of transports and adapters. Limits of the configuration and of ``AddressGuard`` are not retried.
    public let retryableURLErrorCodes: Set<URLError.Code>
    /// The longest delay that the policy chooses, in seconds.
    ///
    /// A negative number counts as 0, and NaN as ``defaultMaximumDelay``.
    public let maximumDelay: TimeInterval
    /// How delays vary.
    public let jitter: Jitter
    /// The longest `Retry-After` that the policy waits for, in seconds; nil ignores the field.
    ///
    /// With a negative number or NaN, no response with a valid field is retried.
    public let maximumRetryAfter: TimeInterval?
    private let budget: RetryBudget?

    /// Creates a policy.
    ///
    /// The delay before a retry is the scale multiplied by the base to the power of the number of retries so far.
    /// `Retry-After` in seconds or as a date takes its place if `maximumRetryAfter` is set. A request whose server
    /// asks for more than the maximum is not retried. Jitter is added to the field's delay, so that clients that got
    /// the same date do not come back at once. 0 seconds, and a date that is not in the future, leave the delay as it
    /// is without the field. Dates are compared with the clock of the session. Of several fields the longest counts,
    /// and invalid ones are ignored.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request. ``SessionConfiguration/maximumAttempts`` is another
    ///     limit.
    ///   - exponentialBackoffBase: The factor between delays.
    ///   - exponentialBackoffScale: The first delay in seconds.
    ///   - retryableHTTPMethods: The methods whose requests may arrive twice.
    ///   - retryableHTTPStatusCodes: The status codes that are retried.
    ///   - retryableURLErrorCodes: The error codes that are retried.
    ///   - maximumDelay: The longest delay in seconds, but for `Retry-After`.
    ///   - jitter: How delays vary.
    ///   - maximumRetryAfter: The longest `Retry-After` that the policy waits for, in seconds; nil ignores the field.
    ///     With a negative number or NaN, no response with a valid field is retried.
    ///   - budget: Pays for retries; nil for no limit. Policies and managers can share one.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableURLErrorCodes: Set<URLError.Code> = RetryPolicy.defaultRetryableURLErrorCodes,
        maximumDelay: TimeInterval = RetryPolicy.defaultMaximumDelay,
        jitter: Jitter = .none,
        maximumRetryAfter: TimeInterval? = nil,
        budget: RetryBudget? = nil
    ) {
        self.retryLimit = retryLimit
        self.exponentialBackoffBase = exponentialBackoffBase
        self.exponentialBackoffScale = exponentialBackoffScale
        self.retryableHTTPMethods = retryableHTTPMethods
        self.retryableHTTPStatusCodes = retryableHTTPStatusCodes
        self.retryableURLErrorCodes = retryableURLErrorCodes
        self.maximumDelay = maximumDelay
        self.jitter = jitter
        self.maximumRetryAfter = maximumRetryAfter
        self.budget = budget
    }

    /// Returns the budget that pays for the retries of a manager's requests; nil for no limit.
    ///
    /// Return the same budget each time. The default is the one that the policy was created with, for all managers.
    ///
    /// - Parameter session: The manager.
    /// - Returns: The budget.
    open func budget(for session: Session) -> RetryBudget? { budget }

    /// Counts the request in the budget at its first attempt, and returns it unchanged.
    ///
    /// It counts for the origin that the request has at this point, so put adapters that change the host before the
    /// policy. A budget counts a request once, however many policies share it.
    ///
    /// - Parameters:
    ///   - urlRequest: The request.
    ///   - state: The attempt.
    /// - Returns: The request, unchanged.
    /// - Throws: Nothing. Overrides may throw.
    open func adapt(
        _ urlRequest: URLRequest, using state: RequestAdapterState
    ) async throws -> URLRequest {
        if let url = urlRequest.url, let budget = budget(for: state.session) {
            state.request.record(in: budget, to: url)
        }
        return urlRequest
    }

    /// Returns ``RetryResult/retryWithDelay(_:)`` if the request is to be retried and the budget pays for it.
    ///
    /// The budget pays for no retry that the task refuses, because the delay would end behind its deadline or its body
    /// cannot be made again. A policy that is only a retrier, and not an adapter, counts the request in the budget
    /// here. Requests that succeed at once are then not counted.
    ///
    /// - Parameters:
    ///   - request: The request, with the head and the body of the failed attempt.
    ///   - session: The manager of the task.
    ///   - error: The failure.
    /// - Returns: What happens next.
    open func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        let budget = budget(for: session)
        let url = request.adaptedURL
        if let budget, let url { request.record(in: budget, to: url) }
        guard UInt(clamping: request.retryCount) < retryLimit,
            shouldRetry(request: request, dueTo: error),
            let delay = delay(of: request, dueTo: error), !request.hasLostBody
        else { return .doNotRetry }
        // The task refuses it, and says why.
        if request.outlastsDeadline(delay) { return .retryWithDelay(delay) }
        // Last, since it pays.
        if let budget {
            guard let url, request.takeRetry(from: budget, to: url) else { return .doNotRetry }
        }
        return .retryWithDelay(delay)
    }

    /// Returns true if the request may arrive twice and the error may be temporary.
    ///
    /// It looks at neither ``retryLimit`` nor the budget. Override it to decide by something else.
    ///
    /// - Parameters:
    ///   - request: The request, with the head and the body of the failed attempt.
    ///   - error: The failure.
    /// - Returns: Whether to retry.
    open func shouldRetry(request: Request, dueTo error: any Error) -> Bool {
        let cause = RetryCause(of: request, error)
        guard !cause.isFinal, mayArriveTwice(request, error) else { return false }
        if let status = cause.statusCode, retryableHTTPStatusCodes.contains(status) { return true }
        return cause.code.map(retryableURLErrorCodes.contains) ?? false
    }

    private func mayArriveTwice(_ request: Request, _ error: any Error) -> Bool {
        request.isUnsent(error)
            || request.messages.allSatisfy { message in
                message.hasIdempotencyKey
                    || retryableHTTPMethods.contains(HTTPMethod(rawValue: message.method))
            }
    }

    /// Returns the delay before the next retry.
    ///
    /// It is a number of seconds, with jitter, from the number of retries so far and the `Retry-After` fields of the
    /// response. Override it to wait by something else, such as a field of your server.
    ///
    /// - Parameters:
    ///   - request: The request, with the head and the body of the failed attempt.
    ///   - error: The failure.
    /// - Returns: Seconds; nil if the server asks for more than ``maximumRetryAfter``, so that the request is not
    ///   retried.
    open func delay(of request: Request, dueTo error: any Error) -> TimeInterval? {
        let backoff = RetryBackoff(
            base: exponentialBackoffBase, scale: exponentialBackoffScale, maximum: maximumDelay)
        let delay = backoff.delay(afterRetries: request.retryCount)
        guard let maximumRetryAfter,
            let retryAfter = RetryAfter(
                RetryCause(of: request, error).fields, at: request.delegate.session.clock.date)
        else { return jitter.delay(within: delay) }
        guard retryAfter.delay <= maximumRetryAfter else { return nil }
        // Without a delay, two attempts would follow each other at once.
        guard retryAfter.delay > 0 else { return jitter.delay(within: delay) }
        return retryAfter.delay + jitter.spread(within: delay)
    }
}
