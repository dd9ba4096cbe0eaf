import Bluebonnet
import Foundation

/// An exchange with the server for one caller or several, whose response is shared, stored, or passed
/// on to the caller that began it.
final class Flight: ExchangeSink {
    private enum Phase {
        /// The head has not come.
        case waiting
        /// All callers read the body from here while it arrives.
        case sharing(StoredResponse, SharedBody)
        /// The response is for one caller alone.
        case passing(CachingTransfer)
        /// Nothing more of the response is wanted.
        case over
    }

    private struct State {
        var phase = Phase.waiting
        var callers: [CachingTransfer]
        var transfer: (any Transfer)?
        var writer: (any CacheWriter)?
        /// The response that the request asks about; nil if it has no conditions of the cache.
        var validated: StoredResponse?
        var requestDate = Date.distantPast
        /// Whether an unsafe request has changed the resource meanwhile.
        var isInvalidated = false
    }

    let place: CacheCore.FlightKey
    let clock: any SessionClock
    /// Whether other callers can join.
    let isShared: Bool
    private let isRefresh: Bool
    private let core: CacheCore
    private let leader: CachingTransfer
    private let reason: Reuse.Forwarding
    private let stored: [StoredResponse]
    private let state: Locked<State>

    /// Creates a flight that has not begun.
    ///
    /// - Parameters:
    ///   - leader: The caller whose request is sent; it waits for the flight unless that is a refresh.
    ///   - validated: The stored response to ask about, if any.
    ///   - stored: All responses that are stored for the key.
    ///   - reason: Why the request is sent.
    ///   - isShared: Whether other callers can join.
    ///   - isRefresh: Whether nobody waits for it.
    init(
        _ leader: CachingTransfer, validating validated: StoredResponse?,
        among stored: [StoredResponse], because reason: Reuse.Forwarding, in core: CacheCore,
        at place: CacheCore.FlightKey, isShared: Bool, isRefresh: Bool = false
    ) {
        (self.leader, self.core, self.place, self.reason) = (leader, core, place, reason)
        (self.stored, self.isShared, self.isRefresh) = (stored, isShared, isRefresh)
        clock = leader.exchange.clock
        state = Locked(State(callers: isRefresh ? [] : [leader], validated: validated))
    }

    /// Sends the request.
    func begin() {
        // Others may have joined before a leader leaves.
        if !isRefresh, !leader.wait(for: self) { leave(leader) }
        fly()
    }

    private func fly() {
        let validated = state.withLock { state in
            state.requestDate = clock.date
            return state.validated
        }
        let transfer = core.below.countingWork(on: clock)
            .transfer(for: request(validating: validated), reportingTo: self)
        let isWanted = state.withLock { state in
            if case .over = state.phase { return false }
            state.transfer = transfer
            return true
        }
        guard isWanted else { return }
        if let priority = leader.priority { transfer.setPriority(priority) }
        transfer.begin()
    }

    private func request(validating validated: StoredResponse?) -> Exchange {
        var exchange = leader.exchange
        // Stored as it comes, so that its length, its ranges and its validators stay true.
        exchange.decodesContent = false
        if isShared {
            exchange.keepsBody = false
            exchange.receiveWindow = SharedBody.window
        }
        if let validated {
            exchange.fields.removeAll { Conditions.names.contains($0.name.lowercased()) }
            exchange.fields += validated.conditions
        }
        // A part would not be stored.
        if isRefresh {
            exchange.fields.removeAll {
                $0.name.equalsIgnoringCase("Range") || $0.name.equalsIgnoringCase("If-Range")
            }
        }
        let isForced = exchange.cachePolicy == .reloadIgnoringLocalAndRemoteCacheData
        if isForced, exchange.fields.firstValue(of: "Cache-Control") == nil {
            exchange.fields.append(Exchange.Field(name: "Cache-Control", value: "no-cache"))
        }
        return exchange
    }

    // MARK: Callers

    /// What a caller gets that joins a flight.
    enum Seat {
        /// It is answered once the head has come, or has left meanwhile.
        case waiting
        /// The body, which is already arriving.
        case reading(StoredResponse, SharedBody, SharedBody.Reader)
    }

    /// Adds a caller; returns nil if the flight cannot help it.
    func join(_ caller: CachingTransfer, at now: CacheTime) -> Seat? {
        state.withLock { state in
            guard isShared else { return nil }
            switch state.phase {
            case .waiting:
                if caller.wait(for: self) { state.callers.append(caller) }
                return .waiting
            case .sharing(let response, let body):
                // The response is older than the request, as one from the store would be.
                let lifetime = response.remainingLifetime(at: now, in: core.policy)
                guard response.mayAnswer(caller), lifetime > 0, let reader = body.reader() else {
                    return nil
                }
                guard caller.wait(for: self) else { return .waiting }
                state.callers.append(caller)
                return .reading(response, body, reader)
            case .passing, .over: return nil
            }
        }
    }

    /// Answers a caller that has joined while the body is arriving.
    func serve(_ caller: CachingTransfer, in seat: Seat) {
        guard case .reading(let response, let body, let reader) = seat else { return }
        var status = self.status(for: caller)
        status.isStored = state.withLock { $0.writer != nil }
        caller.answer(with: response, .arriving(body, reader),
            age: response.age(at: CacheTime(clock)), status: status)
    }

    /// Answers callers; the leader gets the whole head, also what is not stored of it.
    private func serve(
        _ callers: [CachingTransfer], with response: StoredResponse, _ body: SharedBody,
        _ head: Exchange.Head? = nil, age: TimeInterval? = nil
    ) {
        var unserved: [CachingTransfer] = []
        let isStored = state.withLock { $0.writer != nil }
        for caller in callers {
            guard let reader = body.reader() else {
                unserved.append(caller)
                continue
            }
            var status = self.status(for: caller)
            status.isStored = isStored
            caller.answer(
                with: response, fields: caller === leader ? head?.fields : nil,
                .arriving(body, reader), age: age, status: status)
        }
        dismiss(unserved)
    }

    /// Has callers send requests of their own.
    private func dismiss(_ callers: [CachingTransfer]) {
        guard !callers.isEmpty else { return }
        state.withLock { state in
            state.callers.removeAll { caller in callers.contains { $0 === caller } }
        }
        core.sendAlone(callers, at: place)
    }

    private func status(for caller: CachingTransfer) -> CacheStatus {
        var status = CacheStatus(cache: CacheCore.name)
        status.forwarding = CacheStatus.Forwarding(rawValue: reason.rawValue)
        status.isCollapsed = caller !== leader
        return status
    }

    func setPriority(_ priority: Float) {
        state.withLock { $0.transfer }?.setPriority(priority)
    }

    /// Removes a caller that has left; the last one cancels the exchange.
    func leave(_ caller: CachingTransfer) {
        let transfer = state.withLock { state -> (any Transfer)?? in
            state.callers.removeAll { $0 === caller }
            guard state.callers.isEmpty, !isRefresh else { return nil }
            if case .over = state.phase { return nil }
            if case .sharing(_, let body) = state.phase { body.finish(.failure(.cancelled)) }
            state.phase = .over
            return .some(state.transfer)
        }
        guard let transfer else { return }
        transfer?.cancel()
        discard()
        core.remove(self, isUnshared: false)
    }

    /// Makes sure that nothing of the response is stored.
    func invalidate() {
        state.withLock { $0.isInvalidated = true }
    }

    private func discard() { state.withLock { $0.writer.take() }?.discard() }

    // MARK: Reports

    func receive(_ report: consuming Exchange.Report) {
        var report = report
        if let head = report.head { decide(head, &report) }
        let (phase, transfer, writer) = state.withLock { ($0.phase, $0.transfer, $0.writer) }
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

    func gather(_ deliver: () -> Void) { leader.sink.gather(deliver) }

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

    // MARK: Validation

    private func freshen(
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
        var (own, shared): (StoredResponse, StoredResponse?) = (validated, nil)
        let isInvalidated = state.withLock { $0.isInvalidated }
        for response in meant {
            let fresh = response.freshened(by: head, sentAt: requestDate, receivedAt: now)
            let stored = fresh.storable(
                after: leader.request, with: leader.exchange.fields, in: core.policy)
            if let stored, !isInvalidated { core.store.update(stored) }
            if response.id == validated.id { (own, shared) = (fresh, stored) }
        }
        core.remove(self, isUnshared: false)
        let callers = takeCallers()
        var unserved: [CachingTransfer] = []
        for caller in callers {
            var status = self.status(for: caller)
            status.forwardStatus = 304
            // What must not be stored is for the leader alone.
            let response =
                caller === leader ? own : shared.flatMap { $0.mayAnswer(caller) ? $0 : nil }
            let isServed = response.map { core.use($0, for: caller, at: now, status: status) }
            if isServed != true { unserved.append(caller) }
        }
        core.sendAlone(unserved, at: place)
    }

    /// Takes the callers, and ends the flight.
    private func takeCallers() -> [CachingTransfer] {
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
        // Its further reports would be mistaken for those of the next exchange.
        former?.cancel()
        fly()
    }

    /// Answers those callers from the store who may get a stale response rather than an error.
    private func useStale(_ response: StoredResponse, insteadOf code: Int?, at now: CacheTime) {
        let callers = state.withLock { $0.callers }
        var served: [CachingTransfer] = []
        for caller in callers
        where caller === leader || response.mayAnswer(caller) {
            guard response.mayReplaceError(for: caller.request, at: now, in: core.policy) else {
                continue
            }
            var status = self.status(for: caller)
            status.forwardStatus = code
            if core.use(response, for: caller, at: now, status: status) { served.append(caller) }
        }
        state.withLock { state in
            state.callers.removeAll { caller in served.contains { $0 === caller } }
        }
    }

    /// Notes what the response to HEAD says of the stored ones (RFC 9111 section 4.3.5).
    private func update(
        with head: Exchange.Head, sentAt requestDate: Date, receivedAt now: CacheTime
    ) {
        guard head.statusCode == 200 else { return }
        let update = ResponseRules(head.fields, statusCode: 200, receivedAt: now.date)
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
                    .map(core.store.update)
            } else {
                core.store.remove(response)
            }
        }
    }

    // MARK: Failures

    private func fail(_ failure: Exchange.Failure, _ end: Exchange.End?) {
        let validated = state.withLock { $0.validated }
        if let validated { useStale(validated, insteadOf: nil, at: CacheTime(clock)) }
        let callers = takeCallers()
        core.remove(self, isUnshared: false)
        // Another caller has more time, or a larger limit.
        let isOwn = failure.timeout != nil || failure.limit != nil
        for caller in callers where caller === leader || !isOwn {
            caller.fail(
                failure, wasSent: end?.wasSent, metrics: end?.metrics ?? Exchange.Metrics())
        }
        if isOwn { core.sendAlone(callers.filter { $0 !== leader }, at: place) }
    }
}

extension StoredResponse {
    /// Whether the response may answer a caller that has not asked for it itself.
    fileprivate func mayAnswer(_ caller: CachingTransfer) -> Bool {
        rules.control.noCache != .all && isSelected(by: caller.exchange.fields)
    }
}
