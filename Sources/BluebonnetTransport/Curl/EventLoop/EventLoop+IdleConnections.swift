// Closing idle connections.
extension EventLoop {
    /// Closes the connections whose idle time has ended.
    func closeOldConnections() {
        guard let due = sockets.nextIdleEnd, due <= now else { return }
        close(sockets.takeOld(at: now))
    }

    /// Closes a pool's idle connections.
    ///
    /// A connection that an exchange may be using is closed once it is known to be unused.
    func closeIdleConnections(ofPool identifier: UInt64) {
        sockets.endIdleTimes(ofPool: identifier, at: now)
        closeOldConnections()
    }

    private func close(_ idle: [SocketTable.Idle]) {
        for connection in idle where connection.isUnknownToLibcurl && !mayBeInUse(connection) {
            sockets.end(connection.socket, at: now)
        }
        // libcurl closes connections beyond its own age limit in an orderly way, with TLS's
        // close_notify.
        for pool in Set(idle.map(\.pool)) { connectionPools[pool]?.prune() }
    }

    private func mayBeInUse(_ connection: SocketTable.Idle) -> Bool {
        let (pool, number) = (connection.pool, connection.transferNumber)
        guard connection.isHTTP1 else { return mayBeInUse(pool: pool, transferNumber: number) }
        // Only an exchange without a socket can be using an HTTP/1 connection not watched for it.
        return transfers.all.contains { transfer in
            transfer.stage == .active
                && (transfer.number == number
                    || (!transfer.connection.hasSocket && transfer.isConnectionUncertain
                        && transfer.exchange.pool.identifier == pool))
        }
    }
}
