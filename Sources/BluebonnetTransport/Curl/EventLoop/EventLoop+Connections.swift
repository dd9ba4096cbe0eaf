// Counting connections when they are asked for.
extension EventLoop {
    /// The open connections, one by one, and the waiting exchanges of each host.
    var connectionTallies: [ConnectionCounts.Tally] {
        let paused = PausedConnections(of: self)
        var tallies: [ConnectionCounts.Tally] = []
        for (socket, host) in sockets.hosts where sockets.isConnected(socket) {
            let isActive = !sockets.isIdle(socket) || paused.contain(socket, to: host, in: sockets)
            tallies.append((host, isActive ? 1 : 0, isActive ? 0 : 1, 0))
        }
        for pool in connectionPools.all {
            for (host, count) in pool.queue.waitingCounts { tallies.append((host, 0, 0, count)) }
        }
        return tallies
    }
}

/// The connections of paused exchanges, whose sockets libcurl may not watch.
private struct PausedConnections {
    private var sockets: Set<Int32> = []
    /// The keys of hosts with shared connections, by pool.
    private var sharingHosts: [UInt64: Set<String>] = [:]

    init(of loop: EventLoop) {
        for transfer in loop.transfers.all where transfer.stage == .active && transfer.pauses.isAny
        {
            let socket = transfer.connection.socket
            if transfer.connection.isMultiplexed, let host = transfer.host {
                // libcurl watches a shared socket for only one of its exchanges.
                sharingHosts[transfer.exchange.pool.identifier, default: []].insert(host.key)
            } else if loop.sockets.transferNumber(of: socket) == transfer.number {
                // Otherwise, the socket is another exchange's with the number of a lost one.
                sockets.insert(socket)
            }
        }
    }

    /// Returns whether a paused exchange uses an open connection.
    ///
    /// If a host has several shared connections, it can be true for those without exchanges, too.
    func contain(_ socket: Int32, to host: String, in table: SocketTable) -> Bool {
        sockets.contains(socket)
            || sharingHosts[table.entries[table.index(of: socket)].pool]?.contains(host) == true
    }
}
