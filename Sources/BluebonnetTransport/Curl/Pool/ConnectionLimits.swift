/// How many connections a pool allows, to one host and to all.
struct ConnectionLimits {
    var connectionsPerHost: Int
    var connections: Int
    var streamsPerConnection: Int
    /// Hosts whose addresses are looked up at once.
    var lookUps = 32

    /// Whether a host may have one more exchange under way.
    func allowOneMore(on host: HostQueue) -> Bool {
        host.connectionCount(forActive: host.activeCount + 1) <= connectionsPerHost
    }

    /// Whether a host may have one more exchange under way while the pool has so many connections.
    func allowOneMore(on host: HostQueue, besides connectionCount: Int) -> Bool {
        let wanted = host.connectionCount(forActive: host.activeCount + 1)
        let added = wanted - host.connectionCount(forActive: host.activeCount)
        return wanted <= connectionsPerHost && added + connectionCount <= connections
    }
}

extension ConnectionLimits {
    init(of pool: Exchange.Pool) {
        connectionsPerHost = pool.maximumConnectionsPerHost
        connections = pool.maximumConnections
        streamsPerConnection = pool.maximumStreamsPerConnection
    }
}
