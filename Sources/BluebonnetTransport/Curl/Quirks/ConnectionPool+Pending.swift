import CBluebonnet

// The exchanges that wait inside libcurl for a connection that they may share.
extension ConnectionPool {
    /// Records that libcurl now knows whether a new connection can be shared.
    func connectionIsKnown() {
        hasNewConnection = true
        loop.markDirty(self)
    }

    /// Makes libcurl recheck the exchanges that wait to learn whether a connection can be shared.
    ///
    /// libcurl 8.14 does not recheck them if the server selects no protocol, so they would wait
    /// until the exchange on the connection ends. It does so whenever a handle is removed.
    func wakePending() {
        guard hasNewConnection, fault == nil else { return }
        hasNewConnection = false
        guard let spare = try? idleHandle(isSecure: true) else { return }
        if curl_multi_add_handle(multi, spare.easy) == CURLM_OK {
            curl_multi_remove_handle(multi, spare.easy)
        }
        keep(spare)
    }
}
