import CBluebonnet

/// Bytes that arrive on a connection after a response and belong to no request.
///
/// Whether a server sends them by mistake or not, they must not be taken for the response to the
/// next request on the connection.
enum ExcessBytes {
    /// Makes libcurl close the connection if more bytes have arrived than the response.
    ///
    /// Called when libcurl delivers the last byte of the response, so that no other request goes
    /// out on the connection. libcurl reads no further than the declared length, but discards what
    /// follows the last chunk in its buffer. Further bytes that TLS has decrypted wait in OpenSSL's
    /// memory, where watching the socket does not reveal them.
    ///
    /// `excess` is the number of bytes after the response that libcurl has already read.
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

    /// Returns whether the kernel may hold bytes after a response that arrived before its end was
    /// read.
    ///
    /// A small response is read in one piece with any bytes that follow it, so most responses do
    /// not need a system call to check.
    private static func mayBeUnread(of transfer: CurlTransfer, on handle: EasyHandle) -> Bool {
        transfer.times.lastHeaderLine != transfer.loop.now
            || transfer.response.size >= handle.receiveBufferSize / 2
    }
}

extension EasyHandle {
    /// Whether TLS holds decrypted bytes of the current connection that have not been read.
    fileprivate var hasDecrypted: Bool {
        (template.isSecure || proxy?.scheme == .https) && bb_easy_has_decrypted(easy) != 0
    }
}
