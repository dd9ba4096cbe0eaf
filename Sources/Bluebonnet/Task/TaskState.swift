import BluebonnetTransport
import Foundation
import FoundationNetworking

/// The mutable state of a task.
///
/// The properties `attempt` and `exchange` are replaced when the next attempt or exchange begins.
/// The other properties last as long as the task.
struct TaskState {
    var taskIdentifier: Int
    let options: TaskOptions?
    var run = TaskRun()
    var attempt: TaskAttempt
    var exchange = TaskExchange()

    var responders: TaskResponders
    var flow: BodyFlow
    var sending: TransferProgress
    var receiving: TransferProgress
    weak var task: SessionTask?
    /// Whether the first handler that is added resumes the task.
    var resumesAutomatically = false
    var queue: SerialOperationQueue?
    var isQueueReleased = false
    /// The objects that are kept alive from the first `resume()` or cancel until the end is
    /// delivered.
    var held: (task: SessionTask, manager: SessionManager?)?
    /// Created when it is first needed.
    var rareState: RareTaskState?
    var priority: Float = 0.5
    /// The body that is sent in place of the request's own, released together with the handlers.
    var upload: UploadBody?
    /// The question that a hook is being asked.
    var question: HookQuestion?
    /// Whether the clock counts the task as working.
    var isCountedAsWork = false
    var error: BluebonnetError?
    var startDate: Date?
    /// The ends of the task's exchanges so far.
    var ends = ExchangeEnds()

    init(
        _ taskIdentifier: Int,
        _ setup: TaskSetup,
        _ responder: (any TaskResponder)?,
        _ flow: BodyFlow,
        _ upload: UploadBody?,
        uploadProgress: ProgressHandler?,
        downloadProgress: ProgressHandler?
    ) {
        self.taskIdentifier = taskIdentifier
        options = setup.options
        attempt = TaskAttempt(setup.source.known)
        responders = TaskResponders(responder, isJudge: setup.isJudged)
        self.flow = flow
        sending = TransferProgress(handler: uploadProgress)
        receiving = TransferProgress(handler: downloadProgress)
        self.upload = upload
        guard let options = options?.values else { return }
        if let wanted = options.priority { priority = Self.usable(wanted) }
        if let attributes = options.attributes { self.attributes = attributes }
    }

    /// Returns a priority limited to the range from 0 to 1, or 0.5 for NaN.
    static func usable(_ priority: Float) -> Float {
        priority.isNaN ? 0.5 : min(1, max(0, priority))
    }

    var metrics: TaskMetrics? {
        guard let startDate, let last = ends.last?.metrics else { return nil }
        let end = last.startDate.addingTimeInterval(last.totalDuration)
        let interval = DateInterval(start: startDate, end: max(startDate, end))
        return TaskMetrics(ends, taskInterval: interval, redirectCount: attempt.redirectCount)
    }

    /// Updates whether the task counts as working, and returns true if work has begun.
    ///
    /// The caller then reports the beginning to the clock. The end of work is an effect, which
    /// follows the effects that were decided before it.
    mutating func noteWork() -> Bool {
        // After the end, the readers of a stream count their own work.
        let isDelivered =
            run.stage.isFinished && (held == nil || streams.isEnding)
        let isWorking = run.isWorking && question == nil && !isDelivered
        guard isWorking != isCountedAsWork else { return false }
        isCountedAsWork = isWorking
        if !isWorking { run.effects.append(.endWork) }
        return isWorking
    }

    var download: Download? {
        if case .file(let download) = flow { download } else { nil }
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

/// The destination of an accepted response's body.
enum BodyFlow: Sendable {
    case memory
    case stream(ResponseChannel)
    case file(Download)
}

/// State that few tasks need, such as a description, attributes, earlier requests or a deadline.
///
/// It is separate because every task has to create, move and destroy the rest of its state. Only
/// the state refers to it, and it is read and written under the same lock.
final class RareTaskState {
    fileprivate var taskDescription: String?
    fileprivate var formerlySent: [SentRequest] = []
    fileprivate var resumeDataHandlers: [@Sendable (Data?) -> Void] = []
    fileprivate var attributes = TaskAttributes()
    fileprivate var deadline: (any SessionTimer)?
    fileprivate var endTimer: (any SessionTimer)?
    fileprivate var validators: [ResponseValidator] = []
    fileprivate var fileURL: URL?
    fileprivate var cancellation: CancellationCause?
    fileprivate var deadlineTime: Duration?
    fileprivate var formerCredentials: [URLCredential] = []
    fileprivate var bodyFactory: BodyStreamFactory?
    fileprivate var addedInterceptors: TaskInterceptors?
    fileprivate var refreshes: Set<ObjectIdentifier> = []
    fileprivate var budgets = TaskBudgets()
    fileprivate var requestID: UUID?
    fileprivate var managerUntilStart: SessionManager?
    fileprivate var firstRequest: URLRequest?
    fileprivate var formerAttempts: [FormerAttempt] = []
    fileprivate var redirects: RedirectRule?
    fileprivate var credential: URLCredential?
    fileprivate var headHandler: HeadHandler?
    fileprivate var streams = StreamConsumers()
    fileprivate var requestHandler: (@Sendable (URLRequest) -> Void)?
    fileprivate var awaitingRequest: [@Sendable () -> Void] = []
    fileprivate var awaitingDelivery: [@Sendable () -> Void] = []
}

extension TaskState {
    private mutating func makeRareState() -> RareTaskState {
        let rareState = rareState ?? RareTaskState()
        self.rareState = rareState
        return rareState
    }

    var taskDescription: String? {
        get { rareState?.taskDescription }
        set { makeRareState().taskDescription = newValue }
    }

    /// The requests that were sent by the exchanges before the last one.
    var formerlySent: [SentRequest] {
        get { rareState?.formerlySent ?? [] }
        set { makeRareState().formerlySent = newValue }
    }

    /// The handlers that wait for the resume data of a download that is being canceled.
    var resumeDataHandlers: [@Sendable (Data?) -> Void] {
        get { rareState?.resumeDataHandlers ?? [] }
        set { makeRareState().resumeDataHandlers = newValue }
    }

    /// The timer that ends the task at its deadline.
    var deadline: (any SessionTimer)? {
        get { rareState?.deadline }
        set { makeRareState().deadline = newValue }
    }

    /// The timer that ends a canceled exchange if the transport does not report its end.
    var endTimer: (any SessionTimer)? {
        get { rareState?.endTimer }
        set { makeRareState().endTimer = newValue }
    }

    /// The validators that were added to the task.
    var validators: [ResponseValidator] {
        get { rareState?.validators ?? [] }
        set { makeRareState().validators = newValue }
    }

    /// The cause of a cancellation that the caller did not request.
    var cancellation: CancellationCause? {
        get { rareState?.cancellation }
        set { makeRareState().cancellation = newValue }
    }

    /// The deadline on the session's clock; nil without one.
    var deadlineTime: Duration? {
        get { rareState?.deadlineTime }
        set { makeRareState().deadlineTime = newValue }
    }

    /// The credentials that earlier attempts sent.
    var formerCredentials: [URLCredential] {
        get { rareState?.formerCredentials ?? [] }
        set { makeRareState().formerCredentials = newValue }
    }

    /// The closure that creates the streams of the request's body for later attempts.
    var bodyFactory: BodyStreamFactory? {
        get { rareState?.bodyFactory }
        set { makeRareState().bodyFactory = newValue }
    }

    /// The interceptors that were added to the task; nil for none.
    var addedInterceptors: TaskInterceptors? {
        get { rareState?.addedInterceptors }
        set { makeRareState().addedInterceptors = newValue }
    }

    /// The interceptors that have refreshed a credential for the task.
    var refreshes: Set<ObjectIdentifier> {
        get { rareState?.refreshes ?? [] }
        set { makeRareState().refreshes = newValue }
    }

    /// The task's counts in retry budgets.
    var budgets: TaskBudgets {
        get { rareState?.budgets ?? TaskBudgets() }
        set { makeRareState().budgets = newValue }
    }

    /// The rule for redirects that was added to the task, or else that of its options.
    var redirects: RedirectRule? {
        get { rareState?.redirects ?? options?.values.redirects }
        set { makeRareState().redirects = newValue }
    }

    /// The credential for challenges of the task's own origin, which is used before the hook is
    /// asked.
    var credential: URLCredential? {
        get { rareState?.credential }
        set { makeRareState().credential = newValue }
    }

    /// The manager, for a caller that can release it before the task is started.
    ///
    /// The manager refers to the task's delegate in turn, until the task is started, canceled or
    /// released.
    var managerUntilStart: SessionManager? {
        get { rareState?.managerUntilStart }
        set {
            if newValue != nil || rareState != nil { makeRareState().managerUntilStart = newValue }
        }
    }

    /// The task's own handler for the head of the response.
    var headHandler: HeadHandler? {
        get { rareState?.headHandler }
        set { makeRareState().headHandler = newValue }
    }

    /// The consumers that receive the body piece by piece.
    var streams: StreamConsumers {
        get { rareState?.streams ?? StreamConsumers() }
        _modify { yield &makeRareState().streams }
    }

    /// The handler that is called with the request of each attempt.
    var requestHandler: (@Sendable (URLRequest) -> Void)? {
        get { rareState?.requestHandler }
        set { makeRareState().requestHandler = newValue }
    }

    /// Closures to call once the first request is ready, or can no longer be created.
    var awaitingRequest: [@Sendable () -> Void] {
        get { rareState?.awaitingRequest ?? [] }
        set { makeRareState().awaitingRequest = newValue }
    }

    /// Closures to call once the task's handlers have returned.
    var awaitingDelivery: [@Sendable () -> Void] {
        get { rareState?.awaitingDelivery ?? [] }
        set { makeRareState().awaitingDelivery = newValue }
    }

    /// Whether the handlers that were added before the end have returned.
    var isDelivered: Bool { run.stage.isFinished && held == nil }

    /// Removes and returns the caller's handlers, validators, rules and interceptors.
    mutating func takeCallersOwn() -> [Any] {
        guard let rareState else { return [] }
        defer {
            (rareState.headHandler, rareState.requestHandler, rareState.redirects) = (nil, nil, nil)
            (rareState.validators, rareState.addedInterceptors) = ([], nil)
        }
        return [
            rareState.headHandler as Any, rareState.requestHandler as Any,
            rareState.redirects as Any, rareState.validators, rareState.addedInterceptors as Any,
        ]
    }

    /// Returns the request of an attempt before adapters; attempts are counted from 1.
    func initialRequest(ofAttempt number: Int) -> URLRequest? {
        let former = formerAttempts
        return former.indices.contains(number - 1)
            ? former[number - 1].initialRequest : attempt.initialRequest
    }

    /// Returns the handlers of a request, and removes those that wait for it; nil if there are
    /// none.
    mutating func takeRequestHandlers() -> (
        (@Sendable (URLRequest) -> Void)?, awaiting: [@Sendable () -> Void]
    )? {
        guard let rareState, rareState.requestHandler != nil || !rareState.awaitingRequest.isEmpty
        else { return nil }
        defer { rareState.awaitingRequest = [] }
        return (rareState.requestHandler, rareState.awaitingRequest)
    }

    /// Returns the identifier of the task's handles, which is created on first use.
    mutating func madeRequestID() -> UUID {
        let rareState = makeRareState()
        let id = rareState.requestID ?? UUID()
        rareState.requestID = id
        return id
    }

    /// Begins the first attempt with a request that was created for it.
    mutating func beginFirstAttempt(_ request: URLRequest?) {
        attempt = TaskAttempt(request)
        makeRareState().firstRequest = request
    }

    /// The request of the first attempt, if it was created for that attempt.
    var firstRequest: URLRequest? { rareState?.firstRequest }

    /// The attempts before the last one.
    var formerAttempts: [FormerAttempt] { rareState?.formerAttempts ?? [] }

    /// Begins the next attempt, and returns the state of the previous one.
    mutating func beginAttempt(_ request: URLRequest?) -> (TaskAttempt, TaskExchange) {
        let former = (attempt, exchange)
        makeRareState().formerAttempts.append(
            FormerAttempt(
                request: attempt.request, initialRequest: attempt.initialRequest,
                endCount: ends.count, redirectCount: attempt.redirectCount))
        if let sent = exchange.sent { formerlySent.append(sent) }
        if let authentication = attempt.authentication {
            formerCredentials += authentication.credentials
        }
        attempt = TaskAttempt(request)
        attempt.formerExchangeCount = exchange.number
        let number = exchange.number
        exchange = TaskExchange()
        // Late reports of the last exchange do not belong to this attempt.
        (exchange.number, exchange.hasEnded) = (number, true)
        sending.begin(total: nil)
        receiving.begin(total: nil)
        return former
    }

    /// The location of a download's complete file.
    var fileURL: URL? {
        get { download?.fileURL ?? rareState?.fileURL }
        set { makeRareState().fileURL = newValue }
    }

    /// Returns the queue of the task, which is created on first use.
    mutating func madeQueue() -> SerialOperationQueue {
        let queue =
            queue ?? SerialOperationQueue(lane: .of(taskIdentifier), isSuspended: !isQueueReleased)
        self.queue = queue
        return queue
    }

    /// The attributes that the caller set.
    var attributes: TaskAttributes {
        get { rareState?.attributes ?? TaskAttributes() }
        set { makeRareState().attributes = newValue }
    }
}
