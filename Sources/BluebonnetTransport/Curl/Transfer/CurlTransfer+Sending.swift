import CBluebonnet
import Foundation

// What libcurl takes of the request.
extension CurlTransfer {
    /// Counts an attempt to send the request; false when it must not go out again.
    func mayBeSent() -> Bool {
        request.countAttempt()
        noteConnection()
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
    /// 9.3.1): it failed on a kept connection, without a byte of a response, and does no harm twice.
    ///
    /// libcurl sends it again itself where the head cannot be sent or reading fails, but not where the
    /// rest of the request cannot be sent: see ``LibcurlQuirks/ignoresEndWhileSending``.
    func isResendable(after result: CURLcode) -> Bool {
        guard result == CURLE_SEND_ERROR, let handle, failure == nil, request.attemptCount > 0
        else { return false }
        return request.isIdempotent && times.firstByte == nil && earlyResponse == nil
            && host?.multiplexes != true && handle.number(CURLINFO_NUM_CONNECTS) == 0
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
