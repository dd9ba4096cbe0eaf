import Bluebonnet
import Foundation

extension Flight {
    func freshen(
        _ validated: StoredResponse, with head: Exchange.Head, sentAt requestDate: Date,
        receivedAt now: CacheTime
    ) {
        let update = ResponseRules(head.fields, statusCode: 304, receivedAt: now.date)
        let selected = stored.filter { $0.isSelected(by: leader.exchange.fields) }
        var meant = selected.filter { $0.isMeant(by: update, isOnly: selected.count == 1) }
        if update.entityTag?.isWeak == true || update.entityTag == nil {
            // A weak validator speaks of the most recent response alone.
            meant = meant.max { $0.isOlder(than: $1) }.map { [$0] } ?? []
        }
        guard meant.contains(where: { $0.id == validated.id }) else { return sendAgain() }
        // What is said to one user holds for the others only if it says so itself.
        let isForAll =
            !core.policy.isShared || update.control.permitsSharing(after: leader.request)
        var (own, shared): (StoredResponse, StoredResponse?) = (validated, nil)
        let isInvalidated = state.withLock { $0.isInvalidated }
        var stored: [StoredResponse] = []
        for response in meant {
            let fresh = response.freshened(by: head, sentAt: requestDate, receivedAt: now)
            let storable =
                isForAll
                ? fresh.storable(
                    after: leader.request, with: leader.exchange.fields, in: core.policy) : nil
            if let storable, !isInvalidated { stored.append(storable) }
            if response.id == validated.id { (own, shared) = (fresh, storable) }
        }
        // A hook might refuse what is about to be used.
        if !isDecided { stored.forEach(restore) }
        core.remove(self, isUnshared: false)
        let callers = takeCallers()
        var unserved: [CachingTransfer] = []
        for caller in callers {
            var status = self.status(for: caller)
            status.forwardStatus = 304
            // What must not be stored is for the leader alone.
            let response =
                caller === leader ? own : shared.flatMap { $0.mayAnswer(caller) ? $0 : nil }
            if let response {
                use(response, for: caller, at: now, status)
            } else {
                unserved.append(caller)
            }
        }
        if isDecided { stored.forEach(restore) }
        core.sendAlone(unserved, at: place)
    }

    /// Takes the callers, and ends the flight.
    func takeCallers() -> [CachingTransfer] {
        state.withLock { state in
            state.phase = .over
            defer { state.callers = [] }
            return state.callers
        }
    }

    /// Sends the request without conditions, because the 304 speaks of a response that is not here.
    private func sendAgain() {
        let former = state.withLock { state in
            state.validated = nil
            return state.transfer.take()
        }
        fly()
        former?.cancel()
    }

    /// Answers those callers from the store who may get a stale response rather than an error.
    func useStale(_ response: StoredResponse, insteadOf code: Int?, at now: CacheTime) {
        let served = state.withLock { state in
            let count = state.callers.partition { [self] caller in
                (caller === leader || response.mayAnswer(caller))
                    && response.mayReplaceError(for: caller.request, at: now, in: core.policy)
            }
            defer { state.callers.removeSubrange(count...) }
            return state.callers[count...]
        }
        for caller in served {
            var status = self.status(for: caller)
            status.forwardStatus = code
            use(response, for: caller, at: now, status)
        }
    }

    /// Answers a caller from the store, or has it send a request of its own if the body has gone.
    private func use(
        _ response: StoredResponse, for caller: CachingTransfer, at now: CacheTime,
        _ status: CacheStatus
    ) {
        core.use(response, for: caller, at: now, status: status) { [core, place] isUsed in
            if !isUsed { core.sendAlone([caller], at: place) }
        }
    }

    /// Updates what is stored of a response, as the hook of the task wants it.
    private func restore(_ response: StoredResponse) {
        propose(response) { [core] proposed in
            if let proposed { core.store.update(proposed) } else { core.store.remove(response) }
        }
    }

    /// Notes what the response to HEAD says of the stored ones (RFC 9111 section 4.3.5).
    func update(
        with head: Exchange.Head, sentAt requestDate: Date, receivedAt now: CacheTime
    ) {
        guard head.statusCode == 200 else { return }
        let update = ResponseRules(head.fields, statusCode: 200, receivedAt: now.date)
        guard !core.policy.isShared || update.control.permitsSharing(after: leader.request) else {
            return
        }
        let length = head["Content-Length"]
        for response in stored where response.isSelected(by: leader.exchange.fields) {
            let isSame =
                response.isMeant(by: update, isOnly: true)
                && (update.lastModified == nil
                    || update.lastModified == response.rules.lastModified)
                && (length == nil || length == response.fields.firstValue(of: "Content-Length"))
            if isSame {
                response.freshened(by: head, sentAt: requestDate, receivedAt: now)
                    .storable(after: leader.request, with: leader.exchange.fields, in: core.policy)
                    .map(restore)
            } else {
                core.store.remove(response)
            }
        }
    }

    // MARK: Failures

    func fail(_ failure: Exchange.Failure, _ end: Exchange.End?) {
        let validated = state.withLock { $0.validated }
        // A server that is not who it should be is not an error of the server.
        if let validated, failure.certificateFault == nil, failure.denial == nil {
            useStale(validated, insteadOf: nil, at: CacheTime(clock))
        }
        let callers = takeCallers()
        core.remove(self, isUnshared: false)
        fail(callers, failure, end)
    }

    /// Gives callers a failure, unless it is one of the leader alone.
    func fail(_ callers: [CachingTransfer], _ failure: Exchange.Failure, _ end: Exchange.End?) {
        // Another caller has more time, or a larger limit.
        let isOwn = failure.timeout != nil || failure.limit != nil
        for caller in callers where caller === leader || !isOwn {
            caller.fail(
                failure, wasSent: end?.wasSent, metrics: end?.metrics ?? Exchange.Metrics())
        }
        if isOwn { core.sendAlone(callers.filter { $0 !== leader }, at: place) }
    }
}
