// Idle connections whose time is over.
extension EventLoop {
    /// Closes connections that have been idle for long enough.
    func closeOldConnections() {
        guard let due = sockets.nextIdleEnd, due <= now else { return }
        close(sockets.takeOld(at: now))
    }

    /// Closes a pool's idle connections.
    ///
    /// One that an exchange may be using is closed as soon as that is known not to be so.
    func closeIdleConnections(ofPool identifier: UInt64) {
        sockets.endIdleTimes(ofPool: identifier, at: now)
        closeOldConnections()
    }

    private func close(_ idle: [SocketTable.Idle]) {
        for connection in idle where connection.isUnknownToLibcurl && !mayBeInUse(connection) {
            sockets.end(connection.socket, at: now)
        }
        // libcurl closes those that it knows to be old in good order, with TLS's close_notify.
        for pool in Set(idle.map(\.pool)) { connectionPools[pool]?.prune() }
    }

    private func mayBeInUse(_ connection: SocketTable.Idle) -> Bool {
        let (pool, number) = (connection.pool, connection.transferNumber)
        guard connection.isHTTP1 else { return mayBeInUse(pool: pool, transferNumber: number) }
        // Only exchanges without a socket can be using HTTP/1 connections that were not watched for them.
        return transfers.all.contains { transfer in
            transfer.stage == .active
                && (transfer.number == number
                    || (!transfer.connection.hasSocket && transfer.isConnectionUncertain
                        && transfer.exchange.pool.identifier == pool))
        }
    }
}
