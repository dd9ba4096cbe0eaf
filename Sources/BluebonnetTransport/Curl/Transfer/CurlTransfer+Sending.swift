import CBluebonnet
import Foundation

// The request as libcurl sends it.
extension CurlTransfer {
    /// Counts an attempt to send the request, and returns false if it must not be sent again.
    func mayBeSent() -> Bool {
        noteEndOfAttempt()
        request.countAttempt()
        noteConnection()
        return succeeds { () throws(Exchange.Failure) in
            try request.prepareAttempt(newConnectionCount: connection.count)
        }
    }

    /// Copies the next bytes of the body for libcurl, and returns their number or a libcurl code.
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

    /// Returns whether a body of length 0 has ended, or throws if it has bytes.
    ///
    /// libcurl never reads such a body. Returns true for all other bodies.
    func confirmsEmptyBody() throws(Exchange.Failure) -> Bool {
        guard case .stream(let stream) = exchange.body, stream.length == 0 else { return true }
        var byte: UInt8 = 0
        switch withUnsafeMutableBytes(of: &byte, { request.body?.fill($0) }) {
        case .later: return false
        case .failed(let failure): throw failure
        case .bytes, nil: break
        }
        // Its source has been read, and need not be read again if the request is sent again.
        request.body = MemoryBody(Data())
        return true
    }

    /// Whether the exchange waits for the end of a body of length 0, before it joins a queue.
    var isBodyUnconfirmed: Bool { stage == .parked && host == nil }

    private func pauseSending() -> Int {
        pause(bb_pause_sending)
        return Int(CURL_READFUNC_PAUSE)
    }

    /// Rewinds the body for libcurl, and returns false if the request must not be sent again.
    func rewindBody() -> Bool {
        noteEndOfAttempt()
        return succeeds { () throws(Exchange.Failure) in try request.rewind() }
    }

    /// Performs a step, and returns false if it failed, which fails the exchange.
    private func succeeds(_ step: () throws(Exchange.Failure) -> Void) -> Bool {
        do throws(Exchange.Failure) {
            try step()
            return true
        } catch {
            failure = failure ?? error
            return false
        }
    }

    /// The number of bytes sent of a small body in memory, which libcurl sends without calling
    /// back.
    var copiedBodyProgress: Int64? {
        guard let handle else { return nil }
        return request.progressOfCopiedBody { handle.offset(CURLINFO_SIZE_UPLOAD_T) }
    }

    // MARK: Sending again

    /// Returns whether the request may be sent once more (RFC 9110 section 9.2.2, RFC 9112 section
    /// 9.3.1).
    ///
    /// It may if it failed on reused connections before a byte of a response arrived, and if it is
    /// idempotent, was not sent, or was not processed.
    ///
    /// libcurl itself sends a request again if the head cannot be sent or reading fails. It does
    /// not if the rest of the request cannot be sent (see
    /// ``LibcurlQuirks/ignoresEndWhileSending``), or over HTTP/2 if the frames of another request
    /// cannot be sent.
    func isResendable(after result: CURLcode) -> Bool {
        guard let handle, failure == nil, times.firstByte == nil, earlyResponse == nil else {
            return false
        }
        if handle.hasTriedInVain(result) { return request.maySendAgain }
        let isLost = [CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2].contains(result)
        if isLost, request.attemptCount > 0, request.isUnprocessed { return true }
        return result == CURLE_SEND_ERROR && request.attemptCount > 0 && request.isIdempotent
            && handle.number(CURLINFO_NUM_CONNECTS) == 0
    }
}

extension EasyHandle {
    /// Returns whether libcurl has tried several reused connections, all of which had ended.
    ///
    /// An HTTP/2 server ignores the requests after its last one on a connection, and other
    /// exchanges may have used the next connection in the meantime. Only libcurl's error text
    /// distinguishes this from a lost connection. It is the first message of the exchange.
    func hasTriedInVain(_ result: CURLcode) -> Bool {
        result == CURLE_RECV_ERROR && errorText.hasPrefix("Connection died, tried")
    }
}

extension EasyHandle {
    /// Makes libcurl open a new connection for the exchange, even if an idle one is available.
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
