/// The limits on a pool's connections, per host and in total.
struct ConnectionLimits {
    var connectionsPerHost: Int
    var connections: Int
    var streamsPerConnection: Int
    /// The maximum number of exchanges that look up addresses at once.
    var lookUps = 32
    /// The number of connections that are reserved, so that slow hosts cannot hold all of them.
    var reserve = 0
    /// A host with fewer connections than this may use the reserve.
    var smallShare = 0
    /// One in this many connections goes to the host that has waited longest.
    var turnsToOldest = 8

    /// Returns whether a host may have one more exchange in progress.
    func allowOneMore(on host: HostQueue) -> Bool {
        host.connectionCount(forActive: host.activeCount + 1) <= connectionsPerHost
    }

    /// Returns whether a host may have one more exchange in progress while the pool has
    /// `connectionCount` connections.
    func allowOneMore(on host: HostQueue, besides connectionCount: Int) -> Bool {
        let wanted = host.connectionCount(forActive: host.activeCount + 1)
        guard wanted <= connectionsPerHost else { return false }
        return wanted == host.share || hasConnection(forShare: host.share, besides: connectionCount)
    }

    /// Returns whether a host with `share` connections may have another one.
    func hasConnection(forShare share: Int, besides connectionCount: Int) -> Bool {
        connectionCount < (share < smallShare ? connections : connections - reserve)
    }
}

extension ConnectionLimits {
    init(of pool: Exchange.Pool) {
        connectionsPerHost = pool.maximumConnectionsPerHost
        connections = pool.maximumConnections
        streamsPerConnection = pool.maximumStreamsPerConnection
        // Of the default of 512, 16 are reserved for hosts with fewer than four.
        reserve = min(connections / 16, 16)
        smallShare = reserve == 0 ? 0 : max(1, reserve / 4)
    }
}
