import Bluebonnet
import Foundation

/// An exchange with the server for one caller or several, whose response is shared, stored, or passed
/// on to the caller that began it.
final class Flight: Sendable {
    enum Phase {
        /// The head has not come.
        case waiting
        /// A hook decides what is stored, and whether others than the leader can have it.
        case asking(SharedBody)
        /// All callers read the body from here while it arrives.
        case sharing(StoredResponse, SharedBody)
        /// The response is for the leader alone.
        case passing(SharedBody)
        /// Nothing more of the response is wanted.
        case over

        var body: SharedBody? {
            switch self {
            case .asking(let body), .sharing(_, let body), .passing(let body): body
            case .waiting, .over: nil
            }
        }
    }

    struct State {
        var phase = Phase.waiting
        var callers: [CachingTransfer]
        var transfer: (any Transfer)?
        /// The number of the exchange whose reports count.
        var attempt = 0
        /// Whether the response is being stored, or has been except for its commit.
        var isStoring = false
        /// Whether the response is stored.
        var isStored = false
        /// The Swift task in which a hook decides.
        var question: Task<Void, Never>?
        /// Whether the whole body has arrived.
        var hasEnded = false
        /// The response that the request asks about; nil if it has no conditions of the cache.
        var validated: StoredResponse?
        var requestDate = Date.distantPast
        /// Whether an unsafe request has changed the resource meanwhile.
        var isInvalidated = false

        /// Whether the store still needs the body.
        var isPending: Bool {
            if case .asking = phase { return true }
            return isStoring
        }

        /// Whether the flight goes on without callers.
        func isNeeded(isRefresh: Bool) -> Bool {
            guard isRefresh else { return hasEnded && isPending }
            if case .waiting = phase { return true }
            return isPending
        }
    }

    let place: CacheCore.FlightKey
    let clock: any SessionClock
    /// Whether other callers can join.
    let isShared: Bool
    let isRefresh: Bool
    let core: CacheCore
    let leader: CachingTransfer
    private let reason: CacheStatus.Forwarding
    let stored: [StoredResponse]
    let state: Locked<State>

    /// Creates a flight that has not begun.
    ///
    /// - Parameters:
    ///   - leader: The caller whose request is sent; it waits for the flight unless that is a refresh.
    ///   - validated: The stored response to ask about, if any.
    ///   - stored: All responses that are stored for the key.
    ///   - reason: Why the request is sent.
    ///   - core: The cache.
    ///   - place: The URL, partition and connections.
    ///   - isShared: Whether other callers can join.
    ///   - isRefresh: Whether it has no callers, because they got a stale response.
    init(
        _ leader: CachingTransfer, validating validated: StoredResponse?,
        among stored: [StoredResponse], because reason: CacheStatus.Forwarding, in core: CacheCore,
        at place: CacheCore.FlightKey, isShared: Bool, isRefresh: Bool = false
    ) {
        (self.leader, self.core, self.place, self.reason) = (leader, core, place, reason)
        (self.stored, self.isShared, self.isRefresh) = (stored, isShared, isRefresh)
        clock = leader.clock
        state = Locked(State(callers: isRefresh ? [] : [leader], validated: validated))
    }

    /// Sends the request.
    func begin() {
        // Others may have joined before a leader leaves.
        if !isRefresh, !leader.wait(for: self) { leave(leader) }
        fly()
    }

    func fly() {
        let date = clock.date
        let (validated, attempt) = state.withLock { state in
            state.requestDate = date
            state.attempt += 1
            return (state.validated, state.attempt)
        }
        let transfer = core.below.countingWork(on: clock).transfer(
            for: request(validating: validated), reportingTo: FlightSink(self, attempt))
        let isWanted = state.withLock { state in
            if case .over = state.phase { return false }
            state.transfer = transfer
            return true
        }
        guard isWanted else { return }
        if let priority = leader.priority { transfer.setPriority(priority) }
        if leader.isSuspended { suspend() }
        transfer.begin()
    }

    private func request(validating validated: StoredResponse?) -> Exchange {
        var exchange = leader.exchange
        // Stored as it comes, so that its length, its ranges and its validators stay true.
        exchange.decodesContent = false
        // Each caller's own limits are checked where its body is decoded.
        exchange.limits.bodySize = .max
        exchange.limits.encodedBodySize = .max
        exchange.limits.expansionRatio = .max
        exchange.keepsBody = false
        exchange.receiveWindow = SharedBody.window
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
        // For the caches of others on the way.
        let wish: String? =
            switch exchange.cachePolicy {
            case .reloadIgnoringLocalAndRemoteCacheData: "no-cache"
            case .reloadRevalidatingCacheData: "max-age=0"
            default: nil
            }
        if let wish, exchange.fields.firstValue(of: "Cache-Control") == nil {
            exchange.fields.append(Exchange.Field(name: "Cache-Control", value: wish))
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
            // What was read before a change must not answer those who have made it.
            guard isShared, !state.isInvalidated else { return nil }
            switch state.phase {
            case .waiting:
                if caller.wait(for: self) { state.callers.append(caller) }
                return .waiting
            case .sharing(let response, let body):
                // The response is older than the request, as one from the store would be.
                let lifetime = response.remainingLifetime(at: now, in: core.policy)
                guard response.mayAnswer(caller), lifetime > 0 else { return nil }
                guard caller.wait(for: self) else { return .waiting }
                guard let reader = body.reader() else { return nil }
                state.callers.append(caller)
                return .reading(response, body, reader)
            // A hook might wait for a caller of its own.
            case .asking, .passing, .over: return nil
            }
        }
    }

    /// Answers a caller that has joined while the body is arriving.
    func serve(_ caller: CachingTransfer, in seat: Seat) {
        guard case .reading(let response, let body, let reader) = seat else { return }
        var status = self.status(for: caller)
        status.isStored = state.withLock { $0.isStoring || $0.isStored }
        caller.answer(
            with: response, .arriving(body, reader),
            age: response.age(at: CacheTime(clock)), status: status)
    }

    /// Answers callers; the leader gets the whole head, also what is not stored of it.
    func serve(
        _ callers: [CachingTransfer], with response: StoredResponse, _ body: SharedBody,
        _ head: Exchange.Head? = nil
    ) {
        var unserved: [CachingTransfer] = []
        let isStored = state.withLock { $0.isStoring || $0.isStored }
        let age = response.age(at: CacheTime(clock))
        for caller in callers {
            guard let reader = body.reader() else {
                unserved.append(caller)
                continue
            }
            var status = self.status(for: caller)
            status.isStored = isStored
            caller.answer(
                with: response, fields: caller === leader ? head?.fields : nil,
                .arriving(body, reader), age: caller === leader ? nil : age, status: status)
        }
        dismiss(unserved)
    }

    /// Has callers send requests of their own.
    func dismiss(_ callers: [CachingTransfer]) {
        guard !callers.isEmpty else { return }
        state.withLock { state in
            state.callers.removeAll { caller in callers.contains { $0 === caller } }
        }
        core.sendAlone(callers, at: place)
    }

    func status(for caller: CachingTransfer) -> CacheStatus {
        var status = CacheStatus(cache: CacheCore.name)
        status.forwarding = reason
        status.isCollapsed = caller !== leader
        return status
    }

    func setPriority(_ priority: Float) {
        state.withLock { $0.transfer }?.setPriority(priority)
    }

    /// Removes a caller that has left; the last one cancels the exchange.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - aborts: Whether it wants the connection closed, too.
    func leave(_ caller: CachingTransfer, aborts: Bool = false) {
        state.withLock { state in state.callers.removeAll { $0 === caller } }
        cancelIfUnwanted(aborts: aborts)
    }

    func cancelIfUnwanted(aborts: Bool = false) {
        let former = state.withLock { state -> Exchanging? in
            guard state.callers.isEmpty, !state.isNeeded(isRefresh: isRefresh) else { return nil }
            if case .over = state.phase { return nil }
            defer { state.phase = .over }
            return Exchanging(
                body: state.phase.body, transfer: state.transfer.take(),
                question: state.question.take())
        }
        guard let former else { return }
        if aborts { former.transfer?.abort() } else { former.transfer?.cancel() }
        former.question?.cancel()
        former.body?.stopStoring()
        core.remove(self, isUnshared: false)
    }

    /// The parts of an exchange that is to be canceled.
    private struct Exchanging {
        let body: SharedBody?
        let transfer: (any Transfer)?
        let question: Task<Void, Never>?
    }

    /// Stops the exchange if it has only one caller; others must not be held up.
    func suspend() {
        guard !isShared, let transfer = state.withLock({ $0.transfer }) else { return }
        transfer.suspend()
        // It might have been resumed meanwhile.
        if !leader.isSuspended { transfer.resume() }
    }

    func resume() {
        if !isShared { state.withLock { $0.transfer }?.resume() }
    }

    /// Makes sure that nothing of the response is stored.
    func invalidate() {
        state.withLock { $0.isInvalidated = true }
    }
}

/// Passes the reports of one exchange of a flight on to it.
private final class FlightSink: ExchangeSink {
    private let flight: Flight
    private let attempt: Int

    init(_ flight: Flight, _ attempt: Int) { (self.flight, self.attempt) = (flight, attempt) }

    func receive(_ report: consuming Exchange.Report) { flight.receive(report, of: attempt) }
    func gather(_ deliver: () -> Void) { flight.leader.sink.gather(deliver) }
}

extension StoredResponse {
    /// Whether the response may answer a caller that has not asked for it itself.
    func mayAnswer(_ caller: CachingTransfer) -> Bool {
        rules.control.noCache != .all && isSelected(by: caller.exchange.fields)
    }
}
