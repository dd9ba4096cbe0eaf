public import FoundationNetworking

/// Adapts the request of each attempt, decides about retries, and is notified when attempts end.
///
/// Add interceptors to ``HTTPSessionManager/interceptors`` for all tasks of a manager, to a call
/// with the option `.interceptor`, and to a task with ``SessionTask/addInterceptor(_:)``. Adapters
/// run in that order, each on the result of the previous one. Retriers are asked in the same order,
/// until one returns a result other than ``RetryResult/doNotRetry``.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {
    /// Called once for each attempt whose request this interceptor has started to adapt.
    ///
    /// The call comes after both the adaptation and the attempt have ended, successfully or not.
    /// Use it to release resources that `adapt` reserved for the attempt, such as a permit of a
    /// concurrency limiter. The method runs in a Swift task and must not block. The default does
    /// nothing.
    ///
    /// The call comes before the retriers are asked, or after them for a stream whose head was
    /// accepted. It can come after the task's completion handler. If an adapter exceeds its time
    /// limit, the call can come after the next attempt has begun.
    ///
    /// - Parameter attempt: The attempt that has ended.
    func attemptDidEnd(_ attempt: EndedAttempt)
}

extension RequestInterceptor {
    /// Does nothing.
    public func attemptDidEnd(_ attempt: EndedAttempt) {
        DefaultMethod.attemptDidEnd.wasCalled(of: type(of: self))
    }
}

/// An attempt of a task that has ended.
public struct EndedAttempt: Sendable {
    /// The request that the attempt belongs to.
    public let request: Request
    /// The number of the attempt, from 1.
    public let number: Int
    /// The last request that the attempt sent, or would have sent.
    public let urlRequest: URLRequest?
    /// The status and header fields of the response, or nil if none was received.
    public let head: ResponseHead?
    /// The reason the attempt failed, or nil if the task accepts its response.
    public let error: BluebonnetError?
    let interception: AttemptInterception?
}

extension EndedAttempt {
    /// Creates an ended attempt, for tests of an interceptor.
    ///
    /// - Parameters:
    ///   - request: The request that the attempt belongs to.
    ///   - number: The number of the attempt, from 1.
    ///   - urlRequest: The request as it was sent.
    ///   - head: The status and header fields of the response.
    ///   - error: The reason the attempt failed.
    public init(
        request: Request, number: Int, urlRequest: URLRequest? = nil, head: ResponseHead? = nil,
        error: BluebonnetError? = nil
    ) {
        self.init(
            request: request, number: number, urlRequest: urlRequest, head: head, error: error,
            interception: nil)
    }
}
