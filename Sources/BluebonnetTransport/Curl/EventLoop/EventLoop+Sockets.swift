import CBluebonnet

extension EventLoop {
    /// Acts on what became ready, as far as this turn has time for it: epoll tells of the rest again.
    func dispatch(_ events: ArraySlice<bb_readiness>) {
        var slice = slice
        var isAnyLeft = false
        for event in events {
            // Idle connections do not wait: a request of this turn could go out on one that has ended.
            guard let (socket, connectionPool) = socketToActOn(event) else { continue }
            if !sockets.mayWait(socket) || sockets.isDue(socket) && slice.hasTime() {
                act(on: socket, of: connectionPool, event.events)
            } else if sockets.isDue(socket) {
                isAnyLeft = true
            }
        }
        sockets.endTurn(isAnyLeft: isAnyLeft)
    }

    /// The socket on which libcurl is to act, and where; nil where nothing is left to do.
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

    /// Watches a socket as libcurl asks for it, for the exchange of an easy handle, or for nobody.
    func watch(
        _ socket: Int32, for easy: UnsafeMutableRawPointer?, _ events: UInt32, pool: UInt64
    ) {
        var number: UInt64 = 0
        var isHeld = false
        // What is not watched is of interest where an exchange may hold it.
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

    /// Keeps what comes for an exchange from libcurl, though that waits for it.
    func mute(_ transfer: CurlTransfer) {
        mutedTransfers[transfer.number] = transfer
    }

    func unmute(_ transfer: CurlTransfer) {
        if mutedTransfers.removeValue(forKey: transfer.number) != nil { canRearm = true }
    }

    private func isMuted(_ socket: Int32) -> Bool {
        guard !mutedTransfers.isEmpty, let number = sockets.transferNumber(of: socket)
        else { return false }
        // One that is still being made is wanted in any case, and has a timeout.
        return mutedTransfers[number]?.times.connected != nil
    }

    /// Whether an exchange may be using a socket that libcurl does not watch: it is paused.
    ///
    /// One that was paused before libcurl ever watched its socket may be on any of the pool's.
    func mayBeInUse(pool: UInt64, transferNumber: UInt64) -> Bool {
        transfers.all.contains { transfer in
            transfer.stage == .active
                && (transfer.number == transferNumber
                    || (transfer.isConnectionUncertain
                        && transfer.exchange.pool.identifier == pool))
        }
    }

    /// Whether a pool has a paused exchange and none that moved in this turn.
    func isAtRest(pool: UInt64) -> Bool {
        var isAnyPaused = false
        for transfer in transfers.all where transfer.exchange.pool.identifier == pool {
            guard transfer.stage == .active else { continue }
            if transfer.times.lastActivity == now { return false }
            isAnyPaused = isAnyPaused || transfer.pauses.isAny
        }
        return isAnyPaused
    }

    /// Notes that an exchange's socket is known now, or of no interest any more.
    func socketBecameCertain() {
        canRearm = true
    }

    func rearmSockets() {
        guard canRearm else { return }
        canRearm = false
        sockets.rearm()
    }

    /// Takes leave of a connection's socket, and saves an answer on it that libcurl never read.
    func willClose(_ socket: Int32) {
        if !sendingTransfers.isEmpty, let number = sockets.transferNumber(of: socket),
            let transfer = sendingTransfers[number], !transfer.response.hasHead
        {
            transfer.earlyResponse = EarlyResponse(on: socket)
        }
        sockets.closing(socket)
    }
}
