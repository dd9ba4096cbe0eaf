import CBluebonnet
import Foundation

// What libcurl takes of the request.
extension CurlTransfer {
    /// Counts an attempt to send the request; false when it must not go out again.
    func mayBeSent() -> Bool {
        request.countAttempt()
        noteConnection()
        request.isMultiplexed = connection.isHTTP2Possible
        return succeeds { () throws(Exchange.Failure) in
            try request.prepareAttempt(newConnectionCount: connection.count)
        }
    }

    /// Gives libcurl the next bytes of the body.
    func provideBody(_ place: UnsafeMutableRawBufferPointer) -> Int {
        guard !pauses.isSuspended else { return pauseSending() }
        let isFirst = request.sentBytes == 0
        switch request.fill(place) {
        case .later: return pauseSending()
        case .failed(let failure):
            self.failure = self.failure ?? failure
            return Int(CURL_READFUNC_ABORT)
        case .bytes(let count):
            if isFirst { loop.isSending(self) }
            times.lastActivity = loop.now
            if let sent = request.progress(isAtEnd: count == 0, at: loop.now) {
                report.sentBodyBytes = sent
                touch()
            }
            return count
        }
    }

    private func pauseSending() -> Int {
        pause(CURLPAUSE_SEND)
        return Int(CURL_READFUNC_PAUSE)
    }

    /// Goes back to the body's beginning for libcurl; false when it must not be sent again.
    func rewindBody() -> Bool {
        succeeds { () throws(Exchange.Failure) in try request.rewind() }
    }

    /// Takes a step; false if it failed, and the exchange with it.
    private func succeeds(_ step: () throws(Exchange.Failure) -> Void) -> Bool {
        do throws(Exchange.Failure) {
            try step()
            return true
        } catch {
            failure = failure ?? error
            return false
        }
    }

    /// How much was sent of a small body in memory, of which libcurl sends all without asking.
    var copiedBodyProgress: Int64? {
        guard let handle else { return nil }
        return request.progressOfCopiedBody { handle.offset(CURLINFO_SIZE_UPLOAD_T) }
    }

    // MARK: Sending again

    /// Returns whether the request may be sent once more (RFC 9110 section 9.2.2, RFC 9112 section
    /// 9.3.1): it failed without a byte of a response, on kept connections, and does no harm twice.
    ///
    /// libcurl sends it again itself where the head cannot be sent or reading fails, but not where the
    /// rest of the request cannot be sent: see ``LibcurlQuirks/ignoresEndWhileSending``. Nor does it over
    /// HTTP/2 where the frames of another request could not be sent.
    func isResendable(after result: CURLcode) -> Bool {
        guard let handle, failure == nil, times.firstByte == nil, earlyResponse == nil else {
            return false
        }
        if handle.hasTriedInVain(result) {
            return request.isIdempotent || request.attemptCount == 0
        }
        return result == CURLE_SEND_ERROR && request.attemptCount > 0 && request.isIdempotent
            && handle.number(CURLINFO_NUM_CONNECTS) == 0
    }
}

extension EasyHandle {
    /// Whether libcurl has gone from one kept connection to the next, of which each was at its end.
    ///
    /// A server of HTTP/2 leaves out what comes behind its last request of a connection, and others have
    /// been on the next connection meanwhile. Only libcurl's words tell it from a lost connection.
    func hasTriedInVain(_ result: CURLcode) -> Bool {
        result == CURLE_RECV_ERROR && errorText.hasPrefix("Connection died, tried")
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
