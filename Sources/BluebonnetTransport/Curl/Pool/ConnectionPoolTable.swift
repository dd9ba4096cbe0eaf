/// The connectionPools of a loop by their pools.
///
/// Most programs have one, and those with several mostly ask for the same one many times in a row.
final class ConnectionPoolTable {
    private var connectionPools: [UInt64: ConnectionPool] = [:]
    /// The one that was asked for last.
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

    func insert(_ connectionPool: ConnectionPool) {
        connectionPools[connectionPool.identifier] = connectionPool
        last = connectionPool
    }

    func removeAll() {
        connectionPools = [:]
        last = nil
    }

    /// Takes a pool's connectionPool out; nil where there is none.
    func remove(_ pool: UInt64) -> ConnectionPool? {
        if last?.identifier == pool { last = nil }
        return connectionPools.removeValue(forKey: pool)
    }
}
