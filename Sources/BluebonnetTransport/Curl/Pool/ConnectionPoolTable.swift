/// The connection pools of a loop, by the identifiers of their pools.
///
/// Most programs use one pool, and those with several mostly use the same one many times in a row.
final class ConnectionPoolTable {
    private var connectionPools: [UInt64: ConnectionPool] = [:]
    /// The connection pool that was used last.
    // Unchecked: see `EventLoop`.
    @exclusivity(unchecked) private var last: ConnectionPool?

    subscript(pool: UInt64) -> ConnectionPool? {
        get {
            if let last, last.identifier == pool { return last }
            guard let connectionPool = connectionPools[pool] else { return nil }
            last = connectionPool
            return connectionPool
        }
    }

    var all: some Sequence<ConnectionPool> { connectionPools.values }

    func insert(_ connectionPool: ConnectionPool) {
        connectionPools[connectionPool.identifier] = connectionPool
        last = connectionPool
    }

    func removeAll() {
        connectionPools = [:]
        last = nil
    }

    /// Removes and returns the connection pool of a pool, or returns nil if there is none.
    func remove(_ pool: UInt64) -> ConnectionPool? {
        if last?.identifier == pool { last = nil }
        return connectionPools.removeValue(forKey: pool)
    }
}
