import CBluebonnet

extension EventLoop {
    /// Acts on ready sockets as long as this turn has time.
    ///
    /// epoll reports the remaining ones again.
    func dispatch(_ events: ArraySlice<bb_readiness>) {
        var slice = slice
        var isAnyLeft = false
        for event in events {
            // Idle connections are handled at once, or a request of this turn could go out on a
            // closed one.
            guard let (socket, connectionPool) = socketToActOn(event) else { continue }
            if !sockets.mayWait(socket) || sockets.isDue(socket) && slice.hasTime() {
                act(on: socket, of: connectionPool, event.events)
            } else if sockets.isDue(socket) {
                isAnyLeft = true
            }
        }
        sockets.endTurn(isAnyLeft: isAnyLeft)
    }

    /// Returns the socket of an event and the connection pool that has to act on it.
    ///
    /// Returns nil if libcurl does not have to act, and handles the event itself.
    private func socketToActOn(_ event: bb_readiness) -> (Int32, ConnectionPool)? {
        guard event.token != Self.wakeToken else {
            mailbox.acknowledgeWaking()
            return nil
        }
        let (socket, reaction) = sockets.reaction(to: event.token)
        switch reaction {
        case .none: break
        case .race(let number): raced(socket, for: number)
        case .act where isMuted(socket): sockets.disarm(socket)
        case .act(let pool): return connectionPools[pool].map { (socket, $0) }
        case .unwanted(let pool, let number):
            if mayBeInUse(pool: pool, transferNumber: number) {
                sockets.disarm(socket)
            } else {
                sockets.end(socket, at: now)
            }
        }
        return nil
    }

    /// Watches a socket for the events that libcurl asks for.
    ///
    /// `easy` is the handle of the exchange that the socket is watched for, or nil for none.
    /// `events` is 0 if libcurl no longer watches the socket.
    func watch(
        _ socket: Int32, for easy: UnsafeMutableRawPointer?, _ events: UInt32, pool: UInt64
    ) {
        var number: UInt64 = 0
        var isHeld = false
        // A socket that is no longer watched matters only if a paused exchange may hold it.
        if let easy, events != 0 || mayHoldSockets, let context = EasyHandle.context(of: easy),
            let transfer = EasyHandle.from(context).transfer
        {
            number = transfer.number
            if events == 0 {
                isHeld = transfer.holds(socket)
            } else {
                if !transfer.connection.hasSocket { socketBecameCertain() }
                transfer.connection.socket = socket
            }
        }
        sockets.libcurlWants(
            events, of: socket, for: number, pool: pool, isHeld: isHeld, at: now)
    }

    private func act(on socket: Int32, of connectionPool: ConnectionPool, _ events: UInt32) {
        sockets.serve(socket)
        connectionPool.act(on: socket, events: events)
    }

    /// Withholds incoming data of an exchange from libcurl, which still waits for it.
    func mute(_ transfer: CurlTransfer) {
        mutedTransfers[transfer.number] = transfer
    }

    func unmute(_ transfer: CurlTransfer) {
        if mutedTransfers.removeValue(forKey: transfer.number) != nil { canRearm = true }
    }

    private func isMuted(_ socket: Int32) -> Bool {
        guard !mutedTransfers.isEmpty, let number = sockets.transferNumber(of: socket)
        else { return false }
        // A connection that is still being opened is not muted, and has a timeout.
        return mutedTransfers[number]?.times.connected != nil
    }

    /// Returns whether an exchange may be using a socket that libcurl does not watch because of a
    /// pause.
    ///
    /// An exchange that was paused before libcurl watched its socket may be using any socket of the
    /// pool.
    func mayBeInUse(pool: UInt64, transferNumber: UInt64) -> Bool {
        transfers.all.contains { transfer in
            transfer.stage == .active
                && (transfer.number == transferNumber
                    || (transfer.isConnectionUncertain
                        && transfer.exchange.pool.identifier == pool))
        }
    }

    /// Returns whether a pool has a paused exchange and none that moved data in this turn.
    func isAtRest(pool: UInt64) -> Bool {
        var isAnyPaused = false
        for transfer in transfers.all where transfer.exchange.pool.identifier == pool {
            guard transfer.stage == .active else { continue }
            if transfer.times.lastActivity == now { return false }
            isAnyPaused = isAnyPaused || transfer.pauses.isAny
        }
        return isAnyPaused
    }

    /// Records that an exchange's socket is now known or no longer relevant.
    func socketBecameCertain() {
        canRearm = true
    }

    func rearmSockets() {
        guard canRearm else { return }
        canRearm = false
        sockets.rearm()
    }

    /// Removes a socket that libcurl is about to close, and saves an unread response on it.
    func willClose(_ socket: Int32) {
        if !sendingTransfers.isEmpty, let number = sockets.transferNumber(of: socket),
            let transfer = sendingTransfers[number], !transfer.response.hasHead
        {
            transfer.earlyResponse = EarlyResponse(on: socket)
        }
        sockets.closing(socket)
    }
}
