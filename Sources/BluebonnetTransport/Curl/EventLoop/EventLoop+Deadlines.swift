import Foundation

extension EventLoop {
    /// The minimum number of seconds between two checks of the deadlines.
    private static let sweepInterval: TimeInterval = 0.02

    func noteDeadline(of transfer: CurlTransfer) {
        guard let deadline = transfer.nextDeadline else { return }
        nextSweep = min(nextSweep ?? deadline, deadline)
    }

    /// Ends the exchanges whose timeout had expired at the time of the previous check for events.
    ///
    /// Data that arrived after that check may not have been processed yet.
    func sweepDeadlines() {
        guard let due = nextSweep, due <= lastLook else { return }
        for transfer in transfers.all { transfer.sample() }
        let expired = transfers.all.compactMap { transfer in
            transfer.timeout(at: lastLook).map { (transfer, $0) }
        }
        for (transfer, timeout) in expired where timeout != .queueStall {
            finish(transfer, failure: transfer.failure(of: timeout))
        }
        endStandstills(expired.lazy.filter { $0.1 == .queueStall }.map(\.0))
        let soonest = transfers.all.lazy.compactMap(\.nextDeadline).min()
        nextSweep = soonest.map { max($0, now.advanced(by: Self.sweepInterval)) }
    }

    /// Ends exchanges that wait for a connection, unless data has moved on the connections they
    /// wait for.
    private func endStandstills(_ waiting: some Sequence<CurlTransfer>) {
        // Thousands of exchanges can wait for the same connections.
        var known: [ObjectIdentifier: ConnectionWaitCauses] = [:]
        for transfer in waiting where transfer.stage == .waiting {
            guard let pool = connectionPools[transfer.exchange.pool.identifier] else { continue }
            let fullHost = transfer.host.flatMap { pool.queue.isFull($0) ? $0 : nil }
            let key = fullHost.map { ObjectIdentifier($0) } ?? ObjectIdentifier(pool)
            let standstill = known[key] ?? pool.standstill(of: fullHost)
            known[key] = standstill
            transfer.times.othersMoved = standstill.lastMovement ?? now
            if transfer.timeout(at: lastLook) == .queueStall {
                finish(transfer, failure: transfer.failure(of: standstill))
            }
        }
    }

    /// Moves the times of this turn's activity to its end, after a turn that took too long.
    ///
    /// Activity is recorded with the time at which the turn started, and a byte may have been read
    /// long after that.
    func redate(to end: MonotonicInstant) {
        for transfer in transfers.all { transfer.times.move(notesOf: now, to: end) }
    }

    /// Returns how long to wait for events, in milliseconds, or -1 for no limit.
    func waitMilliseconds() -> Int32 {
        guard decodingTransfers.isEmpty, waitingForTurn.isEmpty, dirty.isEmpty,
            racedTransfers.isEmpty,
            mailbox.prepareToSleep()
        else { return 0 }
        var earliest = nextSweep
        if let end = sockets.nextIdleEnd, end < earliest ?? end.next { earliest = end }
        for connectionPool in armed {
            if let timer = connectionPool.nextTimer, timer < earliest ?? timer.next {
                earliest = timer
            }
        }
        if let start = raceStarts.first?.due, start < earliest ?? start.next { earliest = start }
        guard let earliest else { return -1 }
        let current = MonotonicInstant.now
        guard earliest > current else { return 0 }
        // Rounded up, or the loop would spin during the last millisecond.
        let milliseconds = (earliest.nanoseconds - current.nanoseconds + 999_999) / 1_000_000
        return Int32(min(milliseconds, 60_000))
    }
}

extension MonotonicInstant {
    fileprivate var next: Self { advanced(by: 1) }
}
