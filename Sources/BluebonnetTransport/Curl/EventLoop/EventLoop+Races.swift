import CBluebonnet
import Glibc

// The sockets that are being connected, and the exchanges that wait for them.
extension EventLoop {
    /// Starts to connect to the addresses that libcurl has listed for an exchange.
    func race(_ transfer: CurlTransfer) {
        racingTransfers[transfer.number] = transfer
        noteDeadline(of: transfer)
        tryAddresses(of: transfer)
    }

    /// Starts the attempts whose start time has been reached.
    func continueRaces() {
        while let start = raceStarts.first, start.due <= now {
            _ = raceStarts.pop()
            guard let transfer = racingTransfers[start.transferNumber],
                let next = transfer.connection.new?.race?.nextStart, next <= now
            else { continue }
            tryAddresses(of: transfer)
        }
    }

    private func tryAddresses(of transfer: CurlTransfer) {
        guard let new = transfer.connection.new else { return }
        let source = transfer.exchange.pool.route.source
        while let attempt = new.startAttempt(from: source, at: now) {
            switch attempt {
            case .success(let socket): sockets.racing(socket, for: transfer.number)
            case .failure(let failed) where failed.isWithoutSocket:
                transfer.connection.socketErrorNumber = failed.failure.errorNumber
            case .failure: break
            }
        }
        if new.race?.isLost == true {
            endRace(of: transfer)
        } else if let start = new.race?.nextStart {
            raceStarts.append((start, transfer.number))
        }
    }

    /// Handles a racing socket that has connected or failed.
    func raced(_ socket: Int32, for number: UInt64) {
        guard let transfer = racingTransfers[number], let new = transfer.connection.new,
            new.has(socket)
        else { return }
        let error = bb_socket_error(socket)
        guard error == 0 else {
            new.lose(socket, error, at: now, in: sockets)
            return tryAddresses(of: transfer)
        }
        new.win(socket, in: sockets)
        if let (winner, slow) = new.result {
            transfer.handle?.connectionPool.slowAddresses.note(slow, winner: winner, at: now)
        }
        endRace(of: transfer)
    }

    private func endRace(of transfer: CurlTransfer) {
        racingTransfers[transfer.number] = nil
        racedTransfers.append(transfer)
    }

    /// Hands connected exchanges back to libcurl, and ends those that lost their race.
    ///
    /// Like every start of an exchange, this happens after all events of the turn have been
    /// handled.
    func settleRaces() {
        guard !racedTransfers.isEmpty else { return }
        let transfers = racedTransfers
        racedTransfers.removeAll()
        for transfer in transfers where transfer.stage == .active {
            if transfer.connection.new?.isConnected == true {
                transfer.handle?.connectionPool.putBack(transfer)
            } else {
                finish(transfer, result: CURLE_COULDNT_CONNECT)
            }
        }
    }

    /// Closes an exchange's sockets that libcurl does not have, and releases its followers.
    func endConnecting(_ transfer: CurlTransfer) {
        guard let new = transfer.connection.new.take() else { return }
        new.end(in: sockets)
        racingTransfers[transfer.number] = nil
        transfer.host?.followers.removeAll { $0 === transfer }
        transfer.handle?.connectionPool.noteLeadIsOver(transfer: transfer)
    }
}
