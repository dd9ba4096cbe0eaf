import CBluebonnet

/// The part of an HTTP/1 response that libcurl reads although receiving is paused.
///
/// libcurl fills another buffer each time that it is resumed (8.14), and reads without limit while
/// it sends (every version). It stops once both directions are paused.
struct ReadAhead {
    /// The number of bytes that libcurl may keep before the sending of the body is paused as well.
    ///
    /// A client that reads the response only after it has sent the whole request needs less.
    static let largestKept: Int64 = 16 * 1024 * 1024

    /// The bytes of the body that libcurl has read but not delivered.
    let keptBytes: Int64
    /// Whether more of the body can arrive.
    let isMoreExpected: Bool

    /// Whether sending must be paused too while receiving is paused.
    private(set) var mustStopSending: Bool

    /// Creates a read-ahead from counts of the body's bytes.
    ///
    /// `readBytes` is how many libcurl has read so far, and `receivedBytes` how many of them it has
    /// delivered.
    init(readBytes: Int64, receivedBytes: Int64, awaitedLength: Int?, isSending: Bool) {
        // libcurl counts bytes a little later than it delivers them.
        let keptBytes = max(0, readBytes - receivedBytes)
        self.keptBytes = keptBytes
        isMoreExpected = awaitedLength.map { receivedBytes + keptBytes < $0 } ?? true
        mustStopSending = isMoreExpected && (!isSending || keptBytes > Self.largestKept)
    }

    /// Creates the read-ahead of a handle, which may still be sending the request.
    init(on handle: EasyHandle, _ response: borrowing ResponseReceiver, _ request: RequestSender) {
        let isSending =
            handle.readsBody
            && (!request.isBodyTaken
                || handle.offset(CURLINFO_SIZE_UPLOAD_T) < request.sentBytes)
        self.init(
            readBytes: handle.offset(CURLINFO_SIZE_DOWNLOAD_T),
            receivedBytes: response.takenBytes, awaitedLength: response.awaitedLength,
            isSending: isSending)
        // Over HTTP/2, libcurl's own windows limit what it keeps.
        if !response.hasHead || response.isHTTP2 { mustStopSending = false }
    }
}

extension EventLoop {
    /// Records that receiving was paused for an exchange.
    func noteReadingOn(_ transfer: CurlTransfer) {
        guard !transfer.response.isHTTP2 else { return }
        transfersReadingOn[transfer.number] = transfer
    }

    /// Pauses both directions of exchanges for which libcurl would read without limit.
    func holdBack() {
        guard !transfersReadingOn.isEmpty else { return }
        for (number, transfer) in transfersReadingOn where transfer.stopReadingAhead() {
            transfersReadingOn[number] = nil
        }
    }
}
