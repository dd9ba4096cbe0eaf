public import Foundation

/// Decides whether another attempt follows a failed one.
///
/// Implement one of the two methods. The default of each calls the other. A retrier that implements
/// neither returns ``RetryResult/doNotRetry``.
///
/// A retrier is asked once per attempt, after the response is judged and before it is serialized.
/// It is asked about failures, and about status codes of 400 and above even if the task accepts
/// them. It is not asked about canceled tasks, after the task's deadline, or once a stream has been
/// delivered to its reader. It runs in its own Swift task, never on the callback queue, and can
/// wait.
public protocol RequestRetrier: Sendable {
    /// Returns whether the request is sent again.
    ///
    /// - Parameters:
    ///   - request: The request, with the head and the body of the failed attempt.
    ///   - session: The manager of the task.
    ///   - error: The failure, a ``BluebonnetError``. For a status that the task accepts, it is the
    ///     error that validation would report.
    /// - Returns: The decision.
    func retry(_ request: Request, for session: Session, dueTo error: any Error) async
        -> RetryResult

    /// Passes the decision to a closure.
    ///
    /// The closure is called once. Further calls are ignored.
    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void)
}

/// The decision of a retrier.
public enum RetryResult: Sendable {
    /// The request is sent again at once.
    case retry
    /// The request is sent again after a delay in seconds.
    ///
    /// A negative number or NaN counts as 0, and the longest delay is 100 years. If the delay would
    /// end after the task's deadline, the task ends at once, as it would without a retry.
    case retryWithDelay(TimeInterval)
    /// The next retrier is asked, and after the last one the task fails with the attempt's error.
    case doNotRetry
    /// The task fails with ``BluebonnetError/retry(_:_:)``, and no other retrier is asked.
    case doNotRetryWithError(any Error)
}

extension RequestRetrier {
    /// Calls the completion form if it is implemented, and returns ``RetryResult/doNotRetry``
    /// otherwise.
    public func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        let answer = try? await InterceptorBridge.ask(self, .retry) { complete in
            retry(request, for: session, dueTo: error, completion: complete)
        }
        return answer ?? .doNotRetry
    }

    /// Calls the `async` form if it is implemented, and returns ``RetryResult/doNotRetry``
    /// otherwise.
    public func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard !InterceptorBridge.isAsked(self, .retry) else { return }
        Task(executorPreference: session.hookExecutor) {
            completion(await retry(request, for: session, dueTo: error))
        }
    }
}
