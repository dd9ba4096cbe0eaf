import Bluebonnet
import Foundation

extension Flight {
    /// Takes a report, unless it is of an exchange that another one has replaced.
    func receive(_ report: Exchange.Report, of attempt: Int) {
        var report = report
        if let head = report.head, state.withLock({ $0.attempt == attempt }) {
            decide(head, &report)
        }
        let now = state.withLock { state in
            state.attempt == attempt ? (state.phase, state.transfer, state.writer) : nil
        }
        guard let (phase, transfer, writer) = now else { return }
        switch phase {
        case .waiting:
            if let failure = report.end?.failure { fail(failure, report.end) }
        case .sharing(_, let body):
            for piece in report.body { add(piece, to: body, writer) }
            if let end = report.end { finish(body, end) }
        case .passing(let caller):
            guard let transfer else { return }
            let count = report.body.reduce(0) { $0 + $1.count }
            let isEnd = report.end != nil
            caller.pass(report, of: transfer)
            // A caller without a window never says that it has consumed anything.
            if caller.exchange.receiveWindow == nil { transfer.didConsume(count) }
            if isEnd { state.withLock { $0.phase = .over } }
        case .over:
            transfer?.didConsume(report.body.reduce(0) { $0 + $1.count })
        }
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

    private func finish(_ body: SharedBody, _ end: Exchange.End) {
        let (writer, isInvalidated) = state.withLock { state in
            state.phase = .over
            return (state.writer.take(), state.isInvalidated)
        }
        if let failure = end.failure {
            writer?.discard()
            body.finish(.failure(failure))
        } else {
            if isInvalidated { writer?.discard() } else { writer.map(commit) }
            body.finish(.success(end.metrics))
        }
        core.remove(self, isUnshared: false)
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
    }

    // MARK: The head

    private func decide(_ head: Exchange.Head, _ report: inout Exchange.Report) {
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
            pass(head, &report)
        }
    }

    private func share(_ response: StoredResponse, _ head: Exchange.Head) {
        let body = SharedBody(maximumKept: core.policy.maximumBodySize) { [weak self] count in
            self?.state.withLock { $0.transfer }?.didConsume(count)
        }
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
        let served = callers.filter { $0 === leader || response.mayAnswer($0) }
        serve(served, with: response, body, head)
        dismiss(callers.filter { caller in !served.contains { $0 === caller } })
        leaveIfUnwanted()
    }

    /// Passes the response on to the caller whose request it answers.
    private func pass(_ head: Exchange.Head, _ report: inout Exchange.Report) {
        let (isWanted, others) = state.withLock { state -> (Bool, [CachingTransfer]) in
            if case .over = state.phase { return (false, []) }
            let isWanted = state.callers.contains { $0 === leader }
            let others = state.callers.filter { $0 !== leader }
            state.callers = isWanted ? [leader] : []
            state.phase = isWanted ? .passing(leader) : .over
            return (isWanted, others)
        }
        core.remove(self, isUnshared: isShared && !isRefresh)
        core.sendAlone(others, at: place)
        if isWanted {
            report.head = head.adding(status(for: leader))
        } else {
            state.withLock { $0.transfer }?.cancel()
        }
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
