public import FoundationNetworking

/// Adapts the request of each attempt, decides about retries, and hears how attempts end.
///
/// Add interceptors to ``HTTPSessionManager/interceptors`` for all tasks of a manager, and to a call with the option
/// `.interceptor`. Adapters run in that order, each on the result of the one before. Retriers are asked in the same
/// order, until one answers something else than ``RetryResult/doNotRetry`` (A-I4).
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {
    /// Called once for each attempt for which ``RequestAdapter/adapt(_:using:)`` was called, when both that call and
    /// the attempt are over, however they ended.
    ///
    /// It is called before the retriers are asked, in a Swift task, and must not block. What `adapt` has reserved for
    /// the attempt, such as a place among the running requests, is given back here. The default does nothing.
    func attemptDidEnd(_ attempt: EndedAttempt)
}

extension RequestInterceptor {
    /// Does nothing.
    public func attemptDidEnd(_ attempt: EndedAttempt) {}
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
    let begun: BegunAdapters
}

/// How many of their adapters the composite interceptors of an attempt have begun.
final class BegunAdapters: Sendable {
    private let counts = Locked<[ObjectIdentifier: Int]>([:])

    func set(_ count: Int, by interceptor: AnyObject) {
        counts.withLock { $0[ObjectIdentifier(interceptor)] = count }
    }

    func count(by interceptor: AnyObject) -> Int {
        counts.withLock { $0[ObjectIdentifier(interceptor)] } ?? 0
    }
}
