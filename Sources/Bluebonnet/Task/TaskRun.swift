import BluebonnetTransport
import FoundationNetworking

/// The life of a task, which takes events and returns the step that follows each.
///
///     resume ─▶ prepare ─▶ send ─▶ receive ─▶ judge ─▶ retry? ─▶ settle ─▶ finish
///                  ▲         ▲        │                  │
///                  │         └────────┘ redirect,        │
///                  │                    challenge        │
///                  └─────────────────────────────────────┘ next attempt
///
/// It is a value without side effects that is changed under the task's lock, together with the
/// exchange in progress. ``StepStage`` performs a step outside the lock, and the result of the
/// step is the next event. An event that does not apply to the current stage changes
/// nothing, so late and repeated events do no harm.
struct TaskRun {
    private(set) var stage = Stage.new
    private(set) var isSuspended = false
    private(set) var isCancelled = false
    /// The error of a task whose deadline has passed.
    private var expiry: BluebonnetError?
    /// The number of attempts so far, including the current one.
    private(set) var attempt = 0
    private var isAttemptOpen = false
    /// The actions for transfers and observers, in the order in which they were decided.
    var effects = TaskEffects()
    /// The body that an event has brought, until it is taken.
    var arrived: Arrival.Body?
    /// The outcome of the attempt that an event has ended, until it is taken.
    var ended: Outcome?

    /// Takes an event other than a report or a finding.
    mutating func take(
        _ event: consuming Event, _ exchange: inout TaskExchange, within terms: ArrivalTerms
    ) -> Step {
        switch consume event {
        case .resume: return resume()
        case .suspend: return suspend()
        case .cancel: return cancel()
        case .expired(let error): return stage.isUnderWay ? expire(error) : .nothing
        case .stopped:
            guard stage.isNew || stage.isUnderWay, let stop else { return .nothing }
            return settle(stop)

        case .adapting: return leaveResumer()
        case .prepared(let prepared):
            guard case .preparing(let byResumer) = stage else { return .nothing }
            stage = .sending(byResumer: byResumer)
            return .send(prepared.request)
        case .made(let transfer, let request):
            guard case .sending = stage else { return .nothing }
            return begin(transfer, of: request)
        case .answered(let outcome):
            switch stage {
            case .preparing, .sending:
                return settle(stop ?? outcome.error.map { .failure($0) } ?? .success)
            default: return .nothing
            }

        case .endIsMissing(let number):
            guard exchange.number == number, !exchange.hasEnded else { return .nothing }
            exchange.isEndMissing = true
            let end = Exchange.End(failure: .cancelled)
            return take(Exchange.Report(end: end), &exchange, within: terms)
        case .bodyIsLate(let number):
            guard exchange.number == number, !exchange.hasEnded, stop == nil,
                case .exchanging = stage
            else { return .nothing }
            return goOn(after: exchange.reception.cut(within: terms), exchange)
        case .file(.failed(let failure), exchange.number):
            switch stage {
            case .exchanging, .asking, .judging: return fail(.file(failure, .init()))
            default: return .nothing
            }
        case .file: return .nothing
        case .restart(let request): return restart(request, &exchange)
        case .follow(let request):
            guard case .asking(let transfer) = stage else { return .nothing }
            return follow(request, insteadOf: transfer, &exchange)
        case .keepResponse:
            guard case .asking = stage, stop == nil else { return .nothing }
            return goOn(after: exchange.reception.pass(within: terms), exchange)
        case .failed(let error): return stage.isInAttempt ? fail(error) : .nothing
        case .startOver(let error):
            guard stage.isInAttempt else { return .nothing }
            return beginNext(after: .zero, dueTo: error, exchange)

        case .completed(let result, let number):
            guard case .judging = stage, exchange.number == number else { return .nothing }
            return complete(result, &exchange)
        case .judged(let judged):
            guard case .judging = stage else { return .nothing }
            switch judged {
            case .accepted: return settle(stop ?? .success)
            case .refused(let error): return fail(error)
            case .doubted(let error): return doubt(.response(error), nil)
            }
        case .retry(let delay):
            guard case .retrying(let doubted, _) = stage else { return .nothing }
            return beginNext(after: delay, dueTo: doubted.error, exchange)
        case .giveUp(let error):
            guard case .retrying(let doubted, let transfer) = stage else { return .nothing }
            return giveUp(error, doubted, transfer, &exchange, within: terms)
        case .kept:
            guard case .waiting(.file(let delay)) = stage else { return .nothing }
            return wait(delay)
        case .due:
            switch stage {
            case .waiting(.delay), .waiting(.resume): return prepareUnlessSuspended()
            default: return .nothing
            }

        case .commit(let place):
            guard case .settling(.success) = stage else { return .nothing }
            return commit(exchange.reception.file, to: place)
        case .settled(let error):
            switch stage {
            case .settling(let outcome): return finish(error.map { .failure($0) } ?? outcome)
            case .committed: return finish(error.map { .failure($0) } ?? .success)
            default: return .nothing
            }
        }
    }

    // MARK: Preparing and sending

    private mutating func prepare(byResumer: Bool) -> Step {
        stage = .preparing(byResumer: byResumer)
        attempt += 1
        isAttemptOpen = true
        return .prepare(attempt: attempt)
    }

    /// Leaves the resuming thread, after which a cancel takes effect on the callback queue.
    private mutating func leaveResumer() -> Step {
        switch stage {
        case .preparing: stage = .preparing(byResumer: false)
        case .sending: stage = .sending(byResumer: false)
        default: return .nothing
        }
        if stop != nil { effects.append(.comeBack(.stopped)) }
        return .nothing
    }

    private mutating func begin(_ transfer: any Transfer, of request: URLRequest) -> Step {
        guard stop == nil else {
            stage = .sending(byResumer: false)
            effects.append(.comeBack(.stopped))
            return .nothing
        }
        stage = .exchanging(transfer)
        // Paused before it begins, or its response could arrive first.
        if isSuspended { effects.append(.pause(transfer)) }
        effects.tell(.sentRequest(request), attempt: attempt)
        effects.append(.begin(transfer))
        return .nothing
    }

    private mutating func send(_ request: URLRequest) -> Step {
        stage = .sending(byResumer: false)
        return .send(request)
    }

    // MARK: Receiving

    /// Takes a report of the exchange in progress.
    mutating func take(
        _ report: consuming Exchange.Report, _ exchange: inout TaskExchange,
        within terms: ArrivalTerms
    ) -> Step {
        guard !exchange.hasEnded else { return .nothing }
        exchange.hasEnded = report.end != nil
        guard stop == nil, transfer != nil else {
            // Of an exchange that is being stopped or was given up, only the end counts.
            guard exchange.hasEnded, transfer != nil, let stop else { return .nothing }
            return settle(stop)
        }
        return goOn(
            after: exchange.reception.take(report, of: exchange.sent, within: terms), exchange)
    }

    /// Takes what a head turns out to be, and the rest of its report.
    mutating func take(
        _ finding: HeadFinding, _ rest: Arrival.Rest,
        _ exchange: inout TaskExchange, within terms: ArrivalTerms
    ) -> Step {
        switch stage {
        case .exchanging, .asking: break
        default: return .nothing
        }
        let arrival = exchange.reception.take(finding, rest, within: terms)
        if let stop { return exchange.hasEnded ? settle(stop) : .nothing }
        if case .nothing = arrival.next, exchange.reception.isUndelivered(within: terms) {
            effects.append(.limitBody(ofExchange: exchange.number))
        }
        return goOn(after: arrival, exchange)
    }

    /// Goes on with what a report, a finding or an answer has brought.
    private mutating func goOn(after arrival: consuming Arrival, _ exchange: TaskExchange) -> Step {
        arrived = arrival.body
        let transfer = exchange.hasEnded ? nil : transfer
        switch arrival.next {
        case .nothing:
            unpause(transfer, in: exchange.reception)
            return .nothing
        case .head(let rest): return .find(rest: rest)
        case .ask(.doubt(let error)):
            pause(transfer)
            return doubt(.head(error), transfer)
        case .ask(let question):
            pause(transfer)
            stage = .asking(transfer)
            return .ask(question)
        case .end(.success):
            stage = .judging
            if case .file(let file, _, _)? = exchange.reception.destination {
                return .complete(file)
            }
            return .judge
        case .end(.failure(let failure)):
            stage = .asking(nil)
            return .decide(failure)
        case .send(let request): return send(request)
        case .cut:
            if let transfer { effects.append(.end(transfer)) }
            unpause(transfer, in: exchange.reception)
            return .nothing
        case .startOver: return beginNext(after: .zero, dueTo: .restOfAnother, exchange)
        case .cancel:
            _ = cancel()
            return exchange.hasEnded ? settle(.cancelled) : .nothing
        case .fail(let error): return fail(error)
        }
    }

    /// Updates the stage after a report that needs no decision.
    private mutating func unpause(_ transfer: (any Transfer)?, in reception: Reception) {
        if reception.isAsking {
            switch stage {
            case .asking, .exchanging: stage = .asking(transfer)
            case .retrying(let doubted, _): stage = .retrying(doubted, transfer)
            default: break
            }
        } else if case .asking = stage, let transfer {
            stage = .exchanging(transfer)
            if !isSuspended { effects.append(.unpause(transfer)) }
        }
    }

    private mutating func pause(_ transfer: (any Transfer)?) {
        guard case .exchanging = stage, let transfer, !isSuspended else { return }
        effects.append(.pause(transfer))
    }

    /// Sends another request, after the end of the current exchange.
    private mutating func follow(
        _ request: URLRequest, insteadOf transfer: (any Transfer)?, _ exchange: inout TaskExchange
    ) -> Step {
        if let stop { return transfer == nil ? settle(stop) : .nothing }
        guard let transfer else { return send(request) }
        exchange.reception.discard(next: request)
        stage = .exchanging(transfer)
        effects.append(.end(transfer))
        return .nothing
    }

    /// Asks for the whole body of a download whose file cannot be continued.
    private mutating func restart(
        _ request: URLRequest?, _ exchange: inout TaskExchange
    ) -> Step {
        switch stage {
        case .exchanging, .judging: break
        default: return .nothing
        }
        guard stop == nil else { return .nothing }
        guard let request else {
            return beginNext(after: .zero, dueTo: .restOfAnother, exchange)
        }
        return follow(request, insteadOf: transfer, &exchange)
    }

    // MARK: Judging

    private mutating func complete(
        _ result: Result<DownloadFile.Whole, FileFailure>, _ exchange: inout TaskExchange
    ) -> Step {
        switch result {
        case .failure(let failure): return fail(.file(failure, .init()))
        case .success(let whole):
            if case .file(_, let expected?, _)? = exchange.reception.destination,
                expected != whole.length
            {
                return fail(.transport(.cutShort(whole.length, expected), .init()))
            }
            exchange.reception.complete(at: whole.url)
            return .judge
        }
    }

    private mutating func fail(_ error: BluebonnetError) -> Step {
        if let stop { return settle(stop) }
        giveUpExchange()
        stage = .retrying(.failure(error), nil)
        return .askRetriers(.failure(error))
    }

    private mutating func doubt(_ doubted: Doubted, _ transfer: (any Transfer)?) -> Step {
        if let stop, transfer == nil { return settle(stop) }
        stage = .retrying(doubted, transfer)
        return .askRetriers(doubted)
    }

    // MARK: Retrying

    private mutating func giveUp(
        _ error: BluebonnetError?, _ doubted: Doubted, _ transfer: (any Transfer)?,
        _ exchange: inout TaskExchange, within terms: ArrivalTerms
    ) -> Step {
        if let error { return settle(.failure(error)) }
        switch doubted {
        case .failure(let error): return settle(.failure(error))
        case .response: return settle(.success)
        case .head:
            stage = .asking(transfer)
            return goOn(after: exchange.reception.pass(within: terms), exchange)
        }
    }

    /// Ends the attempt, and begins the next one as soon as the file of this one is kept.
    private mutating func beginNext(
        after delay: Duration, dueTo error: BluebonnetError, _ exchange: TaskExchange
    ) -> Step {
        if let stop { return settle(stop) }
        giveUpExchange()
        endAttempt(.failure(error))
        guard let file = exchange.reception.file else { return wait(delay) }
        stage = .waiting(.file(then: delay))
        // A file that was refused as a whole has nothing to continue.
        let isWhole = if case .whole? = exchange.reception.destination { true } else { false }
        return .keep(file, isUsable: !isWhole)
    }

    private mutating func wait(_ delay: Duration) -> Step {
        stage = .waiting(.delay)
        return .wait(delay)
    }

    private mutating func prepareUnlessSuspended() -> Step {
        guard isSuspended else { return prepare(byResumer: false) }
        stage = .waiting(.resume)
        return .nothing
    }

    // MARK: The end

    /// The outcome of a task that was canceled or has expired; nil for other tasks.
    var stop: Outcome? {
        isCancelled ? .cancelled : expiry.map { .failure($0) }
    }

    private mutating func settle(_ outcome: Outcome) -> Step {
        giveUpExchange()
        endAttempt(outcome)
        stage = .settling(outcome)
        return .settle(outcome)
    }

    /// Ends the attempt; no other method does.
    private mutating func endAttempt(_ outcome: Outcome) {
        guard isAttemptOpen else { return }
        isAttemptOpen = false
        ended = outcome
    }

    private mutating func giveUpExchange() {
        if let transfer, stop == nil { effects.append(.abort(transfer)) }
    }

    private mutating func commit(_ file: DownloadFile?, to place: URL?) -> Step {
        guard !isCancelled else { return settle(.cancelled) }
        stage = .committed
        guard let file, let place else { return finish(.success) }
        return .move(file, to: place)
    }

    private mutating func finish(_ outcome: Outcome) -> Step {
        stage = .finished
        return .finish(isCancelled ? .cancelled : outcome)
    }

    // MARK: Suspending, resuming and canceling

    private mutating func suspend() -> Step {
        guard stage.isNew || stage.isUnderWay, !isSuspended, !isCancelled else {
            return .nothing
        }
        isSuspended = true
        effects.tell(.suspended, attempt: attempt)
        // Before the start there is nothing to pause, but the task no longer starts automatically.
        if case .exchanging(let transfer) = stage { effects.append(.pause(transfer)) }
        return .nothing
    }

    private mutating func resume() -> Step {
        if stage.isNew, !isCancelled {
            isSuspended = false
            effects.tell(.resumed, attempt: attempt)
            return prepare(byResumer: true)
        }
        guard stage.isUnderWay, isSuspended, !isCancelled else { return .nothing }
        isSuspended = false
        effects.tell(.resumed, attempt: attempt)
        switch stage {
        case .exchanging(let transfer): effects.append(.unpause(transfer))
        case .waiting(.resume): effects.append(.comeBack(.due))
        default: break
        }
        return .nothing
    }

    /// Ends the task when its exchange ends or, without one, on the callback queue.
    private mutating func cancel() -> Step {
        guard stage.canBeCancelled, !isCancelled else { return .nothing }
        isCancelled = true
        effects.tell(.cancelled, attempt: attempt)
        endExchange()
        return .nothing
    }

    private mutating func expire(_ error: BluebonnetError) -> Step {
        guard stop == nil else { return .nothing }
        expiry = error
        guard transfer == nil, !stage.isOnResumingThread else {
            endExchange()
            return .nothing
        }
        return settle(.failure(error))
    }

    /// Ends the exchange through its transfer, whose last report has the metrics.
    private mutating func endExchange() {
        if let transfer {
            effects.append(.end(transfer))
        } else if !stage.isOnResumingThread {
            effects.append(.comeBack(.stopped))
        }
    }
}

extension TaskRun {
    /// The transfer of the exchange in progress.
    var transfer: (any Transfer)? { stage.transfer }

    /// Whether the task is working, and not waiting for its caller or its transport.
    var isWorking: Bool {
        switch stage {
        case .new, .exchanging, .waiting(.resume): false
        default: true
        }
    }
}

extension BluebonnetError {
    /// The error of an attempt whose response does not continue the file of a download.
    static var restOfAnother: BluebonnetError {
        .adaptation(
            "the partial file on disk belongs to a different download; the whole file is requested again",
            .init())
    }
}

extension Exchange.Failure {
    fileprivate static func cutShort(_ length: Int64, _ expected: Int64) -> Self {
        Self(
            .networkConnectionLost,
            message: "the file has \(length) bytes, but the server announced \(expected)"
        )
    }
}
