import CBluebonnet

/// The HTTP/2 stream of an attempt to send a request.
struct AttemptStream {
    /// libcurl's number of the connection.
    let connection: Int64
    /// The stream's number, or nil if it is unknown.
    var number: UInt32?
    /// Whether libcurl had put no message into the handle's error buffer before the attempt.
    ///
    /// libcurl keeps the first message, so it would hide another one.
    let beganWithoutMessage: Bool
}

// Whether a server refused a request without processing it: it reset the HTTP/2 stream with
// REFUSED_STREAM, or ended the connection with a GOAWAY that excludes the stream (RFC 9113 sections
// 6.8 and 8.7). Such a request can be sent again, whatever its method.
//
// libcurl reports both as a failure to receive, after which it tries to send the request again. The
// stream's number tells whether a GOAWAY excludes it. A reset of the stream is known by the absence
// of a message: see `LibcurlQuirks.isSilentAboutRefusedStreams`.
extension CurlTransfer {
    /// Records the stream that is about to be opened, if the connection uses HTTP/2 for certain.
    func noteStream(on handle: EasyHandle) {
        guard handle.speaksHTTP2(connection) else { return connection.stream = nil }
        connection.stream = AttemptStream(
            connection: handle.offset(bb_info_connection_number),
            beganWithoutMessage: handle.errorText.isEmpty)
        // libcurl would write each field of the request, which takes long. Without notes, a refusal
        // is known unless sending fails before it is read: a proxy can end its tunnel abruptly,
        // while servers usually wait.
        let isKnownWithoutNotes =
            LibcurlQuirks.current.isSilentAboutRefusedStreams && handle.proxy == nil
        guard !request.isIdempotent, !isKnownWithoutNotes else { return }
        handle.beginNotes()
        // A GOAWAY arrives before the end of its connection, after which sending fails.
        bb_easy_read_before_failing(handle.easy)
    }

    func receive(_ note: HTTP2Note) {
        guard let handle else { return }
        switch note {
        case .opened(let number): connection.stream?.number = number
        case .goAway(let lastStream):
            // When libcurl looks for a connection, this is not always the last one of the exchange.
            handle.connectionPool.goAways.note(
                lastStream: lastStream, ofConnection: handle.offset(bb_info_connection_number))
        }
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
        var wasRefused = false
        if let stream = connection.stream, times.firstByte == nil, earlyResponse == nil {
            let isKnownBySilence =
                isWithoutMessage && stream.beganWithoutMessage
                && LibcurlQuirks.current.isSilentAboutRefusedStreams
            wasRefused = isKnownBySilence || isExcluded(stream)
        }
        connection.stream = nil
        request.noteEndOfAttempt(wasRefused: wasRefused)
    }

    private func isExcluded(_ stream: AttemptStream) -> Bool {
        guard let number = stream.number, let goAways = handle?.connectionPool.goAways else {
            return false
        }
        return goAways.exclude(number, ofConnection: stream.connection)
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
