import BluebonnetTransport
import Foundation
import FoundationNetworking

// Taking an event, under the task's lock.
extension TaskState {
    /// Takes an event, and returns what the calling thread has to do outside the lock.
    mutating func take(_ event: TaskRun.Event, of delegate: TaskDelegate) -> TaskDecision {
        var decision = TaskDecision(former: run.transfer)
        if let step = note(event, of: delegate, &decision.told) {
            decision.work = work(for: step, of: delegate)
        } else {
            var step = advance(event, of: delegate, &decision.told)
            while let next = answer(to: step, decision.told, delegate) {
                step = advance(next, of: delegate, &decision.told)
            }
            decision.work = work(for: step, of: delegate)
        }
        if delegate.session.work.isObserved { decision.beginsWork = noteWork() }
        decision.effects = run.effects.begin()
        return decision
    }

    /// Returns the event that answers a step at once, without anything to do outside the lock.
    private mutating func answer(
        to step: TaskRun.Step, _ told: Told, _ delegate: TaskDelegate
    ) -> TaskRun.Event? {
        switch step {
        // Whoever is told can still cancel the task, so the step waits then.
        case .judge where rare.validators.isEmpty && attempt.interception == nil && told.isSilent:
            return .judged(judgedByHead)
        case .askRetriers where attempt.interception == nil || !mayRetry: return .giveUp(nil)
        case .wait(let delay) where delay <= .zero: return .due
        case .settle where !isDownload:
            return .settled(nil)
        default: return nil
        }
    }

    private var judgedByHead: TaskRun.Judged {
        mutating get {
            if let lack = lackOfMemory() { return .refused(lack) }
            let verdict = exchange.reception.received?.judgement.verdict
            return verdict?.relevant(toBodyOf: exchange.body.count).map { .refused($0) }
                ?? .accepted
        }
    }

    private mutating func advance(
        _ event: TaskRun.Event, of delegate: TaskDelegate, _ told: inout Told
    ) -> TaskRun.Step {
        let (transfer, wasStreaming) = (run.transfer, isStreaming)
        let isRetry = if case .retry(let delay) = event { delay } else { nil as Duration? }
        let terms = ArrivalTerms(
            limits: delegate.session.limits, documentSize: responders.maximumBodySize, flow: flow)
        let whole =
            if case .file(.cannotReopen, _) = event { wholeRequest } else { nil as URLRequest? }
        let end = end(in: event)
        let step = run.take(event, &exchange, within: terms, resending: whole)
        if let end, !step.givesUpResponse(isRetriable: attempt.interception != nil) {
            ends.append(end)
        }
        if !wasStreaming, isStreaming, case .stream(let channel) = flow, let head = exchange.head {
            told.streamHead = (channel, head)
        }
        if let body = run.arrived { note(body, from: transfer, of: delegate, &told) }
        if case .judge = step, !isDownload {
            told.received = receiving.end(controlling: delegate) ?? told.received
        }
        if let ended = run.ended {
            endAttempt(ended, of: delegate)
            if let delay = isRetry { noteRetry(after: delay, before: step) }
        }
        switch step {
        // What was asked before no longer matters.
        case .settle, .askRetriers: told.question = question.take()
        default: break
        }
        if case .finish(let outcome) = step { error = error(of: outcome, in: delegate.session) }
        return step
    }

    /// Returns the end of the exchange in progress that an event brings for the first time.
    private func end(in event: TaskRun.Event) -> Exchange.End? {
        switch event {
        case .report(let report, exchange.number) where !exchange.hasEnded: report.end
        case .found(_, let rest) where !rest.isAcknowledged: rest.report.end
        default: nil
        }
    }

    /// The request for the whole body of a download whose partial file cannot be continued; nil if
    /// adapters have signed it with the range.
    private var wholeRequest: URLRequest? {
        isDownload && attempt.interception == nil ? attempt.request : nil
    }

    var isDownload: Bool { if case .file = flow { true } else { false } }

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

extension TaskRun.Step {
    /// Whether the head is judged before the end counts, or the task ends without awaiting it.
    ///
    /// Otherwise, the metrics of such a task would depend on how a transport divides a response
    /// into reports.
    fileprivate func givesUpResponse(isRetriable: Bool) -> Bool {
        switch self {
        case .find: true
        case .askRetriers(.failure): !isRetriable
        default: false
        }
    }
}

// What an event changes, apart from the life of the task.
extension TaskState {
    /// Records what an event brings, and returns the next step if the task's life does not change.
    private mutating func note(
        _ event: TaskRun.Event, of delegate: TaskDelegate, _ told: inout Told
    ) -> TaskRun.Step? {
        switch event {
        case .prepared(let prepared):
            guard case .preparing = run.stage else { return nil }
            note(prepared, &told)
        case .answered(let outcome): adopt(outcome)
        case .made(_, let made):
            guard case .sending = run.stage, !run.isStopping else { return nil }
            note(made)
        case .report(let report, let number):
            guard number == exchange.number, !exchange.hasEnded else { return nil }
            note(report, of: delegate, &told)
        case .found(let finding, _): note(finding, of: delegate, &told)
        case .file(let event, let number):
            guard number == exchange.number else { return nil }
            note(event, of: delegate, &told)
        case .completed(_, exchange.number): told.received = receiving.end(controlling: delegate)
        case .kept(let result?):
            guard case .waiting(.file) = run.stage, let file = exchange.reception.file,
                !noteKept(result, of: delegate)
            else { return nil }
            rare.download?.noteRemoval(of: file)
            return .keep(file, isUsable: false)
        case .kept(nil):
            if let file = exchange.reception.file { rare.download?.noteRemoval(of: file) }
        case .startOver: forgetRecord(&told)
        case .commit(to: nil):
            guard !run.isCancelled, case .whole(_, let url)? = exchange.reception.destination
            else { return nil }
            rare.download?.fileURL = url
        case .cancel(let cause):
            if let cause, !run.isCancelled { rare.cancellation = cause }
        default: break
        }
        return nil
    }

    private mutating func note(_ prepared: Preparation.Result, _ told: inout Told) {
        if prepared.beginsAttempt { told.former = beginAttempt(prepared.request, made: prepared.madeRequest) }
        attempt.request = prepared.request
        attempt.isPrepared = true
        if let fault = prepared.bodyFault {
            attempt.rare.bodyFault = fault
            attempt.body = prepared.body
            attempt.isBodySingle = attempt.isBodyUsedUp
        }
        run.effects.tell(.preparedRequest(prepared.request), attempt: run.attempt)
        told.requestHandlers = takeRequestHandlers(for: prepared.request)
    }

    /// Returns the closures to call with a request, or without one if none can be created, and
    /// removes those that wait for the first one.
    mutating func takeRequestHandlers(for request: URLRequest?) -> [@Sendable () -> Void] {
        guard !isRareInitial else { return [] }
        defer { rare.awaitingRequest = [] }
        guard let request, let handler = rare.requestHandler else { return rare.awaitingRequest }
        return [{ handler(request) }] + rare.awaitingRequest
    }

    private mutating func note(_ made: Sending.Result) {
        beginExchange(made.sent, of: made.request)
        sending.begin(total: made.bodyLength)
        guard made.authentication != nil else { return }
        attempt.rare.authentication = made.authentication
        attempt.rare.authenticationFields = made.credential
        attempt.rare.answeringFields = nil
    }

    private mutating func adopt(_ outcome: TaskOutcome) {
        attempt.request = outcome.request ?? attempt.request
        guard let head = outcome.head else { return }
        var received = Reception.Received(head)
        received.trailers = outcome.trailers
        if let data = outcome.data { received.body.append([Exchange.Chunk(data)]) }
        exchange.reception = .ended(received, nil)
    }

    private mutating func note(
        _ report: Exchange.Report, of delegate: TaskDelegate, _ told: inout Told
    ) {
        if let count = report.sentBodyBytes.map({ max(0, $0) }) {
            let before = sending.completed
            told.sent = sending.advance(to: count, controlling: delegate)
            told.note(
                .sentBodyData(
                    count: max(0, count - before), total: count, expectedTotal: sending.total),
                &run)
        }
        guard let end = report.end else { return }
        // Read only if it is needed, because metrics are large.
        let count = sending.isShort ? end.metrics.requestBodyBytes : 0
        told.sent = sending.end(at: count, controlling: delegate) ?? told.sent
        if !isRareInitial { told.timer = rare.endTimer.take() }
    }

    private mutating func note(
        _ body: Arrival.Body, from transfer: (any Transfer)?, of delegate: TaskDelegate,
        _ told: inout Told
    ) {
        let source = body.isAcknowledged ? nil : transfer
        var isCounted = true
        switch body.use {
        case .dropped, .kept(false):
            isCounted = false
            told.consumed = source.map { ($0, body.size) }
        case .kept: told.consumed = source.map { ($0, body.size) }
        case .stream(let channel):
            told.delivery = Delivery(
                chunks: body.chunks, size: body.size, from: source, to: .stream(channel))
        case .file(let file):
            told.delivery = Delivery(
                chunks: body.chunks, size: body.size, from: source, to: .file(file))
            // The progress of a download counts the bytes that were written.
            return
        }
        guard isCounted, !isDownload else { return }
        told.received = receiving.advance(
            to: receiving.completed + Int64(body.size), controlling: delegate)
        if delegate.isHeard(.receivedData) { told.data = body.chunks }
    }

    private mutating func note(
        _ finding: HeadFinding, of delegate: TaskDelegate, _ told: inout Told
    ) {
        guard case .judging(let received) = exchange.reception else { return }
        let head = received.head
        switch finding {
        case .accept(_, .file(let file, let expected, _)):
            rare.download?.place = file.place
            if let offset = file.reopenedOffset {
                receiving.begin(total: expected, completed: offset)
                return
            }
            receiving.begin(total: head.progressTotal)
        case .accept: receiving.begin(total: head.progressTotal)
        case .refuse: if !isDownload { receiving.begin(total: head.progressTotal) }
        case .becomeDownload(_, let destination, let new):
            taskIdentifier = new.taskIdentifier
            flow = .file(new.download)
            rare.download = new.state
            if case .file(let file, _, _) = destination { rare.download?.place = file.place }
            receiving.begin(total: head.progressTotal)
            told.becomesDownload = true
            return
        case .cancel(let cause):
            if !run.isCancelled { rare.cancellation = cause }
            return
        case .sendAgain, .startOver:
            forgetRecord(&told)
            return
        case .turn, .ask, .fail: return
        }
        // A whole body takes the place of the partial file.
        if (200...299).contains(head.statusCode) { forgetRecord(&told) }
    }

    /// Forgets the partial file, which no later attempt can continue.
    mutating func forgetRecord(_ told: inout Told) {
        guard isDownload, let record = rare.download?.forgetRecord() else { return }
        told.unusable = record.partial
    }

    private mutating func note(
        _ event: FileEvent, of delegate: TaskDelegate, _ told: inout Told
    ) {
        switch event {
        case .reopened(let offset):
            told.note(.resumedDownload(offset: offset, expectedTotal: receiving.total), &run)
        case .wrote(let count):
            let total = receiving.completed + Int64(count)
            told.received = receiving.advance(to: total, controlling: delegate)
            told.note(
                .wroteData(count: Int64(count), total: total, expectedTotal: receiving.total),
                &run)
        case .failed(let failure):
            // Without a destination, the failure is that of the temporary directory, not of a move.
            guard run.stage.isUnderWay, rare.download?.place?.url != nil else { return }
            told.note(.failedToMoveFile(failure), &run)
        case .cannotReopen:
            // The next request asks for the whole body.
            if let record = rare.download?.record, var request = attempt.request {
                record.withdraw(from: &request, as: delegate.setup.source.known ?? rare.firstRequest)
                attempt.request = request
            }
            forgetRecord(&told)
        }
    }

    /// Ends the attempt's interception, and reports its end.
    private mutating func endAttempt(
        _ outcome: TaskRun.Outcome, of delegate: TaskDelegate
    ) {
        let interception = attempt.interception
        let isHeard = delegate.isHeard(.endedAttempt)
        guard interception != nil || isHeard else { return }
        let error = error(of: outcome, in: delegate.session)
        if let interception {
            // Released with the attempt, because the interception retains the manager.
            attempt.rare.interception = nil
            run.effects.append(
                .endAttempt(
                    EndedAttempt(
                        request: interception.request, number: run.attempt,
                        urlRequest: attempt.request, head: exchange.head, error: error,
                        interception: interception)))
        }
        if isHeard { run.effects.tell(.endedAttempt(error), attempt: run.attempt) }
    }

    private mutating func noteRetry(after delay: Duration, before step: TaskRun.Step) {
        // A task that is being stopped is not retried.
        if case .settle = step { return }
        attempt.rare.isRetried = true
        guard let error = attempt.rare.error else { return }
        run.effects.tell(.willRetry(after: delay / .seconds(1), error), attempt: run.attempt)
    }

    /// Returns the error of a body for which the system has no contiguous memory.
    mutating func lackOfMemory() -> BluebonnetError? {
        exchange.reception.makeRoom()
            ? nil : .transport(.noMemory(forBodyOf: exchange.body.count), .init())
    }
}
