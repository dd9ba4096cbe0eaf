import CBluebonnet

// Exchanges whose next address libcurl would try too late: see `LibcurlQuirks.delaysNextAddress`.
extension ConnectionPool {
    /// Schedules an exchange that got no socket for an address, so that libcurl tries the next one
    /// soon.
    ///
    /// Called from libcurl callbacks, where libcurl must not be called. ``wakeDenied()`` follows at
    /// the end of the turn.
    func tryNextAddressSoon(for transfer: CurlTransfer) {
        guard LibcurlQuirks.current.delaysNextAddress else { return }
        denied.append(transfer)
        loop.markDirty(self)
    }

    /// Wakes the exchanges that were denied a socket in this turn.
    func wakeDenied() {
        guard !denied.isEmpty else { return }
        let transfers = denied
        denied.removeAll()
        for transfer in transfers {
            guard transfer.stage == .active, let handle = transfer.handle else { continue }
            hurry()
            // libcurl ignores an unpause that changes nothing, so pause first.
            curl_easy_pause(handle.easy, bb_pause_both)
            curl_easy_pause(handle.easy, transfer.pauses.directions)
        }
    }
}
