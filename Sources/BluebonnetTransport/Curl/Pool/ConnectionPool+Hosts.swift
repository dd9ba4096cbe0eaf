import CBluebonnet

// What a pool learns about its hosts from exchanges in progress. This runs in libcurl callbacks,
// where no exchange can be started.
extension ConnectionPool {
    /// Ends the name look-up of an exchange, if it has one, so that another exchange can start its
    /// own.
    func noteAddress(of transfer: CurlTransfer) {
        guard transfer.isLookingUp else { return }
        queue.addressIsKnown(to: transfer)
        admitSoon()
    }

    /// Wakes exchanges with the same host that wait to learn which protocol a new connection
    /// speaks.
    func noteNewConnection(of transfer: CurlTransfer) {
        guard let handle = transfer.handle, handle.template.speaksHTTP2,
            let host = transfer.host, host.activeCount > 1,
            handle.number(CURLINFO_NUM_CONNECTS) > 0
        else { return }
        connectionIsKnown()
    }

    /// Records what the HTTP version of a response reveals about the connections to its host.
    func noteVersion(of transfer: CurlTransfer, on handle: EasyHandle) throws(Exchange.Failure) {
        let isMultiplexed = transfer.response.isHTTP2
        guard !isMultiplexed || (handle.template.speaksHTTP2 && handle.isHTTP2Possible) else {
            throw .malformed(.statusLine, "the response claims HTTP/2, which was not negotiated")
        }
        transfer.connection.isMultiplexed = isMultiplexed
        queue.noteAnswer(to: transfer, isMultiplexed: isMultiplexed)
        admitSoon()
    }

    // MARK: Look-ups

    /// Returns whether libcurl may look up a name for an exchange, which is returned to the queue
    /// otherwise.
    ///
    /// libcurl asks only if it has no connection for the exchange, and the name is not in its cache.
    func mayLookUp(for transfer: CurlTransfer) -> Bool {
        guard let handle = transfer.handle else { return true }
        // Now, because the message of a lost connection is lost with the handle.
        transfer.noteEndOfAttempt()
        guard handle.looksUpName else { return true }
        transfer.isLookUpDenied = !queue.mayLookUp(transfer)
        return !transfer.isLookUpDenied
    }

    /// Returns an exchange that was denied a look-up to the queue.
    func requeue(_ transfer: CurlTransfer) {
        guard let handle = transfer.handle else { return }
        transfer.isLookUpDenied = false
        transfer.connection.socket = -1
        loop.endConnecting(transfer)
        takeOut(transfer, handle)
        transfer.handle = nil
        handle.transfer = nil
        handle.isUsed = true
        keep(handle)
        transfer.stage = .waiting
        // It had a connection in the meantime.
        if transfer.request.attemptCount > 0 { transfer.times.noteQueued(at: loop.now) }
        queue.rejoin(transfer)
        loop.noteDeadline(of: transfer)
    }
}
