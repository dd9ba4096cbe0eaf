public import Foundation
import FoundationNetworking

/// Retries requests that can succeed on another attempt, after increasing delays.
///
/// For services, use `.server`. `RetryPolicy()` has Alamofire's defaults: up to two retries, after
/// 0.5 and 1 seconds, with neither jitter nor budget.
///
/// A failure is retried if it has a listed status or error code, and if the request can safely be
/// sent twice. That is true if its method is listed, if it has an `Idempotency-Key` field, or if no
/// part of it was sent. After a redirect, this must be true of each request that was sent.
///
/// The budget pays for the retries of this policy. It ignores retries that other retriers request,
/// and does not pay for a retry that the task refuses. A task refuses a retry if the delay would end
/// after its deadline, or if its body cannot be created again. A request is counted in the budget at
/// its first attempt, for the origin that it has when the policy adapts it. Place adapters that
/// change the host before the policy. A policy that is used only as a retrier counts a request when
/// its first attempt has failed. A budget counts a request once, even if several policies share it.
///
/// A subclass overrides ``shouldRetry(request:dueTo:)``, ``delay(of:dueTo:)`` or ``budget(for:)``.
/// An override of a form of `retry` must call `super` last, because that takes a retry from the
/// budget.
open class RetryPolicy: OpenInterceptor, @unchecked Sendable {
    // @unchecked because the class is open: its stored properties are constants. A subclass
    // protects its own state.

    /// The maximum number of retries of a request, counting those by any retrier.
    public let retryLimit: UInt
    /// The factor by which each delay is multiplied to get the next one.
    ///
    /// With 0 and 1, all delays are the same.
    public let exponentialBackoffBase: UInt
    /// The delay before the first retry, in seconds.
    ///
    /// A negative number or NaN counts as 0.
    public let exponentialBackoffScale: Double
    /// The methods whose requests can safely be sent twice.
    public let retryableHTTPMethods: Set<HTTPMethod>
    /// The status codes that are retried.
    public let retryableHTTPStatusCodes: Set<Int>
    /// The error codes that are retried.
    ///
    /// They are codes of transports and adapters. An attempt that failed because of a limit of the
    /// configuration or an ``AddressGuard`` is not retried.
    public let retryableURLErrorCodes: Set<URLError.Code>
    /// The longest delay that the policy chooses, in seconds.
    ///
    /// A negative number counts as 0, and NaN as ``defaultMaximumDelay``.
    public let maximumDelay: TimeInterval
    /// The random variation of delays.
    public let jitter: Jitter
    /// The longest `Retry-After` that the policy waits for, in seconds, or nil to ignore the field.
    ///
    /// With a negative number or NaN, no response with a valid field is retried.
    public let maximumRetryAfter: TimeInterval?
    private let budget: RetryBudget?

    /// Creates a policy.
    ///
    /// The delay before a retry is the scale multiplied by the base to the power of the number of
    /// previous retries. If `maximumRetryAfter` is set, `Retry-After` replaces that delay, in
    /// seconds or as a date:
    ///
    /// - If the server requests a longer delay than the maximum, the request is not retried.
    /// - Jitter is added to the field's delay, so that clients with the same date do not return at
    ///   the same time.
    /// - 0 seconds, or a date that is not in the future, leaves the delay unchanged.
    /// - Dates are compared with the clock of the session.
    /// - If there are several fields, the longest delay counts. Invalid fields are ignored.
    ///
    /// - Parameters:
    ///   - retryLimit: The maximum number of retries of a request.
    ///     ``SessionConfiguration/maximumAttempts`` also limits them.
    ///   - exponentialBackoffBase: The factor by which each delay is multiplied to get the next
    ///     one.
    ///   - exponentialBackoffScale: The first delay, in seconds.
    ///   - retryableHTTPMethods: The methods whose requests can safely be sent twice.
    ///   - retryableHTTPStatusCodes: The status codes that are retried.
    ///   - retryableURLErrorCodes: The error codes that are retried.
    ///   - maximumDelay: The longest delay in seconds, except for `Retry-After`.
    ///   - jitter: The random variation of delays.
    ///   - maximumRetryAfter: The longest `Retry-After` that the policy waits for, in seconds, or
    ///     nil to ignore the field. With a negative number or NaN, no response with a valid field
    ///     is retried.
    ///   - budget: The budget that pays for retries, or nil for no limit. Policies and managers can
    ///     share a budget.
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

    /// Returns the budget that pays for retries of a manager's requests, or nil for no limit.
    ///
    /// Return the same budget each time. The default returns the policy's own budget for all
    /// managers.
    ///
    /// - Parameter session: The manager.
    /// - Returns: The budget.
    open func budget(for session: Session) -> RetryBudget? { budget }

    override class var libraryType: OpenInterceptor.Type { RetryPolicy.self }

    /// Counts the request in the budget at its first attempt, and returns it unchanged.
    override func adaptItself(
        _ urlRequest: URLRequest, for session: Session, in state: RequestAdapterState?
    ) async throws -> URLRequest {
        if let state, let url = urlRequest.url, let budget = budget(for: session) {
            state.request.record(in: budget, to: url)
        }
        return urlRequest
    }

    override func retryItself(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        let budget = budget(for: session)
        let url = request.adaptedURL
        if let budget, let url { request.record(in: budget, to: url) }
        guard UInt(clamping: request.retryCount) < retryLimit,
            shouldRetry(request: request, dueTo: error)
        else { return .doNotRetry }
        guard let delay = delay(of: request, dueTo: error), !request.hasLostBody else {
            return .doNotRetry
        }
        // The task refuses this delay and reports the reason.
        if request.outlastsDeadline(delay) { return .retryWithDelay(delay) }
        // Last, because it takes a retry from the budget.
        if let budget {
            guard let url, request.takeRetry(from: budget, to: url) else {
                request.noteRetryRefusal("the retry budget of its origin is used up")
                return .doNotRetry
            }
        }
        return .retryWithDelay(delay)
    }

    /// Returns true if the request can safely be sent twice and the error can be temporary.
    ///
    /// This method checks neither ``retryLimit`` nor the budget. Override it to use other criteria.
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

    /// Returns the delay before the next retry, with jitter.
    ///
    /// It depends on the number of previous retries and on the `Retry-After` fields of the
    /// response. Override it to use another delay, such as one from a custom field of your server.
    ///
    /// - Parameters:
    ///   - request: The request, with the head and the body of the failed attempt.
    ///   - error: The failure.
    /// - Returns: The delay in seconds, or nil if the server requests a delay longer than
    ///   ``maximumRetryAfter``, so that the request is not retried.
    open func delay(of request: Request, dueTo error: any Error) -> TimeInterval? {
        let backoff = RetryBackoff(
            base: exponentialBackoffBase, scale: exponentialBackoffScale, maximum: maximumDelay)
        let delay = backoff.delay(afterRetries: request.retryCount)
        guard let maximumRetryAfter, let retryAfter = retryAfter(of: request, error) else {
            return jitter.delay(within: delay)
        }
        guard retryAfter <= maximumRetryAfter else {
            request.noteRetryRefusal(
                "Retry-After asks for \(retryAfter) seconds, and maximumRetryAfter is "
                    + "\(maximumRetryAfter) seconds")
            return nil
        }
        // Without a delay, the next attempt would follow at once.
        guard retryAfter > 0 else { return jitter.delay(within: delay) }
        return retryAfter + jitter.spread(within: delay)
    }

    /// The delay in seconds that the response requests.
    private func retryAfter(of request: Request, _ error: any Error) -> TimeInterval? {
        RetryAfter(
            RetryCause(of: request, error).fields, at: request.delegate.session.clock.date
        )?.delay
    }
}
