import CBluebonnet

/// Bytes that came on a connection behind a response, and belong to no request.
///
/// A server that sends some, by mistake or not, must not have them taken for the response to the next
/// request on the connection.
enum ExcessBytes {
    /// Has the connection closed if more has come than the response, whose last byte libcurl is just
    /// handing over, so that no other request goes out on it.
    ///
    /// libcurl reads no further than the declared length, but reads over what follows the last chunk
    /// in its buffer. What TLS has decrypted beyond that waits in OpenSSL's memory, where no watch over
    /// the socket finds it.
    ///
    /// `excess` are bytes behind the response that libcurl has read already.
    static func closeConnection(
        of transfer: CurlTransfer, excess: Int = 0
    ) throws(Exchange.Failure) {
        guard !transfer.response.isHTTP2, let handle = transfer.handle,
            excess > 0 || handle.hasDecrypted || areUnread(of: transfer, on: handle)
        else { return }
        try handle.forbidReuse()
    }

    private static func areUnread(of transfer: CurlTransfer, on handle: EasyHandle) -> Bool {
        guard transfer.response.isBodiless || mayBeUnread(of: transfer, on: handle) else {
            return false
        }
        let socket = transfer.connection.socket
        return transfer.loop.sockets.transferNumber(of: socket) == transfer.number
            && bb_socket_unread_count(socket) > 0
    }

    /// Returns whether the kernel may hold bytes behind a response that were there before its end was
    /// read.
    ///
    /// A small response is read in one piece with whatever follows it. That saves a system call for
    /// most.
    private static func mayBeUnread(of transfer: CurlTransfer, on handle: EasyHandle) -> Bool {
        transfer.times.lastHeaderLine != transfer.loop.now
            || transfer.response.size >= handle.receiveBufferSize / 2
    }
}

extension EasyHandle {
    /// Whether TLS holds bytes of the connection in use that were not read.
    fileprivate var hasDecrypted: Bool {
        (template.isSecure || proxy?.scheme == .https) && bb_easy_has_decrypted(easy) != 0
    }
}
