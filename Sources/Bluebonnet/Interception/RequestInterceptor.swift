public import FoundationNetworking

/// Adapts the request of each attempt, decides about retries, and hears how attempts end.
///
/// Add interceptors to ``HTTPSessionManager/interceptors`` for all tasks of a manager, to a call with the option
/// `.interceptor`, and to a task with ``SessionTask/addInterceptor(_:)``. Adapters run in that order, each on the result
/// of the one before. Retriers are asked in the same order, until one returns anything other than
/// ``RetryResult/doNotRetry``.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {
    /// Called once for each attempt for which ``RequestAdapter/adapt(_:using:)`` was called, when both that call and
    /// the attempt are over, however they ended.
    ///
    /// It is called in a Swift task, and must not block: before the retriers are asked, but for a stream whose head is
    /// accepted, where it is called after them. It may come after the task's completion handler, and that of an adapter
    /// that took too long after the next attempt has begun. What `adapt` has reserved for the attempt, such as a place
    /// among the running requests, is given back here. The default does nothing.
    ///
    /// - Parameter attempt: How the attempt has ended.
    func attemptDidEnd(_ attempt: EndedAttempt)
}

extension RequestInterceptor {
    /// Does nothing.
    public func attemptDidEnd(_ attempt: EndedAttempt) {
        InterceptorBridge.noteDefault(.attemptDidEnd, of: type(of: self))
    }
}

/// How one attempt of a task has ended.
public struct EndedAttempt: Sendable {
    /// The request as a whole.
    public let request: Request
    /// The number of the attempt, from 1.
    public let number: Int
    /// The request as it was sent last in the attempt, or would have been.
    public let urlRequest: URLRequest?
    /// Status and header fields of the response; nil if none came.
    public let head: ResponseHead?
    /// Why the attempt failed; nil if the task accepts its response.
    public let error: BluebonnetError?
    let interception: AttemptInterception?

    /// Makes the end of an attempt, for tests of an interceptor.
    ///
    /// - Parameters:
    ///   - request: The request as a whole.
    ///   - number: The number of the attempt, from 1.
    ///   - urlRequest: The request as it was sent.
    ///   - head: Status and header fields of the response.
    ///   - error: Why the attempt failed.
    public init(
        request: Request, number: Int, urlRequest: URLRequest? = nil, head: ResponseHead? = nil,
        error: BluebonnetError? = nil
    ) {
        self.init(
            request: request, number: number, urlRequest: urlRequest, head: head, error: error,
            interception: nil)
    }

    init(
        request: Request, number: Int, urlRequest: URLRequest?, head: ResponseHead?,
        error: BluebonnetError?, interception: AttemptInterception?
    ) {
        self.request = request
        self.number = number
        self.urlRequest = urlRequest
        self.head = head
        self.error = error
        self.interception = interception
    }
}
