import BluebonnetTransport
import FoundationNetworking

// Taking what happens, under the task's lock.
extension TaskState {
    /// Takes an event, and adds what the calling thread has to do outside the lock.
    mutating func take(
        _ event: consuming TaskRun.Event, of delegate: TaskDelegate,
        _ decision: inout TaskDecision
    ) {
        var event = event
        if let step = note(event, of: delegate, &decision.told) {
            decision.work = work(for: step, of: delegate)
            return
        }
        let wasStreaming = isStreaming
        var delay: Duration?
        if case .retrying = run.stage, case .retry(let wanted) = event { delay = wanted }
        if case .file(.cannotReopen, exchange.number) = event { event = .restart(wholeRequest) }
        let step = run.take(consume event, &exchange, within: terms(delegate))
        if !wasStreaming { noteStreamHead(&decision.told) }
        note(step, of: delegate, &decision)
        if let delay { noteRetry(after: delay, before: step) }
        follow(consume step, of: delegate, &decision)
    }

    /// Takes a transfer that is about to begin.
    mutating func take(
        _ made: consuming OutgoingRequest.Made, of delegate: TaskDelegate,
        _ decision: inout TaskDecision
    ) {
        // Also if it does not begin: see `TaskDecision.former`.
        decision.former = made.transfer
        let event = TaskRun.Event.made(made.transfer, of: made.request)
        if case .sending = run.stage, run.stop == nil { note(made) }
        take(event, of: delegate, &decision)
    }

    /// Takes a report of the transport.
    mutating func take(
        _ report: consuming Exchange.Report, ofExchange number: Int, of delegate: TaskDelegate,
        _ decision: inout TaskDecision
    ) {
        guard number == exchange.number, !exchange.hasEnded else { return }
        note(report, of: delegate, &decision.told)
        // It is chance whether the end of an exchange that was given up arrives before the task
        // ends, so it is not counted.
        let end = run.transfer == nil ? nil : report.end
        let step = run.take(consume report, &exchange, within: terms(delegate))
        note(end, before: step)
        note(step, of: delegate, &decision)
        follow(consume step, of: delegate, &decision)
    }

    /// Takes what a head turns out to be, and the rest of its report.
    mutating func take(
        _ finding: HeadFinding, _ rest: Arrival.Rest,
        of delegate: TaskDelegate, _ decision: inout TaskDecision
    ) {
        if let (head, _, _) = exchange.reception.headToJudge() {
            note(finding, about: head, &decision.told)
        }
        let (end, wasStreaming) = (rest.isAcknowledged ? nil : rest.end, isStreaming)
        let step = run.take(finding, rest, &exchange, within: terms(delegate))
        note(end, before: step)
        if !wasStreaming { noteStreamHead(&decision.told) }
        note(step, of: delegate, &decision)
        follow(consume step, of: delegate, &decision)
    }

    private func terms(_ delegate: TaskDelegate) -> ArrivalTerms {
        ArrivalTerms(
            limits: delegate.session.limits, documentSize: responders.maximumBodySize, flow: flow)
    }

    /// Adds a step's work; before that, performs the steps for which nothing is done outside the
    /// lock.
    private mutating func follow(
        _ step: consuming TaskRun.Step, of delegate: TaskDelegate,
        _ decision: inout TaskDecision
    ) {
        var step = step
        while let event = answer(to: step, decision) {
            step = run.take(consume event, &exchange, within: terms(delegate))
            note(step, of: delegate, &decision)
        }
        decision.work = work(for: consume step, of: delegate)
    }

    /// Returns the event that answers a step at once, without anything to do outside the lock.
    private mutating func answer(
        to step: borrowing TaskRun.Step, _ decision: borrowing TaskDecision
    ) -> TaskRun.Event? {
        switch step {
        // The called code can still cancel the task, so the step waits for it.
        case .judge
        where (isRareInitial || rare.validators.isEmpty) && decision.told.isSilent:
            return .judged(judgedWithoutValidators())
        case .askRetriers where attempt.interception == nil || !mayRetry: return .giveUp(nil)
        case .wait(let delay) where delay <= .zero: return .due
        case .settle where !isDownload: return .settled(nil)
        default: return nil
        }
    }

    private mutating func judgedWithoutValidators() -> TaskRun.Judged {
        if let error = exchange.reception.verdict() { return .refused(error) }
        return doubt.map { .doubted($0) } ?? .accepted
    }

    /// The error that retriers are asked about although the response is accepted.
    var doubt: BluebonnetError? {
        attempt.interception == nil || !mayRetry ? nil : exchange.reception.head?.doubt
    }

    /// Records what the task's life has brought before a step.
    private mutating func note(
        _ step: borrowing TaskRun.Step, of delegate: TaskDelegate, _ decision: inout TaskDecision
    ) {
        if let body = run.arrived.take() {
            note(body, from: decision.former, of: delegate, &decision.told)
        }
        switch step {
        case .settle(let outcome):
            // What was asked before no longer matters.
            endQuestion(&decision.told)
            if case .cancelled = outcome {} else { revealBody(&decision.told, of: delegate) }
        default: break
        }
        if let outcome = run.ended.take() { endAttempt(outcome, of: delegate) }
        switch step {
        case .judge where !isDownload && attempt.withheldCount == 0:
            decision.told.append(receiving.end(controlling: delegate))
        case .askRetriers: endQuestion(&decision.told)
        case .finish(let outcome): error = error(of: outcome, in: delegate.session)
        default: break
        }
    }

    private mutating func endQuestion(_ told: inout [Told]) {
        if let question = question.take() { told.insert(.question(question), at: 0) }
    }

    /// Keeps the metrics of an exchange's end.
    ///
    /// Not if the head is judged before the end counts, or the task ends without awaiting it:
    /// otherwise, the metrics of such a task would depend on how a transport divides a response
    /// into reports.
    private mutating func note(_ end: Exchange.End?, before step: borrowing TaskRun.Step) {
        guard let end else { return }
        switch step {
        case .find: return
        case .askRetriers(.failure) where attempt.interception == nil: return
        default: ends.append(end)
        }
    }

    /// Tells a stream of its head, if the response has just been accepted.
    private mutating func noteStreamHead(_ told: inout [Told]) {
        guard case .stream(let channel) = flow, isStreaming, let head = exchange.head else {
            return
        }
        told.append(.streamHead(channel, head))
    }

    /// The request for the whole body of a download whose partial file cannot be continued; nil if
    /// adapters have signed it with the range.
    private var wholeRequest: URLRequest? {
        isDownload && attempt.interception == nil ? attempt.request : nil
    }

    var isDownload: Bool { flow.isDownload }

    private var isStreaming: Bool {
        guard case .stream = flow, case .stream? = exchange.reception.destination else {
            return false
        }
        return true
    }

    /// Whether a retry is possible.
    ///
    /// A stream cannot be retried once its reader has received the head.
    var mayRetry: Bool { !isStreaming }
}
