import CBluebonnet

/// What libcurl reads of a response over HTTP/1 that it was told to hand over no more of.
///
/// It keeps a buffer each time that it is let go on (8.14), and reads without end while it sends (every
/// version). It stops once it is told to wait in both directions.
struct ReadAhead {
    /// Bytes that may be kept before the sending of a body waits as well.
    ///
    /// A client that looks at the response only when the whole request is sent gets to it with less.
    static let largestKept: Int64 = 16 * 1024 * 1024

    /// Bytes of the body that libcurl has read and not handed over.
    let keptBytes: Int64
    /// Whether more of the body may come.
    let isMoreExpected: Bool

    /// Whether libcurl is not even to send while the response is held back.
    private(set) var mustStopSending: Bool

    /// `readBytes` is what libcurl has read of the body so far, `receivedBytes` what it has handed over.
    init(readBytes: Int64, receivedBytes: Int64, awaitedLength: Int?, isSending: Bool) {
        // libcurl counts what it has just handed over a little later.
        let keptBytes = max(0, readBytes - receivedBytes)
        self.keptBytes = keptBytes
        isMoreExpected = awaitedLength.map { receivedBytes + keptBytes < $0 } ?? true
        mustStopSending = isMoreExpected && (!isSending || keptBytes > Self.largestKept)
    }

    /// What a handle has read of a response while its request may still be sent.
    init(on handle: EasyHandle, _ response: borrowing ResponseReceiver, _ request: RequestSender) {
        let isSending =
            handle.readsBody
            && (!request.isBodyTaken
                || handle.offset(CURLINFO_SIZE_UPLOAD_T) < request.sentBytes)
        self.init(
            readBytes: handle.offset(CURLINFO_SIZE_DOWNLOAD_T),
            receivedBytes: response.takenBytes, awaitedLength: response.awaitedLength,
            isSending: isSending)
        // Over HTTP/2 libcurl's own windows limit what it keeps.
        if !response.hasHead || response.isHTTP2 { mustStopSending = false }
    }
}

extension EventLoop {
    /// Notes that libcurl was told to hand over no more of a response for now.
    func noteReadingOn(_ transfer: CurlTransfer) {
        guard !transfer.response.isHTTP2 else { return }
        transfersReadingOn[transfer.number] = transfer
    }

    /// Has libcurl wait in both directions where it would read on without end.
    func holdBack() {
        guard !transfersReadingOn.isEmpty else { return }
        for (number, transfer) in transfersReadingOn where transfer.stopReadingAhead() {
            transfersReadingOn[number] = nil
        }
    }
}
