import CBluebonnet

// Exchanges that leave libcurl while a connection is opened for them, and then return.
extension ConnectionPool {
    /// Continues an exchange that libcurl ended because it got no socket.
    ///
    /// Returns false if there is nothing left to try.
    func connect(_ transfer: CurlTransfer) -> Bool {
        guard let new = transfer.connection.new, let handle = transfer.handle,
            let host = transfer.host
        else { return false }
        switch new.stage {
        case .following:
            takeOut(transfer, handle)
            host.followers.append(transfer)
            // The lead may already have its connection when libcurl reports this exchange.
            if host.lead == nil { settledHosts.append(host) }
            loop.noteDeadline(of: transfer)
        case .reconnecting, .listing:
            guard new.startRace(slow: slowAddresses, at: loop.now) else { return false }
            transfer.connection.nameLookupDuration = handle.seconds(CURLINFO_NAMELOOKUP_TIME_T)
            takeOut(transfer, handle)
            loop.race(transfer)
        case .racing, .connected, .handedOver: return false
        }
        return true
    }

    /// Removes an exchange from libcurl, which it will return to.
    func takeOut(_ transfer: CurlTransfer, _ handle: EasyHandle) {
        // libcurl resets its counters when the handle is added again.
        let body = handle.bodyBytes(hasBody: transfer.exchange.body != nil)
        transfer.connection.formerRequestHeaderBytes += handle.requestHeaderBytes(
            besideBodyOf: body)
        curl_multi_remove_handle(multi, handle.easy)
    }

    /// Hands an exchange back to libcurl.
    func putBack(_ transfer: CurlTransfer) {
        guard transfer.stage == .active, let handle = transfer.handle else { return }
        do throws(Exchange.Failure) {
            try handle.configureAgain(connectTimeout: transfer.remainingConnectTime)
            // Otherwise libcurl could use an idle connection and waste the new one.
            if transfer.connection.new?.isConnected == true { try handle.connectAnew() }
            let result = curl_multi_add_handle(multi, handle.easy)
            guard result == CURLM_OK else { throw .refusedExchange(result) }
            hurry()
            loop.noteDeadline(of: transfer)
        } catch {
            loop.finish(transfer, failure: error)
        }
    }

    // MARK: Exchanges that may share a connection

    /// Releases the followers of an exchange whose connection is open or will not be opened.
    ///
    /// Does nothing if the exchange is not its host's lead. ``wakeFollowers()`` hands the followers
    /// back to libcurl.
    func noteLeadIsOver(transfer: CurlTransfer) {
        guard let host = transfer.host, host.lead === transfer else { return }
        host.lead = nil
        guard !host.followers.isEmpty else { return }
        settledHosts.append(host)
        loop.markDirty(self)
    }

    /// Hands the followers of ``settledHosts`` back to libcurl.
    func wakeFollowers() {
        guard !settledHosts.isEmpty else { return }
        let hosts = settledHosts
        settledHosts.removeAll()
        for host in hosts {
            let followers = host.followers
            host.followers.removeAll()
            for transfer in followers {
                transfer.connection.new = nil
                putBack(transfer)
            }
        }
    }
}
