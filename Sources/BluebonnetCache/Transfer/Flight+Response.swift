import Bluebonnet
import Foundation

extension Flight {
    /// Takes a report, unless it is of an exchange that another one has replaced.
    func receive(_ report: Exchange.Report, of attempt: Int) {
        if let head = report.head, state.withLock({ $0.attempt == attempt }) { decide(head) }
        let now = state.withLock { state in
            state.attempt == attempt ? (state.phase, state.transfer, state.writer) : nil
        }
        guard let (phase, transfer, writer) = now else { return }
        switch phase {
        case .waiting:
            if let failure = report.end?.failure { fail(failure, report.end) }
        case .sharing(_, let body), .passing(let body):
            for piece in report.body { add(piece, to: body, writer) }
            if let end = report.end { finish(body, end, report.trailers) }
        case .over:
            transfer?.didConsume(report.body.reduce(0) { $0 + $1.count })
        }
        // It retains its sink, and that the flight.
        if report.end != nil { state.withLock { $0.transfer = nil } }
    }

    private func add(_ piece: Exchange.Chunk, to body: SharedBody, _ writer: (any CacheWriter)?) {
        let isKept = body.add(piece.data)
        let count = piece.count
        if let writer, isKept {
            writer.write(piece) { [weak body] in body?.taken(count) }
        } else {
            body.taken(count)
        }
        if !isKept, writer != nil {
            discard()
            core.remove(self, isUnshared: true)
        }
    }

    private func finish(
        _ body: SharedBody, _ end: Exchange.End, _ trailers: [Exchange.Field]?
    ) {
        let (writer, isInvalidated, wasOver) = state.withLock { state in
            defer {
                state.phase = .over
                state.transfer = nil
                state.callers = []
            }
            if case .over = state.phase { return (state.writer.take(), true, true) }
            return (state.writer.take(), state.isInvalidated, false)
        }
        if let writer, end.failure == nil, !isInvalidated {
            commit(writer)
        } else {
            writer?.discard()
        }
        if !wasOver { core.remove(self, isUnshared: false) }
        body.finish(end, trailers)
    }

    /// Makes the response available in the place of those that it replaces.
    private func commit(_ writer: any CacheWriter) {
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

    private func makeBody(keeping maximumKept: Int) -> SharedBody {
        SharedBody(maximumKept: maximumKept) { [weak self] count in
            self?.state.withLock { $0.transfer }?.didConsume(count)
        }
    }

    private func share(_ response: StoredResponse, _ head: Exchange.Head) {
        let body = makeBody(keeping: core.policy.maximumBodySize)
        let writer = core.store.store(response)
        let callers = state.withLock { state -> [CachingTransfer]? in
            if case .over = state.phase { return nil }
            state.phase = .sharing(response, body)
            state.writer = writer
            return state.callers
        }
        guard let callers else {
            writer?.discard()
            return
        }
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
        leaveIfUnwanted()
    }

    /// Passes the response on to the caller whose request it answers.
    private func pass(_ head: Exchange.Head) {
        let body = makeBody(keeping: 0)
        let reader = body.reader()
        let (isWanted, others) = state.withLock { state -> (Bool, [CachingTransfer]) in
            if case .over = state.phase { return (false, []) }
            let isWanted = state.callers.contains { $0 === leader }
            let others = state.callers.filter { $0 !== leader }
            state.callers = isWanted ? [leader] : []
            state.phase = isWanted ? .passing(body) : .over
            return (isWanted, others)
        }
        // A server that fails now may soon have a response for all.
        let isUnshared = isShared && !isRefresh && head.statusCode < 500
        core.remove(self, isUnshared: isUnshared)
        if isWanted, let reader {
            leader.answer(head.adding(status(for: leader)), from: reader, of: body)
        } else {
            state.withLock { $0.transfer.take() }?.cancel()
        }
        core.sendAlone(others, at: place)
    }

    private func leaveIfUnwanted() {
        let transfer = state.withLock { state -> (any Transfer)? in
            guard state.callers.isEmpty, !isRefresh else { return nil }
            if case .over = state.phase { return nil }
            state.phase = .over
            return state.transfer
        }
        guard let transfer else { return }
        transfer.cancel()
        discard()
        core.remove(self, isUnshared: false)
    }
}
