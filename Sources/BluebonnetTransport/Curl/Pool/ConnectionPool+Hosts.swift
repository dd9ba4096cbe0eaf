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
        guard let host = transfer.host else { return }
        let isMultiplexed = transfer.response.isHTTP2
        guard !isMultiplexed || (handle.template.speaksHTTP2 && handle.isHTTP2Possible) else {
            throw .malformed(.statusLine, "the response claims HTTP/2, which was not negotiated")
        }
        transfer.connection.isMultiplexed = isMultiplexed
        guard host.multiplexes != isMultiplexed else { return }
        queue.note(host, multiplexes: isMultiplexed)
        admitSoon()
    }
}
