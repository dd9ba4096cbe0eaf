import CBluebonnet

// What a pool learns of its hosts from the exchanges under way, while libcurl calls back; nothing may be
// started there.
extension ConnectionPool {
    /// Lets another exchange look up a host's addresses, if this one counted among those that may.
    func noteAddress(of transfer: CurlTransfer) {
        guard transfer.isLookingUp else { return }
        queue.addressIsKnown(to: transfer)
        admitSoon()
    }

    /// Lets the exchanges with the same host go on that wait to see what a new connection speaks.
    func noteNewConnection(of transfer: CurlTransfer) {
        guard let handle = transfer.handle, handle.template.speaksHTTP2,
            let host = transfer.host, host.activeCount > 1,
            handle.number(CURLINFO_NUM_CONNECTS) > 0
        else { return }
        connectionIsKnown()
    }

    /// Notes what the version of a response says of the connections to its host.
    func noteVersion(of transfer: CurlTransfer, on handle: EasyHandle) throws(Exchange.Failure) {
        guard let host = transfer.host else { return }
        let isMultiplexed = transfer.response.isHTTP2
        guard !isMultiplexed || (handle.template.speaksHTTP2 && handle.isHTTP2Possible) else {
            throw .malformed(.statusLine, "the response claims to be HTTP/2, which was not spoken")
        }
        transfer.connection.isMultiplexed = isMultiplexed
        guard host.multiplexes != isMultiplexed else { return }
        queue.note(host, multiplexes: isMultiplexed)
        admitSoon()
    }
}
