import Bluebonnet
import Foundation

extension Flight {
    /// Takes a report, unless it is of an exchange that another one has replaced.
    func receive(_ report: Exchange.Report, of attempt: Int) {
        if let head = report.head, state.withLock({ $0.attempt == attempt }) { decide(head) }
        let now = state.withLock { state in
            state.attempt == attempt ? (state.phase, state.transfer) : nil
        }
        guard let (phase, transfer) = now else { return }
        if let body = phase.body {
            for piece in report.body { add(piece, to: body) }
            if let end = report.end { finish(body, end, report.trailers) }
        } else if case .waiting = phase {
            if let failure = report.end?.failure { fail(failure, report.end) }
        } else {
            transfer?.didConsume(report.body.reduce(0) { $0 + $1.count })
        }
        // It retains its sink, and that the flight.
        if report.end != nil { state.withLock { $0.transfer = nil } }
    }

    private func add(_ piece: Exchange.Chunk, to body: SharedBody) {
        body.add(piece.data)
        noteLength(of: body)
    }

    /// Stops storing a body that has become too large.
    private func noteLength(of body: SharedBody) {
        let isTooLarge = body.count > core.policy.maximumBodySize
        guard isTooLarge, state.withLock({ $0.isStoring.replace(with: false) }) else { return }
        body.stopStoring()
        // What is stored has changed, and would be refreshed again and again.
        for response in stored where response.isSelected(by: leader.exchange.fields) {
            core.store.remove(response)
        }
        core.remove(self, isUnshared: true)
        cancelIfUnwanted()
    }

    private func finish(
        _ body: SharedBody, _ end: Exchange.End, _ trailers: [Exchange.Field]?
    ) {
        guard let failure = end.failure else {
            let isPending = state.withLock { state in
                state.hasEnded = true
                return state.isPending
            }
            // Commits what was stored, if the store is not behind.
            body.finish(end, trailers)
            if !isPending { land() }
            return
        }
        let isAsking = state.withLock { if case .asking = $0.phase { true } else { false } }
        // First, so that who tries again has an exchange of its own.
        let callers = land()
        body.finish(end, trailers)
        if isAsking { fail(callers.filter { $0 !== leader }, failure, end) }
    }

    /// Ends the flight, and returns its callers.
    @discardableResult
    private func land() -> [CachingTransfer] {
        core.remove(self, isUnshared: false)
        let (callers, question) = state.withLock { state in
            defer {
                (state.phase, state.transfer, state.callers) = (.over, nil, [])
                (state.isStoring, state.question) = (false, nil)
            }
            return (state.callers, state.question)
        }
        question?.cancel()
        return callers
    }

    private func store(_ response: StoredResponse, _ body: SharedBody) {
        let writer = core.store.store(response)
        body.store(in: writer) { [self] isWhole in
            if isWhole, let writer { commit(writer) }
            didStore(isWhole)
        }
        if writer == nil { didStore(false) }
    }

    private func didStore(_ isStored: Bool) {
        let hasEnded = state.withLock { state in
            (state.isStoring, state.isStored) = (false, isStored)
            return state.hasEnded
        }
        if hasEnded { land() } else { cancelIfUnwanted() }
    }

    /// Makes the response available in the place of those that it replaces.
    private func commit(_ writer: any CacheWriter) {
        guard !state.withLock({ $0.isInvalidated }) else { return writer.discard() }
        var others = stored
        for response in stored where response.isSelected(by: leader.exchange.fields) {
            core.store.remove(response)
            others.removeAll { $0.id == response.id }
        }
        let surplus = others.count - max(0, core.policy.maximumVariantCount - 1)
        if surplus > 0 {
            for response in others.sorted(by: { $0.isOlder(than: $1) }).prefix(surplus) {
                core.store.remove(response)
            }
        }
        writer.commit()
        // A change might have been made meanwhile.
        if state.withLock({ $0.isInvalidated }) { core.store.removeAll(for: place.key.url) }
    }

    // MARK: The head

    private func decide(_ head: Exchange.Head) {
        let now = CacheTime(clock)
        let (validated, requestDate, isInvalidated) = state.withLock { state in
            (state.validated, state.requestDate, state.isInvalidated)
        }
        if let validated {
            if head.statusCode == 304 {
                return freshen(validated, with: head, sentAt: requestDate, receivedAt: now)
            }
            if [500, 502, 503, 504].contains(head.statusCode) {
                useStale(validated, insteadOf: head.statusCode, at: now)
            }
        }
        if leader.request.isHead {
            update(with: head, sentAt: requestDate, receivedAt: now)
        }
        let storing =
            isInvalidated || leader.request.isHead
            ? nil
            : Storing(
                head, to: leader.request, with: leader.exchange.fields, at: now.date,
                in: core.policy)
        let length = head["Content-Length"].flatMap { Int($0) } ?? 0
        if let storing, length <= core.policy.maximumBodySize {
            let response = StoredResponse(
                id: UUID(), key: place.key, statusCode: head.statusCode, fields: storing.fields,
                selectingFields: storing.selectingFields, requestDate: requestDate,
                responseDate: now.date, responseInstant: now.instant)
            share(response, head)
        } else {
            // The server has said that it has another response for everybody.
            let isForAll = !core.policy.isShared || !leader.request.hasCredentials
            if let validated, isForAll, [200, 404, 410].contains(head.statusCode),
                !leader.request.control.noStore, !leader.request.isHead
            {
                core.store.remove(validated)
            }
            pass(head)
        }
    }

    private func makeBody(keeping kept: Int = SharedBody.kept) -> SharedBody {
        SharedBody(keeping: kept, observer: leader.observer) { [weak self] count in
            self?.state.withLock { $0.transfer }?.didConsume(count)
        }
    }

    /// Answers with a response that can be stored.
    private func share(_ response: StoredResponse, _ head: Exchange.Head) {
        let body = makeBody()
        guard isDecided else {
            propose(response) { [self] _ in share(response, body, head) }
            return
        }
        // The leader need not wait for the hook, which decides whether others get the response.
        let callers = state.withLock { state -> [CachingTransfer]? in
            if case .over = state.phase { return nil }
            state.phase = .asking(body)
            return state.callers.filter { $0 === leader }
        }
        guard let callers else { return }
        serve(callers, with: response, body, head)
        cancelIfUnwanted()
        let question = propose(response) { [self] proposed in
            if let proposed, body.count <= core.policy.maximumBodySize {
                share(proposed, body)
            } else {
                refuse(body)
            }
        }
        let isOver = state.withLock { state in
            if case .asking = state.phase { state.question = question }
            if case .over = state.phase { return true }
            return false
        }
        // All callers may have left since it was asked.
        if isOver { question?.cancel() }
    }

    /// Stores a response and answers all callers, or those who wait if the leader has the head already.
    private func share(
        _ response: StoredResponse, _ body: SharedBody, _ head: Exchange.Head? = nil
    ) {
        let callers = state.withLock { state -> [CachingTransfer]? in
            if case .over = state.phase { return nil }
            state.phase = .sharing(response, body)
            (state.isStoring, state.question) = (true, nil)
            return head == nil ? state.callers.filter { $0 !== leader } : state.callers
        }
        guard let callers else { return }
        store(response, body)
        // More might have arrived before.
        noteLength(of: body)
        // The request of the leader has selected the response, whatever it forbids others.
        var (served, others): ([CachingTransfer], [CachingTransfer]) = ([], [])
        for caller in callers {
            if caller === leader || response.mayAnswer(caller) {
                served.append(caller)
            } else {
                others.append(caller)
            }
        }
        serve(served, with: response, body, head)
        dismiss(others)
        cancelIfUnwanted()
    }

    /// Leaves the response, which the leader is reading, to it alone.
    private func refuse(_ body: SharedBody) {
        body.store(in: nil)
        _ = restrict(body, isFailure: false)
    }

    /// Passes the response on to the caller whose request it answers.
    private func pass(_ head: Exchange.Head) {
        let body = makeBody(keeping: 0)
        body.store(in: nil)
        let reader = body.reader()
        guard restrict(body, isFailure: head.statusCode >= 500), let reader else { return }
        leader.answer(head, from: reader, of: body, status: status(for: leader))
    }

    /// Leaves a body to the leader, and has the others send requests of their own.
    ///
    /// - Returns: Whether the leader still wants it.
    private func restrict(_ body: SharedBody, isFailure: Bool) -> Bool {
        typealias Outcome = (Bool, [CachingTransfer], (any Transfer)?)
        let (isWanted, others, transfer) = state.withLock { state -> Outcome in
            if case .over = state.phase { return (false, [], nil) }
            let others = state.callers.filter { $0 !== leader }
            let isWanted = others.count < state.callers.count
            state.callers = isWanted ? [leader] : []
            state.phase = isWanted ? .passing(body) : .over
            return (isWanted, others, isWanted ? nil : state.transfer.take())
        }
        // A server that fails now may soon have a response for all.
        core.remove(self, isUnshared: isShared && !isRefresh && !isFailure)
        transfer?.cancel()
        core.sendAlone(others, at: place)
        return isWanted
    }
}
