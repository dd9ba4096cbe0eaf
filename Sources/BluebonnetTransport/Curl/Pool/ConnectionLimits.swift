/// The limits on a pool's connections, per host and in total.
struct ConnectionLimits {
    var connectionsPerHost: Int
    var connections: Int
    var streamsPerConnection: Int
    /// The maximum number of exchanges that look up addresses at once.
    var lookUps = 32
    /// The number of connections that are reserved for hosts that answer, so that slow hosts cannot
    /// hold all of them.
    var reserve = 0
    /// A host with fewer connections than this may use the reserve.
    var smallShare = 0
    /// The number of reserved connections on which hosts that have never answered are tried.
    var trials = 0
    /// One in this many connections goes to the host that has waited longest.
    var turnsToOldest = 8

    /// Returns whether a host may have one more exchange in progress.
    func allowOneMore(on host: HostQueue) -> Bool {
        host.connectionCount(forActive: host.activeCount + 1) <= connectionsPerHost
    }

    /// The connections that a pool has left.
    enum Rest {
        /// Any host may have one.
        case free
        /// Only the reserve is left.
        case reserve
        case none
    }

    /// Returns what is left while the pool has `connectionCount` connections.
    func rest(besides connectionCount: Int) -> Rest {
        if connectionCount < connections - reserve { return .free }
        return connectionCount < connections ? .reserve : .none
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
        trials = (reserve + 1) / 2
    }
}
