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
/// exchange in progress. ``TaskDelegate/take(_:)`` performs a step outside the lock, and the result
/// of the step is the next event. An event that does not apply to the current stage changes
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
    /// The body that the last event brought.
    private(set) var arrived: Arrival.Body?
    /// The outcome of the attempt that the last event ended.
    private(set) var ended: Outcome?

    mutating func take(
        _ event: consuming Event, _ exchange: inout TaskExchange, within terms: ArrivalTerms,
        resending wholeRequest: URLRequest? = nil
    ) -> Step {
        (arrived, ended) = (nil, nil)
        switch (consume event, stage) {
        case (.resume, .new) where !isCancelled:
            isSuspended = false
            effects.tell(.resumed, attempt: attempt)
            return prepare(byResumer: true)
        case (.adapting, .preparing): return leaveResumer(.preparing(byResumer: false))
        case (.adapting, .sending): return leaveResumer(.sending(byResumer: false))
        case (.prepared(let prepared), .preparing(let byResumer)):
            stage = .sending(byResumer: byResumer)
            return .send(prepared.request)
        case (.answered(let outcome), .preparing), (.answered(let outcome), .sending):
            return settle(stop ?? outcome.error.map { .failure($0) } ?? .success)
        case (.made(let transfer, let sent), .sending):
            return begin(transfer, of: sent.request)

        case (.report(let report, let number), _) where exchange.number == number:
            return take(report, &exchange, within: terms)
        case (.found(let finding, let rest), .exchanging), (.found(let finding, let rest), .asking):
            return take(finding, rest, &exchange, within: terms)
        case (.endIsMissing(let number), _) where exchange.number == number && !exchange.hasEnded:
            exchange.isEndMissing = true
            let end = Exchange.End(failure: .cancelled)
            return take(Exchange.Report(end: end), &exchange, within: terms)
        case (.file(let event, let number), _) where exchange.number == number:
            return take(event, &exchange, resending: wholeRequest)

        case (.follow(let request), .asking(let transfer)):
            return follow(request, insteadOf: transfer, &exchange)
        case (.keepResponse, .asking) where stop == nil:
            return go(on: exchange.reception.pass(within: terms), exchange)
        case (.completed(let result, exchange.number), .judging):
            return complete(result, &exchange)
        case (.judged(.accepted), .judging):
            return settle(stop ?? .success)
        case (.judged(.refused(let error)), .judging), (.failed(let error), .preparing),
            (.failed(let error), .sending), (.failed(let error), .exchanging),
            (.failed(let error), .asking), (.failed(let error), .judging):
            return fail(error)
        case (.judged(.doubted(let error)), .judging):
            return doubt(.response(error), nil)

        case (.retry(let delay), .retrying(let doubted, _)):
            return beginNext(after: delay, dueTo: doubted.error, exchange)
        case (.startOver(let error), .preparing), (.startOver(let error), .sending),
            (.startOver(let error), .exchanging), (.startOver(let error), .asking),
            (.startOver(let error), .judging):
            return beginNext(after: .zero, dueTo: error, exchange)
        case (.giveUp(let error), .retrying(let doubted, let transfer)):
            return giveUp(error, doubted, transfer, &exchange, within: terms)
        case (.kept, .waiting(.file(let delay))):
            return wait(delay)
        case (.due, .waiting(.delay)), (.due, .waiting(.resume)):
            return prepareUnlessSuspended()

        case (.commit(let place), .settling(.success)):
            return commit(exchange.reception.file, to: place)
        case (.settled(let error), .settling(let outcome)):
            return finish(error.map { .failure($0) } ?? outcome)
        case (.settled(let error), .committed):
            return finish(error.map { .failure($0) } ?? .success)

        case (.suspend, _): return suspend()
        case (.resume, _): return resume()
        case (.cancel, _): return cancel()
        case (.expired(let error), _) where stage.isUnderWay: return expire(error)
        case (.stopped, _) where stage.isNew || stage.isUnderWay:
            return stop.map { settle($0) } ?? .nothing
        default: return .nothing
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
    private mutating func leaveResumer(_ stage: Stage) -> Step {
        self.stage = stage
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

    private mutating func take(
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
        return go(
            on: exchange.reception.take(report, of: exchange.sent, within: terms), exchange)
    }

    private mutating func take(
        _ finding: HeadFinding, _ rest: consuming Arrival.Rest, _ exchange: inout TaskExchange,
        within terms: ArrivalTerms
    ) -> Step {
        let arrival = exchange.reception.take(finding, rest, within: terms)
        if case .cancel = finding { _ = cancel() }
        if let stop { return exchange.hasEnded ? settle(stop) : .nothing }
        switch finding {
        case .fail(let error): return fail(error)
        case .startOver: return beginNext(after: .zero, dueTo: .restOfAnother, exchange)
        case .sendAgain where !exchange.hasEnded:
            if let transfer { effects.append(.end(transfer)) }
        default: break
        }
        return go(on: arrival, exchange)
    }

    /// Goes on with what a report, a finding or an answer has brought.
    private mutating func go(on arrival: Arrival, _ exchange: TaskExchange) -> Step {
        arrived = arrival.body
        let transfer = exchange.hasEnded ? nil : transfer
        switch arrival.next {
        case .nothing:
            goOn(with: transfer, in: exchange.reception)
            return .nothing
        case .head(let received, let rest): return .find(received, rest: rest)
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
        case .fail(let error): return fail(error)
        }
    }

    /// Updates the stage after a report that needs no decision.
    private mutating func goOn(with transfer: (any Transfer)?, in reception: Reception) {
        switch (stage, reception) {
        case (.asking, .asking), (.exchanging, .asking): stage = .asking(transfer)
        case (.retrying(let doubted, _), .asking): stage = .retrying(doubted, transfer)
        case (.asking, _):
            guard let transfer else { return }
            stage = .exchanging(transfer)
            if !isSuspended { effects.append(.unpause(transfer)) }
        default: break
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

    private mutating func take(
        _ event: FileEvent, _ exchange: inout TaskExchange, resending wholeRequest: URLRequest?
    ) -> Step {
        switch (event, stage) {
        case (.failed(let failure), .exchanging), (.failed(let failure), .asking),
            (.failed(let failure), .judging):
            return fail(.file(failure, .init()))
        case (.cannotReopen, .exchanging), (.cannotReopen, .judging):
            guard stop == nil else { return .nothing }
            guard let request = wholeRequest else {
                return beginNext(after: .zero, dueTo: .restOfAnother, exchange)
            }
            return follow(request, insteadOf: transfer, &exchange)
        default: return .nothing
        }
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
            return go(on: exchange.reception.pass(within: terms), exchange)
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

    var isStopping: Bool { stop != nil }

    /// The outcome of a task that was canceled or has expired; nil for other tasks.
    private var stop: Outcome? {
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
        guard let transfer else { return }
        if stop == nil { effects.append(.abort(transfer)) }
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
        // There is nothing to pause yet, but the task no longer starts automatically.
        if stage.isNew { return .nothing }
        effects.tell(.suspended, attempt: attempt)
        if case .exchanging(let transfer) = stage { effects.append(.pause(transfer)) }
        return .nothing
    }

    private mutating func resume() -> Step {
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
