import Foundation

// Connections that no exchange uses, when their time is over.
extension EventLoop {
    /// Closes those that have been idle for long enough.
    func closeOldConnections() {
        guard let due = sockets.nextIdleEnd, due <= now else { return }
        close(sockets.takeOld(at: now))
    }

    /// Closes all of a pool's idle ones, those that an exchange might be using as soon as that is known.
    func closeIdleConnections(ofPool identifier: UInt64) {
        sockets.outlive(idleOfPool: identifier, at: now)
        closeOldConnections()
    }

    private func close(_ idle: [SocketTable.Idle]) {
        var pools = Set<UInt64>()
        for connection in idle {
            // What libcurl does not know to be old has to be at its end. Others it closes in good order.
            if connection.endsBeforeItsTime, !isInUse(connection) {
                sockets.end(connection.socket, at: now)
            }
            pools.insert(connection.pool)
        }
        for pool in pools { connectionPools[pool]?.prune() }
    }

    /// Whether an exchange may be using a connection.
    ///
    /// On one with HTTP/1 that is the exchange that it was last watched for, or one without any.
    private func isInUse(_ connection: SocketTable.Idle) -> Bool {
        let (pool, number) = (connection.pool, connection.transferNumber)
        guard !connection.isMultiplexed else {
            return mayBeInUse(pool: pool, transferNumber: number)
        }
        return transfers.all.contains { transfer in
            transfer.stage == .active
                && (transfer.number == number
                    || (!transfer.connection.hasSocket && transfer.isConnectionUncertain
                        && transfer.exchange.pool.identifier == pool))
        }
    }
}
