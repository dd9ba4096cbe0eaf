import Bluebonnet
import Foundation
import FoundationNetworking

/// What the exchanges of one cache share: the store, and the exchanges with the server that are under
/// way.
final class CacheCore: Sendable {
    /// What requests must have in common to share an exchange: also the connections, and with them the
    /// trust in the server, and the time that they have.
    struct FlightKey: Hashable {
        let key: CacheKey
        private let pool: ObjectIdentifier
        private let timeouts: Exchange.Timeouts

        init(_ caller: CachingTransfer) {
            key = caller.key
            pool = ObjectIdentifier(caller.exchange.pool)
            timeouts = caller.exchange.timeouts
        }
    }

    private struct State {
        var flights: [FlightKey: [Flight]] = [:]
        /// The keys whose responses could not be shared, and the time until which each request for
        /// them is sent at once.
        var unshared: [CacheKey: Duration] = [:]
        /// The number of look-ups that have not led to a decision.
        var lookupCount = 0
        var changes = LookupChanges()
        /// The callers that wait to send a request of their own, and the number of those that do.
        var queues: [FlightKey: Turns] = [:]

        /// Returns the next caller that may send a request of its own.
        mutating func takeTurn(at place: FlightKey) -> CachingTransfer? {
            guard var queue = queues[place] else { return nil }
            let next = queue.next(among: CacheCore.maximumUnsharedCount)
            queue.isSending = next != nil
            queues[place] = queue.running == 0 && queue.isEmpty ? nil : queue
            return next
        }
    }

    let below: any Transport
    let store: any CacheStore
    let policy: CachePolicy
    let record: CacheRecord
    private let state = Locked(State())

    /// How many callers of one URL that cannot share a response send requests at the same time.
    static let maximumUnsharedCount = 8
    /// The time for which requests do not wait for a response that is probably not shared.
    private static let unsharedTime = Duration.seconds(30)

    init(
        below: any Transport, store: any CacheStore, policy: CachePolicy, record: CacheRecord
    ) {
        (self.below, self.store, self.policy, self.record) = (below, store, policy, record)
    }

    // MARK: Look-ups

    private struct Lookup {
        /// Whether the caller may share the exchange of another one.
        let joins: Bool
        /// How often the caller has looked, because of changes.
        let attempt: Int
        /// The number of the last change before the look-up.
        let change: Int
    }

    /// Answers a caller from the store, or has the server answer.
    ///
    /// If it joins, it may share the exchange of another one.
    func answer(_ caller: CachingTransfer, joins: Bool = true, attempt: Int = 1) {
        let change = state.withLock { state in
            state.lookupCount += 1
            return state.changes.number
        }
        let lookup = Lookup(joins: joins, attempt: attempt, change: change)
        let observer = caller.observer
        observer?.workDidBegin()
        store.find(caller.key) { [self] stored in
            decide(caller, stored, lookup)
            observer?.workDidEnd()
        }
    }

    private func endLookup() {
        state.withLock { state in
            state.lookupCount -= 1
            if state.lookupCount == 0 { state.changes.forget() }
        }
    }

    private func decide(_ caller: CachingTransfer, _ stored: [StoredResponse], _ lookup: Lookup) {
        guard !caller.isOver else { return endLookup() }
        // Found again, it would be validated again and again.
        guard !caller.hasLostBody else { return send(caller, nil, stored, .uriMiss, lookup) }
        let now = CacheTime(caller.clock)
        let reuse = Reuse(
            of: stored, for: caller.request, with: caller.exchange.fields, at: now, in: policy)
        switch reuse {
        case .use(let response, let refreshes):
            use(response, for: caller, at: now) { [self] isUsed in
                // The store can lose it meanwhile.
                guard isUsed else {
                    return send(caller, nil, [], .uriMiss, lookup)
                }
                endLookup()
                if refreshes, !caller.request.control.onlyIfCached {
                    refresh(response, stored, for: caller)
                }
            }
        case .validate(let response, let reason):
            send(caller, response, stored, reason, lookup)
        case .forward(let reason):
            send(caller, nil, stored, reason, lookup)
        }
    }

    /// Answers from the store, unless the body has gone.
    func use(
        _ response: StoredResponse, for caller: CachingTransfer, at now: CacheTime,
        status: CacheStatus = CacheStatus(cache: name), whenDone: @escaping @Sendable (Bool) -> Void
    ) {
        let observer = caller.observer
        observer?.workDidBegin()
        store.body(of: response) { [policy] body in
            defer { observer?.workDidEnd() }
            guard let body else {
                caller.noteLostBody()
                return whenDone(false)
            }
            var status = status
            status.isHit = status.forwarding == nil
            let age = response.age(at: now)
            let remaining = TimeInterval(response.rules.lifetime(in: policy)) - age
            status.timeToLive = Int(Int64(clamping: remaining.rounded(.down)))
            caller.answer(with: response, .stored(body), age: age, status: status)
            whenDone(true)
        }
    }

    /// The name of this cache in `Cache-Status`.
    static let name = "Bluebonnet"

    // MARK: Exchanges with the server

    private func send(
        _ caller: CachingTransfer, _ validated: StoredResponse?, _ stored: [StoredResponse],
        _ reason: CacheStatus.Forwarding, _ lookup: Lookup
    ) {
        if let refusal = caller.request.refusal {
            endLookup()
            return caller.end(with: refusal)
        }
        let place = FlightKey(caller)
        let now = CacheTime(caller.clock)
        let canJoin = lookup.joins && caller.canShare
        enum Next { case join(Flight, Flight.Seat), lookAgain, fly(Flight) }
        let next = state.withLock { state -> Next in
            if canJoin, lookup.attempt < 4,
                state.changes.contains(caller.key, after: lookup.change)
            {
                return .lookAgain
            }
            let isShared =
                canJoin && !(state.unshared[caller.key].map { now.instant < $0 } ?? false)
            if isShared {
                for flight in state.flights[place] ?? [] {
                    if let seat = flight.join(caller, at: now) { return .join(flight, seat) }
                }
            }
            let flight = Flight(
                caller, validating: validated, among: stored, because: reason, in: self, at: place,
                isShared: isShared)
            state.flights[place, default: []].append(flight)
            return .fly(flight)
        }
        endLookup()
        switch next {
        case .lookAgain: answer(caller, joins: lookup.joins, attempt: lookup.attempt + 1)
        case .join(let flight, let seat): flight.serve(caller, in: seat)
        case .fly(let flight): flight.begin()
        }
    }

    /// Validates a stale response that was used, unless that is being done.
    private func refresh(
        _ response: StoredResponse, _ stored: [StoredResponse], for caller: CachingTransfer
    ) {
        let place = FlightKey(caller)
        let flight = state.withLock { state -> Flight? in
            guard state.flights[place, default: []].allSatisfy({ !$0.isShared }) else { return nil }
            let flight = Flight(
                caller, validating: response, among: stored, because: .stale, in: self, at: place,
                isShared: true, isRefresh: true)
            state.flights[place, default: []].append(flight)
            return flight
        }
        flight?.begin()
    }

    /// Forgets a flight, so that no caller can join it.
    func remove(_ flight: Flight, isUnshared: Bool) {
        state.withLock { state in
            state.flights[flight.place]?.removeAll { $0 === flight }
            if state.flights[flight.place]?.isEmpty == true { state.flights[flight.place] = nil }
            if state.lookupCount > 0 { state.changes.add(flight.place.key) }
            guard isUnshared else { return }
            if state.unshared.count >= 4_096 { state.unshared = [:] }
            state.unshared[flight.place.key] = flight.clock.now + Self.unsharedTime
        }
    }

    /// Has callers whose shared exchange does not help them send requests of their own, a few at a
    /// time.
    func sendAlone(_ callers: [CachingTransfer], at place: FlightKey) {
        guard !callers.isEmpty else { return }
        // Those who had a turn and were not helped wait for another one.
        for caller in callers { caller.release() }
        state.withLock { $0.queues[place, default: Turns()].add(callers) }
        sendNext(at: place)
    }

    private func sendNext(at place: FlightKey) {
        // An answer from the store comes at once, and would nest one call in another.
        let begins = state.withLock { state in
            state.queues[place]?.isSending.replace(with: true) == false
        }
        guard begins else { return }
        while let caller = state.withLock({ $0.takeTurn(at: place) }) {
            caller.onRelease { [self] in
                state.withLock { $0.queues[place]?.running -= 1 }
                sendNext(at: place)
            }
            answer(caller, joins: false)
        }
    }

    // MARK: Invalidation

    /// Removes what is stored for URLs, and what is being stored.
    func invalidate(_ urls: [String]) {
        invalidateFlights { urls.contains($0.url) }
        for url in urls { store.removeAll(for: url) }
    }

    /// Removes everything that is stored, and that is being stored.
    func removeAll() {
        invalidateFlights { _ in true }
        store.removeAll()
    }

    private func invalidateFlights(where isMeant: (CacheKey) -> Bool) {
        let flights = state.withLock { state in
            state.flights.values.joined().filter { isMeant($0.place.key) }
        }
        for flight in flights { flight.invalidate() }
    }
}

extension SessionClock {
    /// The clock, if it counts work.
    var observer: (any WorkObservingClock)? {
        // The question costs more than a look-up.
        self is SystemClock ? nil : self as? any WorkObservingClock
    }
}

extension CachingTransfer {
    /// Whether another caller's exchange can answer the request.
    ///
    /// A request with conditions or wishes of its own has one of its own.
    fileprivate var canShare: Bool {
        !request.isHead && request.range == nil && !request.hasCondition
            && !request.hasUnsafeCondition && !request.control.noStore
            && request.control.noCache == nil && request.control.maxAge == nil
            && request.control.minFresh == nil
            && (request.cachePolicy == .useProtocolCachePolicy
                || request.cachePolicy == .returnCacheDataElseLoad)
    }
}
