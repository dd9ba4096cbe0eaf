import Foundation

/// The queue of a pool's exchanges that wait for a connection slot.
///
/// Each host has a limit on its own connections, and the pool has a limit on all. An exchange
/// counts as one connection, or as a part of one if its host speaks HTTP/2. A host counts as
/// speaking the version of its last response, and HTTP/1.1 before the first response.
///
/// The order of the slots is as follows:
///
/// - The exchanges of a host get slots by priority, and then in the order of arrival.
/// - The host with the fewest connections gets the next one. Among several, it is the one whose
///   first exchange has the highest priority, and then each in turn.
/// - One in ``ConnectionLimits/turnsToOldest`` connections goes to the host that has waited
///   longest.
/// - The last connections are reserved for hosts that answer and have few connections: see
///   ``nextOfReserve()``.
///
/// Look-ups are limited as well, because libcurl starts a thread for each. The limit concerns only
/// exchanges that look up a name: see ``mayLookUp(_:)``.
final class ConnectionQueue {
    /// What a host's next exchange needs.
    enum Need: CaseIterable {
        /// A stream on an existing connection.
        case stream
        case connection
        /// A connection and a look-up, after a look-up was denied.
        case lookUp
    }

    private let limits: ConnectionLimits
    private let now: () -> MonotonicInstant
    private var hosts: [String: HostQueue] = [:]
    /// The number of hosts from which on those without exchanges are forgotten.
    private var largestHostCount = ConnectionQueue.leastHostCount
    /// The host that was used last, which is likely to be the next one too.
    private var lastHost: HostQueue?
    /// The hosts that have changed and have to be put in the right queue.
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) private var unsettled: [HostQueue] = []
    private let needingStream = PriorityQueue<HostQueue>()
    private let needingConnection = PriorityQueue<HostQueue>()
    private let needingLookUp = PriorityQueue<HostQueue>()
    private var connectionCount = 0
    private var lookUpCount = 0
    /// The number of connections assigned since the last one to the host that had waited longest.
    private var turnCount = 0
    private var trials: HostTrials

    /// Creates a queue that measures time with a closure.
    init(limits: ConnectionLimits, now: @escaping () -> MonotonicInstant = { .now }) {
        self.limits = limits
        self.now = now
        trials = HostTrials(limit: limits.trials)
    }

    // MARK: Joining and leaving

    /// Returns the host of a URL.
    func host(of url: String) throws(Exchange.Failure) -> HostQueue {
        if let lastHost, lastHost.isHost(of: url) { return lastHost }
        return host(key: try HostQueue.key(of: url))
    }

    private func host(key: String) -> HostQueue {
        let host = hosts[key] ?? HostQueue(key: key)
        hosts[key] = host
        lastHost = host
        return host
    }

    /// Adds an exchange to the queue of its host.
    func join(_ transfer: CurlTransfer, at host: HostQueue) {
        transfer.host = host
        if host.isUnused { trials.noteArrival(of: host, at: now()) }
        host.waiting.append(transfer, priority: transfer.priority)
        unsettled.append(host)
    }

    /// Adds an exchange to the queue of the host with a key.
    ///
    /// While an exchange is parked, its host's queue can be removed and later replaced by another.
    func join(_ transfer: CurlTransfer, key: String) {
        join(transfer, at: host(key: key))
    }

    /// Moves an exchange that waits to the position for its priority.
    func reorder(_ transfer: CurlTransfer) {
        guard transfer.position.isQueued, let host = transfer.host else { return }
        host.waiting.setPriority(transfer.priority, of: transfer)
        unsettled.append(host)
    }

    /// The numbers of exchanges that wait, by the keys of their hosts.
    var waitingCounts: some Sequence<(host: String, count: Int)> {
        hosts.values.lazy.filter { !$0.waiting.isEmpty }.map { ($0.key, $0.waiting.count) }
    }

    /// Returns whether a host has reached its limit of connections.
    func isFull(_ host: HostQueue) -> Bool { !limits.allowOneMore(on: host) }

    /// Gives an exchange a slot at once if the queues would do the same, and returns whether it
    /// did.
    ///
    /// This needs no queue if no other host waits, and this host has room.
    func admitAtOnce(_ transfer: CurlTransfer, at host: HostQueue) -> Bool {
        guard isQuiet, host.waiting.isEmpty, !host.waitsForLookUp, !transfer.pauses.isSuspended,
            limits.allowOneMore(on: host),
            !host.needsConnectionForOneMore || limits.rest(besides: connectionCount) == .free
        else { return false }
        transfer.host = host
        begin(transfer, at: host)
        return true
    }

    /// Whether no host is in a queue or might have to be.
    private var isQuiet: Bool {
        unsettled.isEmpty && needingStream.isEmpty && needingConnection.isEmpty
            && needingLookUp.isEmpty
    }

    /// Removes an exchange without a slot from its queue.
    func forget(_ transfer: CurlTransfer) {
        guard transfer.position.isQueued, let host = transfer.host else { return }
        host.waiting.remove(transfer)
        unsettled.append(host)
    }

    /// Releases the slot of an exchange.
    func leave(_ transfer: CurlTransfer) {
        guard let host = transfer.host else { return }
        // Its connection may be idle now, and needs no look-up.
        host.waitsForLookUp = false
        end(transfer, at: host)
        // No exchange waits for the slot, and the host is still in use.
        if isQuiet, host.waiting.isEmpty, host.activeCount > 0 { return }
        unsettled.append(host)
    }

    private func begin(_ transfer: CurlTransfer, at host: HostQueue) {
        count(1, at: host)
        host.beginToAwait(at: now())
        transfer.isAwaited = true
    }

    private func end(_ transfer: CurlTransfer, at host: HostQueue) {
        endLookUp(of: transfer)
        if transfer.isAwaited { endToAwait(transfer, at: host, hasAnswered: false) }
        count(-1, at: host)
        if host.activeCount == 0 { trials.end(of: host) }
    }

    private func count(_ change: Int, at host: HostQueue) {
        let before = host.connectionCount(forActive: host.activeCount)
        host.activeCount += change
        connectionCount += host.connectionCount(forActive: host.activeCount) - before
    }

    // MARK: Answers

    /// Records that the response to an exchange has begun, and whether it is in HTTP/2.
    ///
    /// Connections with HTTP/2 carry several exchanges at once.
    func noteAnswer(to transfer: CurlTransfer, isMultiplexed: Bool) {
        guard let host = transfer.host else { return }
        if transfer.isAwaited { endToAwait(transfer, at: host, hasAnswered: true) }
        trials.end(of: host)
        // The host may use the reserve now.
        if host.position.isQueued { unsettled.append(host) }
        guard host.multiplexes != isMultiplexed else { return }
        host.multiplexes = isMultiplexed
        let streams = isMultiplexed ? limits.streamsPerConnection : 1
        guard streams != host.streamsPerConnection else { return }
        connectionCount -= host.share
        host.streamsPerConnection = streams
        connectionCount += host.share
        unsettled.append(host)
    }

    private func endToAwait(_ transfer: CurlTransfer, at host: HostQueue, hasAnswered: Bool) {
        transfer.isAwaited = false
        host.endToAwait(hasAnswered: hasAnswered, at: now())
    }

    // MARK: Look-ups

    /// Returns whether libcurl may look up the name of an exchange's host.
    ///
    /// If not, the exchange has to ``rejoin(_:)`` the queue.
    func mayLookUp(_ transfer: CurlTransfer) -> Bool {
        guard !transfer.isLookingUp else { return true }
        guard lookUpCount < limits.lookUps else {
            transfer.host?.waitsForLookUp = true
            return false
        }
        beginLookUp(of: transfer)
        return true
    }

    /// Returns an exchange that was denied a look-up to the queue, before the others of its host.
    func rejoin(_ transfer: CurlTransfer) {
        guard let host = transfer.host else { return }
        end(transfer, at: host)
        if host.activeCount == 0 { trials.noteArrival(of: host, at: now()) }
        host.waiting.prepend(transfer, priority: transfer.priority)
        unsettled.append(host)
    }

    /// Records that the addresses of an exchange's host are known.
    func addressIsKnown(to transfer: CurlTransfer) {
        guard transfer.isLookingUp, let host = transfer.host else { return }
        endLookUp(of: transfer)
        host.waitsForLookUp = false
        if host.position.isQueued { unsettled.append(host) }
    }

    private func beginLookUp(of transfer: CurlTransfer) {
        transfer.isLookingUp = true
        lookUpCount += 1
    }

    private func endLookUp(of transfer: CurlTransfer) {
        guard transfer.isLookingUp else { return }
        transfer.isLookingUp = false
        lookUpCount -= 1
    }

    // MARK: Choosing the next exchange

    /// Whether ``next()`` may return an exchange, after it has returned nil.
    var mayHaveNext: Bool {
        !unsettled.isEmpty || (!needingLookUp.isEmpty && lookUpCount < limits.lookUps)
            || nextTrialTime.map { $0 <= now() } == true
    }

    /// Returns the next exchange to start and gives it a slot, or returns nil if there is none.
    func next() -> CurlTransfer? {
        settle()
        while let host = nextHost() {
            let transfer = host.firstReady
            if let transfer { admit(transfer, at: host) }
            settle(host)
            if let transfer { return transfer }
        }
        return nil
    }

    private func admit(_ transfer: CurlTransfer, at host: HostQueue) {
        host.waiting.remove(transfer)
        begin(transfer, at: host)
        if host.need == .lookUp { beginLookUp(of: transfer) }
    }

    /// Removes and returns the next host whose needs can be met.
    private func nextHost() -> HostQueue? {
        if let host = needingStream.popFirst() { return host }
        switch limits.rest(besides: connectionCount) {
        case .free:
            if lookUpCount < limits.lookUps, let host = needingLookUp.popFirst() { return host }
            return nextInTurn()
        case .reserve: return nextOfReserve()
        case .none: return nil
        }
    }

    /// Removes and returns the host that gets the next connection that any may have.
    ///
    /// This is the first host or, from time to time, the one that has waited longest. Otherwise
    /// that host would wait as long as hosts with fewer connections arrive.
    private func nextInTurn() -> HostQueue? {
        guard let first = needingConnection.first else { return nil }
        turnCount += 1
        var host = first
        if turnCount >= limits.turnsToOldest {
            turnCount = 0
            host = needingConnection.oldest ?? first
        }
        needingConnection.remove(host)
        return host
    }

    // MARK: The reserve

    /// Removes and returns the host that gets the next of the reserved connections.
    ///
    /// They go to hosts with few connections that answer, and some to hosts that are tried.
    private func nextOfReserve() -> HostQueue? {
        let now = now()
        for queue in [needingLookUp, needingConnection] where mayServe(queue) {
            let host = queue.first { $0.share < limits.smallShare && $0.answers(at: now) }
            guard let host else { continue }
            queue.remove(host)
            return host
        }
        guard let trial = nextTrial, trial.time <= now else { return nil }
        dequeue(trial.host)
        trials.begin(with: trial.host, at: now)
        return trial.host
    }

    private func mayServe(_ queue: PriorityQueue<HostQueue>) -> Bool {
        queue !== needingLookUp || lookUpCount < limits.lookUps
    }

    private var nextTrial: (host: HostQueue, time: MonotonicInstant)? {
        guard limits.rest(besides: connectionCount) == .reserve else { return nil }
        return trials.next(at: now()) { host in
            host.position.isQueued && mayServe(queue(for: host.need))
        }
    }

    /// When the next host can be tried, or nil if there is none.
    var nextTrialTime: MonotonicInstant? { nextTrial?.time }

    // MARK: The queues of hosts

    private func settle() {
        for host in unsettled { settle(host) }
        // `removeAll(keepingCapacity:)` is much slower for a few elements.
        while unsettled.popLast() != nil {}
    }

    /// Moves a host to the queue where it belongs, or to none if it has nothing to start.
    private func settle(_ host: HostQueue) {
        if limits.allowOneMore(on: host), host.firstReady != nil {
            enqueue(host, for: need(of: host))
        } else {
            dequeue(host)
            // All of its exchanges can have been suspended when it was about to be tried.
            if host.activeCount == 0 { trials.end(of: host) }
            if host.isUnused { forget(host) }
        }
    }

    /// The number of hosts without exchanges that are remembered, because only hosts that have
    /// answered may use the reserve.
    private static let leastHostCount = 1024

    private func forget(_ host: HostQueue) {
        if host.hasAnswered {
            guard hosts.count > largestHostCount else { return }
            hosts = hosts.filter { !$0.value.isUnused }
            largestHostCount = max(Self.leastHostCount, 2 * hosts.count)
            if lastHost?.isUnused == true { lastHost = nil }
        } else {
            if lastHost === host { lastHost = nil }
            if hosts[host.key] === host { hosts[host.key] = nil }
        }
    }

    private func need(of host: HostQueue) -> Need {
        guard host.needsConnectionForOneMore else { return .stream }
        return host.waitsForLookUp ? .lookUp : .connection
    }

    private func enqueue(_ host: HostQueue, for need: Need) {
        guard let priority = host.waiting.first?.priority else { return }
        let share = need == .stream ? 0 : host.share
        if host.position.isQueued, host.need == need {
            queue(for: need).setPriority(priority, share: share, of: host)
        } else {
            dequeue(host)
            host.need = need
            queue(for: need).append(host, share: share, priority: priority)
        }
    }

    private func dequeue(_ host: HostQueue) {
        guard host.position.isQueued else { return }
        queue(for: host.need).remove(host)
    }

    private func queue(for need: Need) -> PriorityQueue<HostQueue> {
        switch need {
        case .stream: needingStream
        case .connection: needingConnection
        case .lookUp: needingLookUp
        }
    }
}

extension CurlTransfer: QueueMember {}
