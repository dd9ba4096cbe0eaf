// The loop's connection pools, their timers, and their finished exchanges.
extension EventLoop {
    func connectionPool(
        for pool: Exchange.Pool
    ) throws(Exchange.Failure) -> ConnectionPool {
        if let known = connectionPools[pool.identifier] { return known }
        let connectionPool = try ConnectionPool(pool: pool, loop: self)
        connectionPools.insert(connectionPool)
        pool.onClosing { [mailbox] identifier, tell in
            if !mailbox.post(.closePool(identifier, then: tell)) { tell(true) }
        }
        return connectionPool
    }

    func closeConnectionPool(_ identifier: UInt64) {
        guard let connectionPool = connectionPools.remove(identifier) else { return }
        connectionPool.deadline = nil
        armed.removeAll { $0 === connectionPool }
        dirty.removeAll { $0 === connectionPool }
    }

    func arm(_ connectionPool: ConnectionPool) {
        guard !connectionPool.isArmed else { return }
        connectionPool.isArmed = true
        armed.append(connectionPool)
    }

    func markDirty(_ connectionPool: ConnectionPool) {
        guard !connectionPool.isDirty else { return }
        connectionPool.isDirty = true
        dirty.append(connectionPool)
    }

    func runTimers() {
        guard !armed.isEmpty else { return }
        for connectionPool in armed { connectionPool.runTimers() }
        armed.removeAll { connectionPool in
            guard connectionPool.nextTimer == nil else { return false }
            connectionPool.isArmed = false
            return true
        }
    }

    func collectFinished() {
        guard !dirty.isEmpty else { return }
        let current = dirty
        dirty.removeAll(keepingCapacity: true)
        for connectionPool in current {
            connectionPool.isDirty = false
            connectionPool.collectFinished()
            if let fault = connectionPool.fault { abandon(connectionPool, fault) }
        }
    }

    /// Fails the exchanges of a connection pool that libcurl cannot continue.
    ///
    /// Later exchanges get a new connection pool.
    private func abandon(_ connectionPool: ConnectionPool, _ failure: Exchange.Failure) {
        for transfer in transfers.all
        where transfer.exchange.pool.identifier == connectionPool.identifier
            && transfer.stage != .decoding
        {
            finish(transfer, failure: failure)
        }
        closeConnectionPool(connectionPool.identifier)
    }
}
