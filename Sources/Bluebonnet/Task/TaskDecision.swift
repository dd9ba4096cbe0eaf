import BluebonnetTransport
import Foundation

/// What a thread has to do after an event, outside the task's lock.
///
/// It is filled in place and never copied, because each event of each task makes one.
struct TaskDecision: ~Copyable {
    var effects: TaskEffects.Batch?
    /// What the event brings to others, before its step.
    var told: [Told] = []
    /// Whether the task has begun to work.
    var beginsWork = false
    /// The transfer before the event, or one that was made; released outside the lock, because the
    /// deinit of a transport's transfer can run any code.
    var former: (any Transfer)?
    var work = TaskWork.none
}

/// What an event brings to others: progress, observing hooks, and the body's destination.
enum Told {
    /// A timer that is no longer needed.
    case timer(any SessionTimer)
    /// A question that no longer matters.
    case question(HookQuestion)
    case request([@Sendable () -> Void])
    case progress(TransferProgress.Report)
    /// Body bytes that no longer need memory, or that are kept until the end anyway.
    case consumed(any Transfer, Int)
    case streamHead(ResponseChannel, ResponseHead)
    case data([Exchange.Chunk])
    case delivery(Delivery)
    /// An event for its hook.
    case hook(TaskEvent.Kind)
    /// The data task has become a download with another number.
    case becameDownload
    /// A partial file that no attempt can continue.
    case unusable(PartialFile)
    /// The state of the former attempt, which can hold objects of the caller.
    indirect case former(TaskAttempt, TaskExchange)

    /// Whether it calls code of hooks, monitors or readers, which can act on the task.
    ///
    /// A transport that hears of consumed bytes is not expected to.
    fileprivate var isHeard: Bool {
        switch self {
        case .progress, .data, .delivery, .hook: true
        default: false
        }
    }
}

extension [Told] {
    /// Whether no code of hooks, monitors or readers is called.
    var isSilent: Bool { !contains(where: \.isHeard) }

    mutating func append(_ report: TransferProgress.Report?) {
        if let report { append(.progress(report)) }
    }

    /// Adds an event for monitors, before those that follow from it, and for its hook.
    mutating func append(_ kind: TaskEvent.Kind, _ run: inout TaskRun) {
        run.effects.tell(kind, attempt: run.attempt)
        append(.hook(kind))
    }
}

/// Body bytes on their way to a stream's reader or to a file.
///
/// The receiver tells the transfer when it no longer holds them; without a transfer, that was done
/// before.
struct Delivery: Sendable {
    enum Receiver: Sendable {
        case stream(ResponseChannel)
        case file(DownloadFile)
    }

    let chunks: [Exchange.Chunk]
    let size: Int
    let transfer: (any Transfer)?
    let receiver: Receiver
}

/// The work of a step, with all that it needs to know about the task.
enum TaskWork: ~Copyable {
    case none
    case prepare(Preparation)
    case send(OutgoingRequest)
    /// Waits for another task, whose outcome is also the outcome of this one.
    case share(with: TaskDelegate)
    case find(HeadInquiry, rest: Arrival.Rest)
    case ask(Reception.Question, ResponseHead?)
    case decide(Exchange.Failure)
    case complete(DownloadFile, ofExchange: Int)
    case judge(Judges, Judges.Whole, lack: BluebonnetError?, doubt: BluebonnetError?)
    case askRetriers(FailedAttempt)
    case keep(DownloadFile, isUsable: Bool)
    case wait(Duration)
    case settle(Settlement)
    case move(DownloadFile, to: URL)
    case finish(TaskEnding)
}

extension TaskState {
    /// Returns the work of a step.
    mutating func work(for step: consuming TaskRun.Step, of delegate: TaskDelegate) -> TaskWork {
        switch consume step {
        case .nothing: .none
        case .prepare(let number): .prepare(preparation(ofAttempt: number))
        case .send(let request):
            if case .outcome(let other)? = attempt.answer {
                .share(with: other)
            } else {
                .send(outgoing(request, of: delegate))
            }
        case .find(let rest): find(rest, delegate)
        case .ask(let question): .ask(question, exchange.reception.head)
        case .decide(let failure): .decide(failure)
        case .complete(let file): .complete(file, ofExchange: exchange.number)
        case .judge: judging(delegate)
        case .askRetriers(let doubted): asking(about: doubted, delegate)
        case .keep(let file, let isUsable): .keep(file, isUsable: isUsable)
        case .wait(let delay): .wait(delay)
        case .settle(let outcome): .settle(settlement(outcome))
        case .move(let file, let place): .move(file, to: place)
        case .finish: .finish(ending(of: delegate))
        }
    }

    private mutating func find(
        _ rest: consuming Arrival.Rest, _ delegate: TaskDelegate
    ) -> TaskWork {
        guard let (head, asked, judgement) = exchange.reception.headToJudge() else { return .none }
        if asked.isEmpty { run.effects.tell(.receivedHead(head), attempt: run.attempt) }
        let handler = asked.contains(.handler) || isRareInitial ? nil : rare.headHandler
        return .find(
            HeadInquiry(
                head: head, asked: asked, judgement: judgement, flow: flow,
                judges: judges(delegate),
                download: isDownload ? rare.download.map(KnownDownload.init) : nil,
                handler: handler,
                originalRequest: delegate.setup.source.known
                    ?? (isRareInitial ? nil : rare.firstRequest),
                documentSize: responders.maximumBodySize,
                hasAuthentication: attempt.authentication != nil,
                isIntercepted: attempt.interception != nil, exchange: exchange.number),
            rest: rest)
    }

    private func judges(_ delegate: TaskDelegate) -> Judges {
        Judges(
            delegate: delegate, serializer: responders.judge,
            validators: isRareInitial ? [] : rare.validators, request: attempt.request)
    }

    private mutating func judging(_ delegate: TaskDelegate) -> TaskWork {
        let lack = exchange.reception.lackOfMemory()
        guard let received = exchange.reception.received else { return .none }
        let file: URL? =
            if case .whole(_, let url)? = exchange.reception.destination { url } else { nil }
        let whole = Judges.Whole(
            head: received.head, judgement: received.judgement, bodyCount: received.countOfJudged,
            data: flow.isMemory && judgesBody ? exchange.reception.joinedBody() : nil,
            file: file)
        return .judge(judges(delegate), whole, lack: lack, doubt: doubt)
    }
}
