import CBluebonnet

// A response that is held back.
//
// libcurl hands over no more of it, but may read on, and keeps that: a buffer each time that it is
// let go on (8.14), and without end while it sends (both versions). It does not once it is told to
// wait in both directions.
extension CurlTransfer {
    /// Bytes that may be kept before the sending of a body waits as well.
    ///
    /// A client that looks at the response only when the whole request is sent gets to it with less.
    private static let largestKept: Int64 = 16 * 1024 * 1024

    /// Bytes of the body that libcurl has read and not handed over.
    var keptBytes: Int64 {
        // It counts what it has just handed over a little later.
        max(0, (handle?.offset(CURLINFO_SIZE_DOWNLOAD_T) ?? 0) - wireBytes)
    }

    /// Whether libcurl is not even to send while the response is held back.
    var mustWaitBothWays: Bool {
        // How much is kept over HTTP/2 is up to its own windows.
        guard hasHead, !parser.isHTTP2, let handle else { return false }
        guard !handle.readsBody || isBodySent else {
            let kept = keptBytes
            return kept > Self.largestKept && mayRead(after: kept)
        }
        return mayRead(after: keptBytes)
    }

    private func mayRead(after kept: Int64) -> Bool {
        awaitedLength.map { wireBytes + kept < $0 } ?? true
    }

    /// Whether the request's body, if its length is known, has left as a whole.
    private var isBodySent: Bool {
        guard let length = exchange.body?.length, sentBytes == length, let handle else {
            return false
        }
        return handle.offset(CURLINFO_SIZE_UPLOAD_T) >= length
    }

    /// Has libcurl wait in both directions if it must; whether it does, or need not be looked at.
    @discardableResult
    func waitBothWaysIfNeeded() -> Bool {
        guard stage == .active, isHeldBack, !isSendingPaused,
            mayRead(after: keptBytes)
        else { return true }
        guard mustWaitBothWays, let handle,
            curl_easy_pause(handle.easy, CURLPAUSE_ALL) == CURLE_OK
        else { return false }
        pausedDirections = CURLPAUSE_ALL
        return true
    }
}

extension EventLoop {
    /// Notes that libcurl was told to hand over no more of a response for now.
    func noteReadingOn(_ transfer: CurlTransfer) {
        guard !transfer.parser.isHTTP2 else { return }
        transfersReadingOn[transfer.number] = transfer
    }

    /// Has libcurl wait in both directions where it would read on without end.
    func holdBack() {
        guard !transfersReadingOn.isEmpty else { return }
        for (number, transfer) in transfersReadingOn where transfer.waitBothWaysIfNeeded() {
            transfersReadingOn[number] = nil
        }
    }
}
