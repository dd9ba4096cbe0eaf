import CBluebonnet

// The commands that other threads send to the loop.
extension EventLoop {
    func runCommands() {
        for command in commands {
            run(command)
        }
        commands.removeAll(keepingCapacity: commands.count <= 1024)
    }

    private func run(_ command: LoopCommand) {
        switch command {
        case .start(let transfer): start(transfer)
        case .abort(let transfer):
            if transfer.stage != .made { try? transfer.handle?.forbidReuse() }
            run(.cancel(transfer))
        case .cancel(let transfer):
            // A transfer that has not begun reports the cancellation when it begins.
            guard transfer.stage != .made else { return transfer.failure = .cancelled }
            finish(transfer, failure: .cancelled)
        case .suspend(let transfer): transfer.setSuspended(true)
        case .resume(let transfer):
            transfer.setSuspended(false)
            connectionPools[transfer.exchange.pool.identifier]?.rejoin(transfer)
        case .flow(let transfer):
            if transfer.isBodyUnconfirmed { return enter(transfer) }
            transfer.flowAgain()
        case .prioritize(let transfer, let priority):
            transfer.priority = priority
            connectionPools[transfer.exchange.pool.identifier]?.reorder(transfer)
        case .closePool(let identifier, let tell):
            let isUsed = transfers.all.contains { $0.exchange.pool.identifier == identifier }
            if isUsed {
                closeIdleConnections(ofPool: identifier)
            } else {
                closeConnectionPool(identifier)
            }
            tell(!isUsed)
        case .inspect(let look): look(self)
        case .shutDown: isShuttingDown = true
        }
    }

    private func start(_ transfer: CurlTransfer) {
        guard transfer.stage == .made else { return }
        transfer.stage = .waiting
        transfer.times = TransferTimes(transfer.start)
        transfers.append(transfer)
        noteDeadline(of: transfer)
        enter(transfer)
    }

    /// Adds an exchange to the queue of its pool, or waits until its empty body has ended.
    private func enter(_ transfer: CurlTransfer) {
        do throws(Exchange.Failure) {
            if let failure = transfer.failure { throw failure }
            guard try transfer.confirmsEmptyBody() else {
                transfer.stage = .parked
                return noteDeadline(of: transfer)
            }
            // It has not waited for a connection so far.
            if transfer.stage == .parked { transfer.times.noteQueued(at: now) }
            transfer.stage = .waiting
            try connectionPool(for: transfer.exchange.pool).start(transfer)
        } catch {
            finish(transfer, failure: error)
        }
    }
}
