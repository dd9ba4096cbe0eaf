import CBluebonnet

// Whether a server refused a request without processing it: it reset the HTTP/2 stream with
// REFUSED_STREAM, or ended the connection with a GOAWAY that excludes the stream (RFC 9113 sections
// 6.8 and 8.7). Such a request can be sent again, whatever its method.
//
// libcurl reports both as a failure to receive, after which it tries to send the request again. It
// puts a message into the error buffer for every other failure to receive over HTTP/2, but not for
// this one. So a resend without a message follows a refusal. `FaultMatrixTests` checks with each
// libcurl that no other end of a connection looks like one.
extension CurlTransfer {
    /// Records on the connection that is about to be used whether a refusal could be told from other
    /// failures on it.
    func noteIfRefusalsCanBeTold(on handle: EasyHandle) {
        // libcurl keeps the first message, so a former one would hide that there was another.
        connection.canTellRefusals = handle.speaksHTTP2(connection) && handle.errorText.isEmpty
    }

    /// Records how the last attempt ended, now that libcurl is about to send the request again.
    func noteEndOfAttempt() {
        noteEndOfAttempt(isWithoutMessage: handle?.errorText.isEmpty == true)
    }

    /// Records how the last attempt ended, after which libcurl gave up.
    ///
    /// `result` is nil if it was ended before libcurl did.
    func noteEndOfAttempt(with result: CURLcode?) {
        let isWithoutMessage = result.flatMap { handle?.hasTriedInVain($0) } == true
        noteEndOfAttempt(isWithoutMessage: isWithoutMessage)
    }

    private func noteEndOfAttempt(isWithoutMessage: Bool) {
        request.noteEndOfAttempt(
            wasRefused: connection.canTellRefusals && isWithoutMessage && times.firstByte == nil
                && earlyResponse == nil)
    }
}

extension EasyHandle {
    /// Whether the current connection uses HTTP/2 for certain.
    fileprivate func speaksHTTP2(_ connection: borrowing TransferConnection) -> Bool {
        guard template.speaksHTTP2, connection.isHTTP2Possible else { return false }
        // Without TLS to inspect, only prior knowledge without a proxy is certain.
        return template.isSecure ? connection.security != nil : proxy == nil
    }
}
