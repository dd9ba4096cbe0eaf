import CBluebonnet

// Exchanges whose next address libcurl would try late: see `LibcurlQuirks.delaysNextAddress`.
extension ConnectionPool {
    /// Has libcurl look at an exchange at the end of the turn, after an address without a socket.
    ///
    /// It is called while libcurl calls back, when nothing may be asked of it.
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
            // A pause that changes nothing does not wake it.
            curl_easy_pause(handle.easy, CURLPAUSE_ALL)
            curl_easy_pause(handle.easy, transfer.pauses.directions)
        }
    }
}
