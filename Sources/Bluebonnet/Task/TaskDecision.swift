import BluebonnetTransport
import Foundation
import FoundationNetworking

/// What a thread has to do after an event, outside the task's lock, in the order of the properties.
struct TaskDecision {
    /// Released outside the lock, because the deinit of a transport's transfer can run any code.
    let former: (any Transfer)?
    var told = Told()
    var effects: TaskEffects.Batch?
    var work = TaskWork.none
    /// Whether the task has begun to work.
    var beginsWork = false

    init(former: (any Transfer)?) { self.former = former }
}

/// What an event brings to others: progress, observing hooks, and the body's destination.
struct Told {
    var timer: (any SessionTimer)?
    var question: HookQuestion?
    var requestHandlers: [@Sendable () -> Void] = []
    var sent: TransferProgress.Report?
    var received: TransferProgress.Report?
    /// Body bytes that no longer need memory, or that are kept until the end anyway.
    var consumed: (transfer: any Transfer, count: Int)?
    var streamHead: (channel: ResponseChannel, head: ResponseHead)?
    var data: [Exchange.Chunk] = []
    var delivery: Delivery?
    /// What hooks are told of.
    private(set) var kind: TaskEvent.Kind?
    /// Whether the data task has become a download with another number.
    var becomesDownload = false
    /// A partial file that no attempt can continue.
    var unusable: PartialFile?
    /// The state of the former attempt, which can hold objects of the caller.
    var former: (TaskAttempt, TaskExchange)?

    /// Whether nobody who is told can act on the task.
    var isSilent: Bool {
        sent == nil && kind == nil && received == nil && data.isEmpty && delivery == nil
    }

    /// Adds an event for monitors, before those that follow from it, and for its hook.
    mutating func note(_ kind: TaskEvent.Kind, _ run: inout TaskRun) {
        run.effects.tell(kind, attempt: run.attempt)
        self.kind = kind
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

    init(
        chunks: [Exchange.Chunk], size: Int, from transfer: (any Transfer)?, to receiver: Receiver
    ) {
        (self.chunks, self.size, self.transfer, self.receiver) = (chunks, size, transfer, receiver)
    }
}

/// The work of a step, with all that it needs to know about the task.
enum TaskWork {
    case none
    case prepare(Preparation)
    case send(Sending)
    /// Waits for another task, whose outcome is also the outcome of this one.
    case share(with: TaskDelegate)
    case find(HeadInquiry, rest: Arrival.Rest)
    case ask(Reception.Question, ResponseHead?)
    case decide(Exchange.Failure)
    case complete(DownloadFile, ofExchange: Int)
    case judge(Judges, Judges.Whole?, lack: BluebonnetError?, doubt: BluebonnetError?)
    case askRetriers(FailedAttempt)
    case keep(DownloadFile, isUsable: Bool)
    case wait(Duration)
    case settle(Settlement)
    case move(DownloadFile, to: URL)
    case finish(TaskEnding)
}

extension TaskState {
    /// Returns the work of a step.
    mutating func work(for step: TaskRun.Step, of delegate: TaskDelegate) -> TaskWork {
        switch step {
        case .nothing: .none
        case .prepare(let number): .prepare(preparation(ofAttempt: number))
        case .send(let request):
            if case .outcome(let other)? = attempt.answer {
                .share(with: other)
            } else {
                .send(sending(of: request))
            }
        case .find(let received, let rest): .find(inquiry(about: received, delegate), rest: rest)
        case .ask(let question): .ask(question, exchange.head)
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

    private mutating func inquiry(
        about received: Reception.Received, _ delegate: TaskDelegate
    ) -> HeadInquiry {
        if received.asked.isEmpty {
            run.effects.tell(.receivedHead(received.head), attempt: run.attempt)
        }
        return HeadInquiry(
            delegate: delegate, received: received, flow: flow, judges: judges(delegate),
            download: isDownload ? rare.download : nil,
            handler: received.asked.contains(.handler) || isRareInitial ? nil : rare.headHandler,
            request: attempt.request, originalRequest: delegate.setup.source.known
                ?? (isRareInitial ? nil : rare.firstRequest),
            documentSize: responders.maximumBodySize,
            hasAuthentication: attempt.authentication != nil,
            isIntercepted: attempt.interception != nil, exchange: exchange.number)
    }

    private func judges(_ delegate: TaskDelegate) -> Judges {
        Judges(
            delegate: delegate, serializer: responders.judge,
            validators: isRareInitial ? [] : rare.validators, request: attempt.request)
    }

    private mutating func judging(_ delegate: TaskDelegate) -> TaskWork {
        let lack = lackOfMemory()
        let doubt = attempt.interception == nil || !mayRetry ? nil : exchange.head?.doubt
        guard let received = exchange.reception.received else {
            return .judge(judges(delegate), nil, lack: lack, doubt: doubt)
        }
        let file: URL? =
            if case .whole(_, let url)? = exchange.reception.destination { url } else { nil }
        let isMemory = if case .memory = flow { true } else { false }
        let whole = Judges.Whole(
            head: received.head, judgement: received.judgement, bodyCount: received.body.count,
            data: isMemory && hasBodyValidators ? exchange.reception.joinedBody() : nil, file: file)
        return .judge(judges(delegate), whole, lack: lack, doubt: doubt)
    }

    private var hasBodyValidators: Bool {
        rare.validators.contains { if case .body = $0.judgement { true } else { false } }
    }
}
