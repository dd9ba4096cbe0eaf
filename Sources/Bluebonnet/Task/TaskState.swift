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
    var held: (task: SessionTask, manager: SessionManager?, context: CallerContext?)?
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
    private var rareBox = Rare(initialRare)
    private static let initialRare = Rare.Box(RareTaskState())

    init(
        _ taskIdentifier: Int,
        _ setup: borrowing TaskSetup,
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
        if case .file(let download) = flow { rare.download = DownloadState(download) }
        guard let options = options?.values else { return }
        if let wanted = options.priority { priority = Self.usable(wanted) }
        if let attributes = options.attributes { rare.attributes = attributes }
    }

    /// State that few tasks need.
    var rare: RareTaskState {
        _read { yield rareBox.value }
        _modify { yield &rareBox.value }
    }

    /// Whether none of the state that few tasks need was changed.
    var isRareInitial: Bool { rareBox.isInitial }

    /// Returns a priority limited to the range from 0 to 1, or 0.5 for NaN.
    static func usable(_ priority: Float) -> Float {
        priority.isNaN ? 0.5 : min(1, max(0, priority))
    }
}

/// The destination of an accepted response's body.
enum BodyFlow: Sendable {
    case memory
    case stream(ResponseChannel)
    case file(Download)

    var isMemory: Bool { if case .memory = self { true } else { false } }
    var isDownload: Bool { if case .file = self { true } else { false } }
}

extension TaskState {
    var metrics: TaskMetrics? {
        TaskMetrics(ends, since: startDate, redirectCount: attempt.redirectCount)
    }

    /// Updates whether the task counts as working, and returns true if work has begun.
    ///
    /// The caller then reports the beginning to the clock. The end of work is an effect, which
    /// follows the effects that were decided before it.
    mutating func noteWork() -> Bool {
        // After the end, the readers of a stream count their own work.
        let isDelivered = run.stage.isFinished && (held == nil || rare.streams.isEnding)
        let isWorking = run.isWorking && question == nil && !isDelivered
        guard isWorking != isCountedAsWork else { return false }
        isCountedAsWork = isWorking
        if !isWorking { run.effects.append(.endWork) }
        return isWorking
    }

    /// Whether the handlers that were added before the end have returned.
    var isDelivered: Bool { run.stage.isFinished && held == nil }

    /// The rule for redirects that was added to the task, or else that of its options.
    var redirects: RedirectRule? { rare.redirects ?? options?.values.redirects }

    /// Returns the request of an attempt before adapters; attempts are counted from 1.
    func initialRequest(ofAttempt number: Int) -> URLRequest? {
        let former = rare.formerAttempts
        return former.indices.contains(number - 1)
            ? former[number - 1].initialRequest : attempt.initialRequest
    }

    /// Returns the identifier of the task's handles, which is created on first use.
    mutating func madeRequestID() -> UUID {
        let id = rare.requestID ?? UUID()
        rare.requestID = id
        return id
    }

    /// Returns the queue of the task, which is created on first use.
    mutating func madeQueue() -> SerialOperationQueue {
        let queue =
            queue ?? SerialOperationQueue(lane: .of(taskIdentifier), isSuspended: !isQueueReleased)
        self.queue = queue
        return queue
    }
}

// Attempts and exchanges.
extension TaskState {
    /// Begins an attempt with a request, and returns the state of the previous one, if there was one.
    ///
    /// `made` is the same request without the range of a partial file.
    mutating func beginAttempt(
        _ request: URLRequest?, made: URLRequest?
    ) -> (TaskAttempt, TaskExchange)? {
        guard run.attempt > 1 else {
            // A request that was made before the task is the attempt's already.
            if attempt.request == nil, made != nil { rare.firstRequest = made }
            if attempt.request == nil || isDownload { attempt = TaskAttempt(request) }
            return nil
        }
        let former = (attempt, exchange)
        rare.formerAttempts.append(
            FormerAttempt(
                request: attempt.request, initialRequest: attempt.initialRequest,
                endCount: ends.count, redirectCount: attempt.redirectCount))
        if let sent = exchange.sent { rare.formerlySent.append(sent) }
        if let authentication = attempt.rare.authentication {
            rare.formerCredentials += authentication.credentials
        }
        attempt = TaskAttempt(request)
        attempt.formerExchangeCount = exchange.number
        // Late reports of the last exchange do not belong to this attempt.
        exchange = TaskExchange(number: exchange.number, hasEnded: true)
        sending.begin(total: nil)
        receiving.begin(total: nil)
        return former
    }

    /// Begins the next exchange, and discards the last response.
    mutating func beginExchange(_ sent: SentRequest, of request: URLRequest) {
        let isResent = attempt.connectsAnew
        attempt.begin(request)
        if let former = exchange.sent { rare.formerlySent.append(former) }
        exchange = TaskExchange(number: exchange.number + 1, sent: sent, isResent: isResent)
    }
}
