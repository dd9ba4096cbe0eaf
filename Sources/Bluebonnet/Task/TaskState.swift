import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What changes while a task lives: what it keeps for good, and what is replaced whole when the next
/// attempt, or the next exchange, begins.
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
    var queue: SerialOperationQueue?
    var isQueueReleased = false
    /// Held from the first `resume()` until the completion is delivered.
    var held: (task: SessionTask, manager: SessionManager?, request: Request?)?
    /// Made when something of it is first needed.
    var rareState: RareTaskState?
    var priority: Float = 0.5
    /// What is sent instead of the request's own body; let go with the handlers.
    var upload: UploadBody?
    /// The hook that is being asked something.
    var question: HookQuestion?
    /// Whether the clock was told that the task works.
    var isCountedAsWork = false
    var error: BluebonnetError?
    var startDate: Date?
    /// How the exchanges so far have ended.
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

    /// A priority within its range.
    static func usable(_ priority: Float) -> Float {
        priority.isNaN ? 0.5 : min(1, max(0, priority))
    }

    var metrics: TaskMetrics? {
        guard let startDate, let last = ends.last?.metrics else { return nil }
        let end = last.startDate.addingTimeInterval(last.totalDuration)
        let interval = DateInterval(start: startDate, end: max(startDate, end))
        return TaskMetrics(ends, taskInterval: interval, redirectCount: attempt.redirectCount)
    }

    /// Takes note of whether the task works now; true if the clock is to be told that it has begun to.
    ///
    /// That it has ended is told in its turn, behind what was decided before.
    mutating func noteWork() -> Bool {
        // Behind the end the readers of a stream work, and count for themselves.
        let isDelivered =
            run.stage.isFinished && (held == nil || rareState?.streams.isEnding == true)
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

/// What is kept of an attempt when the next one has begun.
struct FormerAttempt {
    /// Its request, as it was last sent; nil if it could not be built.
    var request: URLRequest?
    /// Its request before adapters; nil if it could not be built.
    var initialRequest: URLRequest?
    /// How many exchanges of the task had ended by then.
    var endCount: Int
    /// How many redirects it has followed.
    var redirectCount: Int
}

/// Where the body of an accepted response goes.
enum BodyFlow: Sendable {
    case memory
    case stream(ResponseChannel)
    case file(Download)
}

/// State that few tasks need: a description, attributes, earlier requests, a deadline, handlers that wait
/// for resume data.
///
/// Apart from the rest of a task's state, since every task has to make, move and destroy that. It is
/// the state's alone, and read and written under the same lock.
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
    fileprivate weak var request: Request?
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

    /// Why a handler or a value has ended the stream, which may be behind the end of the body.
    var streamFailure: BluebonnetError? { streams.failure }
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

    /// What the exchanges before the last one sent.
    var formerlySent: [SentRequest] {
        get { rareState?.formerlySent ?? [] }
        set { makeRareState().formerlySent = newValue }
    }

    /// Who wants to know how to go on with a download that is being cancelled.
    var resumeDataHandlers: [@Sendable (Data?) -> Void] {
        get { rareState?.resumeDataHandlers ?? [] }
        set { makeRareState().resumeDataHandlers = newValue }
    }

    /// What ends the task when its time is over.
    var deadline: (any SessionTimer)? {
        get { rareState?.deadline }
        set { makeRareState().deadline = newValue }
    }

    /// What goes on without the end of an exchange that was cancelled.
    var endTimer: (any SessionTimer)? {
        get { rareState?.endTimer }
        set { makeRareState().endTimer = newValue }
    }

    /// The validators that were added to the task.
    var validators: [ResponseValidator] {
        get { rareState?.validators ?? [] }
        set { makeRareState().validators = newValue }
    }

    /// Why the task was cancelled, where its holder did not ask for it.
    var cancellation: CancellationCause? {
        get { rareState?.cancellation }
        set { makeRareState().cancellation = newValue }
    }

    /// When the deadline is, by the session's clock; nil without one.
    var deadlineTime: Duration? {
        get { rareState?.deadlineTime }
        set { makeRareState().deadlineTime = newValue }
    }

    /// The credentials that earlier attempts have sent.
    var formerCredentials: [URLCredential] {
        get { rareState?.formerCredentials ?? [] }
        set { makeRareState().formerCredentials = newValue }
    }

    /// What makes the streams of the request's body, for attempts behind the first.
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

    /// What the task has counted in retry budgets.
    var budgets: TaskBudgets {
        get { rareState?.budgets ?? TaskBudgets() }
        set { makeRareState().budgets = newValue }
    }

    /// The handle of the task, the same as long as it is held.
    mutating func request(of delegate: TaskDelegate) -> Request {
        let rareState = makeRareState()
        if let request = rareState.request { return request }
        let request = delegate.makeRequest()
        rareState.request = request
        return request
    }

    /// The rule for redirects that was added to the task, in place of that of its options.
    var redirects: RedirectRule? {
        get { rareState?.redirects ?? options?.values.redirects }
        set { makeRareState().redirects = newValue }
    }

    /// What the task answers challenges of its own origin with, before the hook is asked.
    var credential: URLCredential? {
        get { rareState?.credential }
        set { makeRareState().credential = newValue }
    }

    /// The manager, where the caller may let go of it before the task is started.
    ///
    /// It holds the task's delegate in turn, until the task is started, cancelled or let go.
    var managerUntilStart: SessionManager? {
        get { rareState?.managerUntilStart }
        set {
            if newValue != nil || rareState != nil { makeRareState().managerUntilStart = newValue }
        }
    }

    /// What hears of the head of the response, or is asked about it.
    var headHandler: HeadHandler? {
        get { rareState?.headHandler }
        set { makeRareState().headHandler = newValue }
    }

    /// Who hears of the body piece by piece.
    var streams: StreamConsumers {
        get { rareState?.streams ?? StreamConsumers() }
        _modify { yield &makeRareState().streams }
    }

    /// What hears of the request of each attempt.
    var requestHandler: (@Sendable (URLRequest) -> Void)? {
        get { rareState?.requestHandler }
        set { makeRareState().requestHandler = newValue }
    }

    /// Who waits for the first request, or to hear that there will be none.
    var awaitingRequest: [@Sendable () -> Void] {
        get { rareState?.awaitingRequest ?? [] }
        set { makeRareState().awaitingRequest = newValue }
    }

    /// Who waits until the task's handlers have returned.
    var awaitingDelivery: [@Sendable () -> Void] {
        get { rareState?.awaitingDelivery ?? [] }
        set { makeRareState().awaitingDelivery = newValue }
    }

    /// Whether the handlers that were there at the end have returned.
    var isDelivered: Bool { run.stage.isFinished && held == nil }

    /// Takes what the caller has given to the task alone, and what is of no use behind its end.
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

    /// The request of an attempt before adapters, counted from 1.
    func initialRequest(ofAttempt number: Int) -> URLRequest? {
        let former = formerAttempts
        return former.indices.contains(number - 1)
            ? former[number - 1].initialRequest : attempt.initialRequest
    }

    /// Who is to be told of a request, or that there is none.
    mutating func takeRequestHandlers() -> (
        (@Sendable (URLRequest) -> Void)?, awaiting: [@Sendable () -> Void]
    )? {
        guard let rareState, rareState.requestHandler != nil || !rareState.awaitingRequest.isEmpty
        else { return nil }
        defer { rareState.awaitingRequest = [] }
        return (rareState.requestHandler, rareState.awaitingRequest)
    }

    /// The handle of the task, where there is one.
    var request: Request? {
        get { rareState?.request }
        set { makeRareState().request = newValue }
    }

    /// The identifier of the task's handles, made when it is first used.
    mutating func madeRequestID() -> UUID {
        let rareState = makeRareState()
        let id = rareState.requestID ?? UUID()
        rareState.requestID = id
        return id
    }

    /// Notes the request of the first attempt, where it was made for that.
    mutating func beginFirstAttempt(_ request: URLRequest?) {
        attempt = TaskAttempt(request)
        makeRareState().firstRequest = request
    }

    /// The request of the first attempt, where it was made for that.
    var firstRequest: URLRequest? { rareState?.firstRequest }

    /// The attempts before the last one.
    var formerAttempts: [FormerAttempt] { rareState?.formerAttempts ?? [] }

    /// Begins with the next attempt, and returns what belonged to the last.
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
        // What still comes of the last exchange is nothing to this attempt.
        (exchange.number, exchange.hasEnded) = (number, true)
        sending.begin(total: -1)
        receiving.begin(total: -1)
        return former
    }

    /// Where a download's complete file is.
    var fileURL: URL? {
        get { download?.fileURL ?? rareState?.fileURL }
        set { makeRareState().fileURL = newValue }
    }

    /// The queue of the task, made if there is none.
    mutating func madeQueue() -> SerialOperationQueue {
        let queue =
            queue ?? SerialOperationQueue(lane: .of(taskIdentifier), isSuspended: !isQueueReleased)
        self.queue = queue
        return queue
    }

    /// What the caller says about the task.
    var attributes: TaskAttributes {
        get { rareState?.attributes ?? TaskAttributes() }
        set { makeRareState().attributes = newValue }
    }
}
