import CBluebonnet

// The exchanges that libcurl itself keeps waiting for a connection that they may share.
extension ConnectionPool {
    /// Notes that there is a connection of which libcurl now knows whether it can be shared.
    func connectionIsKnown() {
        hasNewConnection = true
        loop.markDirty(self)
    }

    /// Has libcurl look again at the exchanges that wait for what a connection turns out to be.
    ///
    /// libcurl 8.14 does not where a server chooses no protocol: they would wait for the end of the
    /// exchange on it. It does whenever a handle leaves.
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
