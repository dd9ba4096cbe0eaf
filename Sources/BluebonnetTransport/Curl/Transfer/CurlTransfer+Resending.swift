import CBluebonnet

// A request that goes out on a kept connection may find that the server has closed it meanwhile.
// libcurl sends it again where the head cannot be sent, and where reading fails, but not where it is
// the rest of the request that cannot be sent any more.
extension CurlTransfer {
    /// Whether the request may be sent once more (RFC 9110 section 9.2.2, RFC 9112 section 9.3.1): it
    /// failed on a kept connection, without a byte of an answer, and it does no harm twice.
    ///
    /// It goes out on a new connection then, so this is never true a second time.
    func mayResend(after result: CURLcode) -> Bool {
        guard result == CURLE_SEND_ERROR, let handle, failure == nil, attempts > 0 else {
            return false
        }
        return isIdempotent && stamps.firstByte == nil && earlyResponse == nil
            && host?.multiplexes != true && handle.number(CURLINFO_NUM_CONNECTS) == 0
    }

    /// Forgets what was true of the connection; the body goes back to its beginning when the request
    /// is about to be sent.
    func willResend() {
        noteLostAttempt()
        pausedDirections = 0
        socket = -1
        sentAtLastLook = 0
    }
}

extension EasyHandle {
    /// Has a connection made for the exchange, whatever connections there are.
    func connectAnew() throws(Exchange.Failure) {
        try set(CURLOPT_FRESH_CONNECT, 1)
        connectsAnew = true
    }

    func useKeptConnections() throws(Exchange.Failure) {
        guard connectsAnew else { return }
        try set(CURLOPT_FRESH_CONNECT, 0)
        connectsAnew = false
    }
}
