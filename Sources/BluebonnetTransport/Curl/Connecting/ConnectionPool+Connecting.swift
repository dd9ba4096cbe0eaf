import CBluebonnet

// Exchanges that leave libcurl to be connected, and come back.
extension ConnectionPool {
    /// Goes on with an exchange that libcurl was given no socket for; false where nothing more can be
    /// tried.
    func connect(_ transfer: CurlTransfer) -> Bool {
        guard let new = transfer.connection.new, let handle = transfer.handle,
            let host = transfer.host
        else { return false }
        switch new.stage {
        case .following:
            takeOut(transfer, handle)
            host.followers.append(transfer)
            // The lead may have had its connection before libcurl got round to this one.
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

    private func takeOut(_ transfer: CurlTransfer, _ handle: EasyHandle) {
        // libcurl counts anew then.
        let body = handle.bodyBytes(hasBody: transfer.exchange.body != nil)
        transfer.connection.formerRequestHeaderBytes += handle.requestHeaderBytes(
            besideBodyOf: body)
        curl_multi_remove_handle(multi, handle.easy)
    }

    /// Gives an exchange to libcurl again.
    func putBack(_ transfer: CurlTransfer) {
        guard transfer.stage == .active, let handle = transfer.handle else { return }
        do throws(Exchange.Failure) {
            try handle.configureAgain(connectTimeout: transfer.remainingConnectTime)
            // A kept connection that has become free meanwhile would waste the new one.
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

    /// Lets those go on that waited for an exchange's connection, if it is made, or does not come.
    func noteLeadIsOver(transfer: CurlTransfer) {
        guard let host = transfer.host, host.lead === transfer else { return }
        host.lead = nil
        guard !host.followers.isEmpty else { return }
        settledHosts.append(host)
        loop.markDirty(self)
    }

    /// Gives libcurl those again that have nothing to wait for any more.
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
