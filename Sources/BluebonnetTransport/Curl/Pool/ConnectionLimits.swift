/// How many connections a pool allows, to one host and to all.
struct ConnectionLimits {
    var connectionsPerHost: Int
    var connections: Int
    var streamsPerConnection: Int
    /// Hosts whose addresses are looked up at once.
    var lookUps = 32
    /// How many of the last connections are reserved, so that slow hosts cannot hold all of them.
    var reserve = 0
    /// A host with fewer connections than this may use the reserve.
    var smallShare = 0
    /// Of this many connections, one goes to the host that has waited longest.
    var turnsToOldest = 8

    /// Whether a host may have one more exchange under way.
    func allowOneMore(on host: HostQueue) -> Bool {
        host.connectionCount(forActive: host.activeCount + 1) <= connectionsPerHost
    }

    /// Whether a host may have one more exchange under way while the pool has so many connections.
    func allowOneMore(on host: HostQueue, besides connectionCount: Int) -> Bool {
        let wanted = host.connectionCount(forActive: host.activeCount + 1)
        guard wanted <= connectionsPerHost else { return false }
        return wanted == host.share || hasConnection(forShare: host.share, besides: connectionCount)
    }

    /// Whether a host with `share` connections may have another one.
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
