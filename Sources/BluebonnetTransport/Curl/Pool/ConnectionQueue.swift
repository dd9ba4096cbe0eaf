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
///
/// Exchanges with hosts whose addresses are unknown are limited as well, because libcurl starts a
/// thread for each look-up.
final class ConnectionQueue {
    /// What a host's next exchange needs.
    enum Need: CaseIterable {
        /// A stream on an existing connection.
        case stream
        case connection
        /// A connection and a look-up, while all look-ups are in use.
        case lookUp
    }

    private let limits: ConnectionLimits
    private var hosts: [String: HostQueue] = [:]
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

    init(limits: ConnectionLimits) {
        self.limits = limits
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

    /// Returns whether a host has reached its limit of connections.
    func isFull(_ host: HostQueue) -> Bool { !limits.allowOneMore(on: host) }

    /// Gives an exchange a slot at once if the queues would do the same, and returns whether it
    /// did.
    ///
    /// This needs no queue if no other host waits, and this host has room and known addresses.
    func admitAtOnce(_ transfer: CurlTransfer, at host: HostQueue) -> Bool {
        guard isQuiet, host.waiting.isEmpty, host.isAddressKnown, !transfer.pauses.isSuspended
        else {
            return false
        }
        guard limits.allowOneMore(on: host, besides: connectionCount) else { return false }
        transfer.host = host
        count(1, at: host)
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
        endLookUp(of: transfer)
        count(-1, at: host)
        // No exchange waits for the slot, and the host is still in use.
        if isQuiet, host.waiting.isEmpty, host.activeCount > 0 { return }
        unsettled.append(host)
    }

    /// Records that the addresses of an exchange's host are known.
    func addressIsKnown(to transfer: CurlTransfer) {
        guard transfer.isLookingUp, let host = transfer.host else { return }
        endLookUp(of: transfer)
        host.isAddressKnown = true
        if host.position.isQueued { unsettled.append(host) }
    }

    private func endLookUp(of transfer: CurlTransfer) {
        guard transfer.isLookingUp else { return }
        transfer.isLookingUp = false
        lookUpCount -= 1
    }

    /// Records whether a host's connections carry several exchanges at once.
    func note(_ host: HostQueue, multiplexes: Bool) {
        host.multiplexes = multiplexes
        let streams = multiplexes ? limits.streamsPerConnection : 1
        guard streams != host.streamsPerConnection else { return }
        connectionCount -= host.connectionCount(forActive: host.activeCount)
        host.streamsPerConnection = streams
        connectionCount += host.connectionCount(forActive: host.activeCount)
        unsettled.append(host)
    }

    private func count(_ change: Int, at host: HostQueue) {
        let before = host.connectionCount(forActive: host.activeCount)
        host.activeCount += change
        connectionCount += host.connectionCount(forActive: host.activeCount) - before
    }

    // MARK: Choosing the next exchange

    /// Whether ``next()`` may return an exchange, after it has returned nil.
    var mayHaveNext: Bool {
        !unsettled.isEmpty || (!needingLookUp.isEmpty && lookUpCount < limits.lookUps)
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
        count(1, at: host)
        if !host.isAddressKnown {
            transfer.isLookingUp = true
            lookUpCount += 1
        }
    }

    /// Removes and returns the next host whose needs can be met.
    private func nextHost() -> HostQueue? {
        if let host = needingStream.popFirst() { return host }
        if lookUpCount < limits.lookUps, let host = needingLookUp.first, mayConnect(host) {
            return needingLookUp.popFirst()
        }
        // If the first host has too many connections, so have the others.
        while let host = needingConnection.first, mayConnect(host) {
            if host.isAddressKnown || lookUpCount < limits.lookUps {
                return takeTurn(insteadOf: host)
            }
            enqueue(host, for: .lookUp)
        }
        return nil
    }

    /// Removes and returns the host that gets the next connection.
    ///
    /// This is the first host or, from time to time, the one that has waited longest. Otherwise
    /// that host would wait as long as hosts with fewer connections arrive.
    private func takeTurn(insteadOf first: HostQueue) -> HostQueue {
        turnCount += 1
        var host = first
        if turnCount >= limits.turnsToOldest {
            turnCount = 0
            if let oldest = needingConnection.oldest, mayConnect(oldest),
                oldest.isAddressKnown || lookUpCount < limits.lookUps
            {
                host = oldest
            }
        }
        needingConnection.remove(host)
        return host
    }

    private func mayConnect(_ host: HostQueue) -> Bool {
        limits.hasConnection(forShare: host.share, besides: connectionCount)
    }

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
            if host.activeCount == 0, host.waiting.isEmpty { forget(host) }
        }
    }

    private func forget(_ host: HostQueue) {
        if lastHost === host { lastHost = nil }
        if hosts[host.key] === host { hosts[host.key] = nil }
    }

    private func need(of host: HostQueue) -> Need {
        let change =
            host.connectionCount(forActive: host.activeCount + 1)
            - host.connectionCount(forActive: host.activeCount)
        guard change > 0 else { return .stream }
        return host.position.isQueued && host.need == .lookUp && !host.isAddressKnown
            ? .lookUp : .connection
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
