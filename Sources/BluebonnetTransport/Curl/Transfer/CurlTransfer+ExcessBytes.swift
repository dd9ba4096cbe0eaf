import CBluebonnet

// Bytes behind a response belong to nobody. A server that sends some, by mistake or not, must not
// have them taken for the response to the next request on the connection.
extension CurlTransfer {
    /// Has the connection closed if more has come than the response, whose last byte libcurl is just
    /// handing over, so that no other request goes out on it.
    ///
    /// libcurl reads no further than the declared length. What TLS has decrypted beyond it waits in
    /// OpenSSL's memory, where no watch over the socket finds it.
    func closeIfMoreFollows() throws(Exchange.Failure) {
        guard !parser.isHTTP2, let handle, handle.hasDecrypted || hasUnread(on: handle) else {
            return
        }
        try handle.forbidReuse()
    }

    private func hasUnread(on handle: EasyHandle) -> Bool {
        guard isBodiless || mayHaveLeftBytes(on: handle) else { return false }
        return loop.sockets.transferNumber(of: socket) == number
            && bb_socket_unread_count(socket) > 0
    }

    /// Whether the kernel may hold bytes behind the response that were there before its end was read.
    ///
    /// A small response is read in one piece with whatever follows it. That saves a system call for
    /// most.
    func mayHaveLeftBytes(on handle: EasyHandle) -> Bool {
        stamps.lastLine != loop.now
            || parser.receivedSize + Int(wireBytes) >= handle.receiveBufferSize / 2
    }
}

extension EasyHandle {
    /// Whether TLS holds bytes of the connection in use that nobody has taken.
    fileprivate var hasDecrypted: Bool {
        (template.isSecure || proxy?.scheme == .https) && bb_easy_has_decrypted(easy) != 0
    }
}

extension ConnectionPool {
    /// Ends a connection that has bytes behind a body in chunks, before the next in line goes out on
    /// it: the watch over idle connections comes too late for that.
    ///
    /// The end of other responses is known when their last byte comes.
    func endIfMoreFollows(_ transfer: CurlTransfer, on handle: EasyHandle) {
        guard transfer.chunkOverhead != nil, transfer.mayHaveLeftBytes(on: handle) else { return }
        // libcurl would search all of the pool's connections for it.
        let socket = transfer.socket
        // Not one on which another request is out already: what can be read is its response.
        guard socket >= 0, loop.sockets.hasServedNobody(socket, after: transfer.number),
            bb_socket_unread_count(socket) > 0,
            // Who was paused at once may be on it, though libcurl never watched a socket for it.
            !loop.mayBeInUse(pool: identifier, transferNumber: transfer.number)
        else { return }
        loop.sockets.end(socket)
    }
}
