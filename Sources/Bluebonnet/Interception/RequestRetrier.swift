public import Foundation

/// Decides whether a failed attempt is followed by another one.
///
/// Implement one of the two methods. The default of each calls the other, and a retrier that implements neither
/// answers ``RetryResult/doNotRetry``.
///
/// It is asked once an attempt, after the response was judged and before anything is serialized: about failures, and
/// about statuses of 400 and above also where the task accepts them. It is not asked about cancelled tasks, after the
/// task's deadline, or once a stream has been handed to its reader. It runs in a Swift task of its own,
/// never on the callback queue, and may wait.
public protocol RequestRetrier: Sendable {
    /// Returns whether the request is sent again.
    ///
    /// - Parameters:
    ///   - request: The request, with the head and the body of the failed attempt.
    ///   - session: The manager of the task.
    ///   - error: The failure, a ``BluebonnetError``. For a status that the task accepts it is the error that
    ///     validation would give.
    /// - Returns: What happens next.
    func retry(_ request: Request, for session: Session, dueTo error: any Error) async
        -> RetryResult

    /// Passes the answer to a closure, which is called once; further calls are ignored.
    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void)
}

/// The answer of a retrier.
public enum RetryResult: Sendable {
    /// The request is sent again at once.
    case retry
    /// The request is sent again after so many seconds.
    ///
    /// Zero, less, and NaN mean at once; a hundred years is the longest. A delay that would end behind the task's
    /// deadline is not waited for: the task ends at once as it would without a retry.
    case retryWithDelay(TimeInterval)
    /// The next retrier is asked; after the last the attempt's failure is the task's.
    case doNotRetry
    /// The task fails with ``BluebonnetError/retry(_:_:)``, and no other retrier is asked.
    case doNotRetryWithError(any Error)
}

extension RequestRetrier {
    /// Calls the completion form if that is implemented, and answers ``RetryResult/doNotRetry`` otherwise.
    public func retry(
        _ request: Request, for session: Session, dueTo error: any Error
    ) async -> RetryResult {
        let answer = try? await InterceptorBridge.ask(self, .retry) { complete in
            retry(request, for: session, dueTo: error, completion: complete)
        }
        return answer ?? .doNotRetry
    }

    /// Calls the `async` form if that is implemented, and answers ``RetryResult/doNotRetry`` otherwise.
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
