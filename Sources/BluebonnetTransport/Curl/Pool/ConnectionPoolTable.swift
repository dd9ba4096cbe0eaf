/// The connectionPools of a loop by their pools.
///
/// Most programs have one, and those with several mostly ask for the same one many times in a row.
struct ConnectionPoolTable {
    private var connectionPools: [UInt64: ConnectionPool] = [:]
    /// The one that was asked for last.
    private var last: ConnectionPool?

    subscript(pool: UInt64) -> ConnectionPool? {
        mutating get {
            if let last, last.identifier == pool { return last }
            guard let connectionPool = connectionPools[pool] else { return nil }
            last = connectionPool
            return connectionPool
        }
    }

    mutating func insert(_ connectionPool: ConnectionPool) {
        connectionPools[connectionPool.identifier] = connectionPool
        last = connectionPool
    }

    /// Takes a pool's connectionPool out; nil where there is none.
    mutating func remove(_ pool: UInt64) -> ConnectionPool? {
        if last?.identifier == pool { last = nil }
        return connectionPools.removeValue(forKey: pool)
    }
}
