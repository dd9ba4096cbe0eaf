import BluebonnetTransport
import FoundationNetworking

// What an event changes, apart from the life of the task.
extension TaskState {
    /// Records what an event brings, and returns the next step if the task's life does not change.
    mutating func note(
        _ event: TaskRun.Event, of delegate: TaskDelegate, _ told: inout [Told]
    ) -> TaskRun.Step? {
        switch event {
        case .prepared(let prepared):
            if case .preparing = run.stage { note(prepared, &told) }
        case .answered(let outcome): adopt(outcome)
        case .file(let event, exchange.number): note(event, of: delegate, &told)
        case .completed(_, exchange.number):
            if attempt.withheldCount == 0 { told.append(receiving.end(controlling: delegate)) }
        case .kept(let result):
            guard let file = exchange.reception.file else { return nil }
            if let result {
                guard case .waiting(.file) = run.stage, !noteKept(result, of: delegate) else {
                    return nil
                }
            }
            rare.download?.noteRemoval(of: file)
            return result == nil ? nil : .keep(file, isUsable: false)
        case .startOver: forgetRecord(&told)
        case .commit(to: nil):
            guard !run.isCancelled, case .whole(_, let url)? = exchange.reception.destination
            else { return nil }
            rare.download?.fileURL = url
        case .cancel(let cause?): if !run.isCancelled { rare.cancellation = cause }
        default: break
        }
        return nil
    }

    mutating func note(_ prepared: Preparation.Result, _ told: inout [Told]) {
        if prepared.beginsAttempt,
            let (attempt, exchange) = beginAttempt(prepared.request, made: prepared.madeRequest)
        {
            told.append(.former(attempt, exchange))
        }
        attempt.request = prepared.request
        attempt.isPrepared = true
        if let fault = prepared.bodyFault {
            attempt.rare.bodyFault = fault
            attempt.body = prepared.body
            attempt.isBodySingle = attempt.isBodyUsedUp
        }
        run.effects.tell(.preparedRequest(prepared.request), attempt: run.attempt)
        let handlers = takeRequestHandlers(for: prepared.request)
        if !handlers.isEmpty { told.append(.request(handlers)) }
    }

    /// Returns the closures to call with a request, or without one if none can be created, and
    /// removes those that wait for the first one.
    mutating func takeRequestHandlers(for request: URLRequest?) -> [@Sendable () -> Void] {
        guard !isRareInitial else { return [] }
        defer { rare.awaitingRequest = [] }
        guard let request, let handler = rare.requestHandler else { return rare.awaitingRequest }
        return [{ handler(request) }] + rare.awaitingRequest
    }

    mutating func note(_ made: consuming OutgoingRequest.Made) {
        beginExchange(made.sent, of: made.request)
        sending.begin(total: made.bodyLength)
        guard made.authentication != nil else { return }
        attempt.rare.authentication = made.authentication
        attempt.rare.authenticationFields = made.credential
        attempt.rare.answeringFields = nil
    }

    mutating func adopt(_ outcome: TaskOutcome) {
        attempt.request = outcome.request ?? attempt.request
        guard let head = outcome.head else { return }
        var received = Reception.Received(head)
        received.trailers = outcome.trailers
        if let data = outcome.data { received.body.append([Exchange.Chunk(data)]) }
        exchange.reception = .arrived(received, .ended(nil))
    }

    mutating func note(
        _ report: Exchange.Report, of delegate: TaskDelegate,
        _ told: inout [Told]
    ) {
        if report.end != nil, !isRareInitial, let timer = rare.exchangeTimer.take() {
            told.append(.timer(timer))
        }
        let count = report.sentBodyBytes.map { max(0, $0) }
        let before = sending.completed
        var progress = count.flatMap { sending.advance(to: $0, controlling: delegate) }
        if let end = report.end {
            // Read only if it is needed, because metrics are large.
            let count = sending.isShort ? end.metrics.requestBodyBytes : 0
            progress = sending.end(at: count, controlling: delegate) ?? progress
        }
        told.append(progress)
        guard let count else { return }
        told.append(
            .sentBodyData(
                count: max(0, count - before), total: count, expectedTotal: sending.total),
            &run)
    }

    mutating func note(
        _ body: Arrival.Body, from transfer: (any Transfer)?, of delegate: TaskDelegate,
        _ told: inout [Told]
    ) {
        let source = body.isAcknowledged ? nil : transfer
        var receiver: Delivery.Receiver?
        switch body.use {
        case .stream(let channel): receiver = .stream(channel)
        case .file(let file): receiver = .file(file)
        case .dropped, .kept: if let source { told.append(.consumed(source, body.size)) }
        }
        // The progress of a download counts the bytes that were written.
        if !isDownload, body.use.isCounted {
            let isDoubtful = isDoubtful
            _ = receive(body.size, isDoubtful: isDoubtful, of: delegate, &told)
            if isDoubtful || (attempt.interception != nil && judgesBody) {
                attempt.rare.withholdsData = true
            } else if delegate.isHeard(.receivedData) {
                told.append(.data(body.chunks))
            }
        }
        // Last, because the reader of a stream can change the data that it receives.
        guard let receiver else { return }
        told.append(
            .delivery(
                Delivery(
                    chunks: body.chunks, size: body.size, transfer: source, receiver: receiver)))
    }

    /// Counts bytes of the response, and returns their number so far.
    ///
    /// The count is withheld from the progress as long as retriers may be asked about the response:
    /// of a doubtful one from the beginning, of one with validators of the body from its end.
    private mutating func receive(
        _ size: Int, isDoubtful: Bool, of delegate: TaskDelegate, _ told: inout [Told]
    ) -> Int64 {
        let total = receiving.completed + attempt.withheldCount + Int64(size)
        if isDoubtful || (total == receiving.total && attempt.interception != nil && judgesBody) {
            attempt.rare.withheldCount = total - receiving.completed
        } else {
            told.append(receiving.advance(to: total, controlling: delegate))
        }
        return total
    }

    /// Whether retriers may be asked about the response because of its head.
    private var isDoubtful: Bool {
        guard attempt.interception != nil, mayRetry, let received = exchange.reception.received
        else { return false }
        return received.judgement.verdict != nil || received.head.statusCode >= 400
    }

    /// Whether validators judge the body in memory or the file; the body of a stream has none.
    var judgesBody: Bool {
        !isRareInitial
            && rare.validators.contains {
                switch $0.judgement {
                case .serializer, .head: false
                case .body: flow.isMemory
                case .file: isDownload
                }
            }
    }

    /// Tells of the body that was withheld, once no retry can follow.
    mutating func revealBody(_ told: inout [Told], of delegate: TaskDelegate) {
        if attempt.withheldCount > 0 {
            let total = receiving.completed + attempt.withheldCount
            attempt.rare.withheldCount = 0
            let report = receiving.advance(to: total, controlling: delegate)
            told.append(report ?? receiving.end(controlling: delegate))
        }
        guard attempt.withholdsData else { return }
        attempt.rare.withholdsData = false
        guard delegate.isHeard(.receivedData),
            let body = exchange.reception.received?.body.copied(), !body.isEmpty
        else { return }
        told.append(.receivedData(body), &run)
    }

    mutating func note(
        _ finding: HeadFinding, about head: ResponseHead, _ told: inout [Told]
    ) {
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
            told.append(.becameDownload)
            return
        case .cancel(let cause):
            if !run.isCancelled { rare.cancellation = cause }
            return
        case .restart:
            forgetRecord(&told)
            return
        case .turn, .ask, .fail: return
        }
        // A whole body takes the place of the partial file.
        if (200...299).contains(head.statusCode) { forgetRecord(&told) }
    }

    /// Forgets the partial file, which no later attempt can continue.
    mutating func forgetRecord(_ told: inout [Told]) {
        guard isDownload, let record = rare.download?.forgetRecord() else { return }
        told.append(.unusable(record.partial))
    }

    mutating func note(
        _ event: FileEvent, of delegate: TaskDelegate, _ told: inout [Told]
    ) {
        switch event {
        case .reopened(let offset):
            told.append(.resumedDownload(offset: offset, expectedTotal: receiving.total), &run)
        case .wrote(let count):
            let total = receive(count, isDoubtful: false, of: delegate, &told)
            told.append(
                .wroteData(count: Int64(count), total: total, expectedTotal: receiving.total),
                &run)
        case .failed(let failure):
            // Without a destination, the failure is that of the temporary directory, not of a move.
            guard run.stage.isUnderWay, rare.download?.place?.url != nil else { return }
            told.append(.failedToMoveFile(failure), &run)
        case .cannotReopen:
            // The next request asks for the whole body.
            if let record = rare.download?.record, var request = attempt.request {
                record.withdraw(
                    from: &request, as: delegate.setup.source.known ?? rare.firstRequest)
                attempt.request = request
            }
            forgetRecord(&told)
        }
    }

    /// Ends the attempt's interception, and reports its end.
    mutating func endAttempt(
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
        if isHeard {
            let former = isRareInitial ? 0 : rare.formerAttempts.last?.endCount ?? 0
            let metrics = TaskMetrics(
                ends.dropFirst(former), redirectCount: attempt.redirectCount)
            let summary = AttemptSummary(
                attempt.request, exchange.head, error, metrics,
                isRareInitial ? nil : rare.span.take(), firstURL: attempt.redirects.first?.url,
                isShared: attempt.isAnsweredByTask)
            run.effects.tell(
                .endedAttempt(summary),
                attempt: run.attempt, isAfterValidation: attempt.hasValidated)
        }
    }

    mutating func noteRetry(after delay: Duration, before step: borrowing TaskRun.Step) {
        switch step {
        // A task that is being stopped is not retried.
        case .settle: return
        default: break
        }
        attempt.rare.isRetried = true
        guard let error = attempt.rare.error else { return }
        run.effects.tell(.willRetry(after: delay / .seconds(1), error), attempt: run.attempt)
    }
}
