import CBluebonnetOpenSSL
import Glibc

/// The byte stream of a connection, plain or TLS, on a nonblocking socket.
///
/// It closes the socket only when its owner calls ``close(reset:)``.
final class ConnectionStream {
    /// The result of one attempt to move bytes.
    enum Outcome {
        case moved(Int), blocked, ended, failed
    }

    let descriptor: Int32
    private let tls: OpaquePointer?

    /// Creates a stream, or returns nil if OpenSSL has no memory for another connection.
    init?(descriptor: Int32, identity: LoopbackIdentity?) {
        self.descriptor = descriptor
        guard let identity else {
            tls = nil
            return
        }
        guard let tls = SSL_new(identity.context) else { return nil }
        self.tls = tls
        SSL_set_fd(tls, descriptor)
        // Reading performs the handshake.
        SSL_set_accept_state(tls)
    }

    deinit {
        SSL_free(tls)
    }

    /// Reads the available bytes, in TLS at most one record.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
        guard let tls else {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            return count == 0 ? .ended : outcome(count)
        }
        defer { ERR_clear_error() }
        let count = SSL_read(tls, buffer.baseAddress, Int32(clamping: buffer.count))
        // Many clients close without `close_notify`, and all of them after a failed handshake.
        return outcome(count, of: tls) ?? .ended
    }

    /// Sends as many bytes as the kernel accepts.
    func send(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        guard let tls else {
            return outcome(
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
        }
        defer { ERR_clear_error() }
        return outcome(SSL_write(tls, bytes.baseAddress, Int32(clamping: bytes.count)), of: tls)
            ?? .failed
    }

    private func outcome(_ count: Int) -> Outcome {
        if count >= 0 { return .moved(count) }
        return errno == EAGAIN || errno == EINTR ? .blocked : .failed
    }

    /// Returns nil if the connection has ended in any way.
    private func outcome(_ count: Int32, of tls: OpaquePointer) -> Outcome? {
        if count > 0 { return .moved(Int(count)) }
        let error = SSL_get_error(tls, count)
        // A handshake never waits to write, because its messages fit into an empty socket buffer.
        return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? .blocked : nil
    }

    // MARK: The end

    /// Shuts down the sending direction, so that the client reads an end of file.
    func endSending() {
        notifyClient()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func close(reset: Bool) {
        if reset {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        } else {
            notifyClient()
        }
        Glibc.close(descriptor)
    }

    private func notifyClient() {
        guard let tls else { return }
        SSL_shutdown(tls)
        ERR_clear_error()
    }
}
