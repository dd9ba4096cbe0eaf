/// The exchanges of a pool that wait for a connection slot, and the counts that decide who has one.
///
/// A host limits its own connections, and the pool those to all hosts. An exchange counts as a
/// connection, and on a host that speaks HTTP/2 as a part of one; a host is taken to speak what its
/// last response was in, and HTTP/1.1 before the first. Among the exchanges of a host, slots go by
/// priority, and within one to who came first. Among hosts, connections go to the one with the fewest, and
/// then by the priority of its first exchange; it is behind the others after each slot that it got. One of
/// several goes to the host that waits longest.
///
/// Exchanges with hosts whose addresses are not known yet are limited as well, because libcurl
/// starts a thread for each look-up.
final class ConnectionQueue {
    /// What a host's next exchange takes.
    enum Need: CaseIterable {
        /// A place on a connection that there is.
        case stream
        case connection
        /// A connection and one of the look-ups, which are all under way.
        case lookUp
    }

    private let limits: ConnectionLimits
    private var hosts: [String: HostQueue] = [:]
    /// The host that was asked for last, and is likely to be the next.
    private var lastHost: HostQueue?
    /// Hosts of which something has changed.
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) private var unsettled: [HostQueue] = []
    private let needingStream = PriorityQueue<HostQueue>()
    private let needingConnection = PriorityQueue<HostQueue>()
    private let needingLookUp = PriorityQueue<HostQueue>()
    private var connectionCount = 0
    private var lookUpCount = 0
    /// How many connections were given since the last one to the host that waited longest.
    private var turnCount = 0

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    // MARK: Coming and going

    /// The host of a URL.
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

    /// Puts an exchange in the queue of its host.
    func join(_ transfer: CurlTransfer, at host: HostQueue) {
        transfer.host = host
        host.waiting.append(transfer, priority: transfer.priority)
        unsettled.append(host)
    }

    /// Puts an exchange in the queue; while it is parked, its queue may go and another come for its host.
    func join(_ transfer: CurlTransfer, key: String) {
        join(transfer, at: host(key: key))
    }

    /// Moves an exchange, if it waits, to where its priority belongs.
    func reorder(_ transfer: CurlTransfer) {
        guard transfer.position.isQueued, let host = transfer.host else { return }
        host.waiting.setPriority(transfer.priority, of: transfer)
        unsettled.append(host)
    }

    /// Whether a host has as many connections as it may.
    func isFull(_ host: HostQueue) -> Bool { !limits.allowOneMore(on: host) }

    /// Gives an exchange a slot at once, as the queues would; false where they have to decide.
    ///
    /// They need not where no host is in one and there is room on this one, which has exchanges
    /// under way: its addresses are known.
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

    /// Whether no host is in a queue, or might have to be.
    private var isQuiet: Bool {
        unsettled.isEmpty && needingStream.isEmpty && needingConnection.isEmpty
            && needingLookUp.isEmpty
    }

    /// Takes an exchange out that has no slot.
    func forget(_ transfer: CurlTransfer) {
        guard transfer.position.isQueued, let host = transfer.host else { return }
        host.waiting.remove(transfer)
        unsettled.append(host)
    }

    /// Takes back the slot of an exchange.
    func leave(_ transfer: CurlTransfer) {
        guard let host = transfer.host else { return }
        endLookUp(of: transfer)
        count(-1, at: host)
        // No exchange could use it, and the host stays.
        if isQuiet, host.waiting.isEmpty, host.activeCount > 0 { return }
        unsettled.append(host)
    }

    /// Notes that the addresses of an exchange's host are known.
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

    /// Notes whether a host's connections carry several exchanges at once.
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

    // MARK: Whose turn it is

    /// Whether ``next()`` may have something to give, after it had nothing.
    var mayHaveNext: Bool {
        !unsettled.isEmpty || (!needingLookUp.isEmpty && lookUpCount < limits.lookUps)
    }

    /// The next exchange to start, which has its slot from now on.
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

    /// Takes the host out of its queue that has what its next exchange needs.
    private func nextHost() -> HostQueue? {
        if let host = needingStream.popFirst() { return host }
        if lookUpCount < limits.lookUps, let host = needingLookUp.first, mayConnect(host) {
            return needingLookUp.popFirst()
        }
        // Where the first has too many, so have the others.
        while let host = needingConnection.first, mayConnect(host) {
            if host.isAddressKnown || lookUpCount < limits.lookUps {
                return takeTurn(insteadOf: host)
            }
            enqueue(host, for: .lookUp)
        }
        return nil
    }

    /// Takes out the host that is to have a connection: the first, or now and then the one that waits
    /// longest, or it would wait for as long as others come that have fewer.
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
        // One by one: there are few, for which `removeAll(keepingCapacity:)` takes far longer.
        while unsettled.popLast() != nil {}
    }

    /// Puts a host in the queue where it belongs, in none if it has nothing to start.
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
