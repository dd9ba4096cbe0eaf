import BluebonnetTransport
import Foundation
import FoundationNetworking

/// State that few tasks need, such as a description, attributes, earlier requests or a deadline.
struct RareTaskState {
    var taskDescription: String?
    /// The attributes that the caller set.
    var attributes = TaskAttributes()
    /// The requests that were sent by the exchanges before the last one.
    var formerlySent: [SentRequest] = []
    /// The credentials that earlier attempts sent.
    var formerCredentials: [URLCredential] = []
    /// The attempts before the last one.
    var formerAttempts: [FormerAttempt] = []
    /// The request of the first attempt, if it was created for that attempt.
    var firstRequest: URLRequest?
    /// The timer that ends the task at its deadline.
    var deadline: (any SessionTimer)?
    /// The deadline on the session's clock; nil without one.
    var deadlineTime: Duration?
    /// The timer of the current exchange: that of a body that is not delivered or, once the
    /// exchange is canceled, that of an end that the transport does not report.
    var exchangeTimer: (any SessionTimer)?
    /// The cause of a cancellation that the caller did not request.
    var cancellation: CancellationCause?
    /// The handlers that wait for the resume data of a download that is being canceled.
    var resumeDataHandlers: [@Sendable (Data?) -> Void] = []
    /// The file of a download; nil for other tasks.
    var download: DownloadState?
    /// The validators that were added to the task.
    var validators: [ResponseValidator] = []
    /// The interceptors that were added to the task; nil for none.
    var addedInterceptors: TaskInterceptors?
    /// The refreshes of credentials that the task has waited for.
    var refreshes = TaskRefreshes()
    /// The task's counts in retry budgets.
    var budgets = TaskBudgets()
    /// The rule for redirects that was added to the task.
    var redirects: RedirectRule?
    /// The task's own handler for what a cache stores.
    var cacheHandler: CacheHandler?
    /// The credential for challenges of the task's own origin, which is used before the hook is
    /// asked.
    var credential: URLCredential?
    /// The task's own handler for the head of the response.
    var headHandler: HeadHandler?
    /// The span of the attempt that is being prepared or sent.
    var span: OpenSpan?
    /// The closure that creates the streams of the request's body for later attempts.
    var bodyFactory: BodyStreamFactory?
    /// The consumers that receive the body piece by piece.
    var streams = StreamConsumers()
    /// The identifier of the task's handles, which is created on first use.
    var requestID: UUID?
    /// The manager, for a caller that can release it before the task is started.
    ///
    /// The manager refers to the task's delegate in turn, until the task is started, canceled or
    /// released.
    var managerUntilStart: SessionManager?
    /// The handler that is called with the request of each attempt.
    var requestHandler: (@Sendable (URLRequest) -> Void)?
    /// Closures to call once the first request is ready, or can no longer be created.
    var awaitingRequest: [@Sendable () -> Void] = []
    /// Closures to call once the task's handlers have returned.
    var awaitingDelivery: [@Sendable () -> Void] = []

    /// Removes and returns the caller's handlers, validators, rules and interceptors.
    mutating func takeCallersOwn() -> [Any] {
        defer {
            (headHandler, requestHandler, redirects, cacheHandler) = (nil, nil, nil, nil)
            (validators, addedInterceptors) = ([], nil)
        }
        return [
            headHandler as Any, requestHandler as Any, redirects as Any,
            cacheHandler as Any, validators, addedInterceptors as Any,
        ]
    }
}

/// The data that is kept of an attempt after the next one has begun.
struct FormerAttempt {
    /// The request as it was last sent; nil if it could not be built.
    var request: URLRequest?
    /// The request before adapters; nil if it could not be built.
    var initialRequest: URLRequest?
    /// The number of the task's exchanges that had ended by then.
    var endCount: Int
    /// The number of redirects that the attempt followed.
    var redirectCount: Int
}
