import CBluebonnetOpenSSL
import Glibc

/// The byte stream of one connection, plain or TLS, used by one thread with blocking calls.
///
/// The owner of the socket can shut it down on another thread, to interrupt a blocking call.
final class FaultStream {
    private let socket: Int32
    private var tls: OpaquePointer?

    init(socket: Int32) {
        self.socket = socket
    }

    deinit {
        SSL_free(tls)
    }

    /// Performs the server's side of the handshake and returns whether it succeeded.
    func startTLS(_ context: FaultTLSContext) -> Bool {
        guard let tls = SSL_new(context.pointer) else { return false }
        self.tls = tls
        SSL_set_fd(tls, socket)
        let isDone = SSL_accept(tls) == 1
        ERR_clear_error()
        return isDone
    }

    /// Waits for bytes and returns at most `limit` of them, or nil at the end of the stream.
    func read(_ limit: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: min(limit, 65_536)) { buffer, count in
            count = max(0, read(into: buffer))
        }
        return bytes.isEmpty ? nil : bytes
    }

    private func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        guard let tls else { return recv(socket, buffer.baseAddress, buffer.count, 0) }
        defer { ERR_clear_error() }
        return Int(SSL_read(tls, buffer.baseAddress, Int32(buffer.count)))
    }

    /// Writes all bytes, or returns false if the client has disconnected.
    func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
                let count = write(rest)
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let tls else {
            return send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        defer { ERR_clear_error() }
        return Int(SSL_write(tls, bytes.baseAddress, Int32(clamping: bytes.count)))
    }

    func closeNotify() {
        guard let tls else { return }
        SSL_shutdown(tls)
        ERR_clear_error()
    }

    func halfClose() {
        shutdown(socket, Int32(SHUT_WR))
    }

    /// Reads and discards everything until the client disconnects, without decrypting it.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while recv(socket, &buffer, buffer.count, 0) > 0 {}
    }

    /// Waits until the client disconnects, without reading.
    func waitForEnd() {
        let ended = Int16(POLLHUP | POLLERR) | Self.halfClosed
        var entry = pollfd(fd: socket, events: Self.halfClosed, revents: 0)
        while poll(&entry, 1, -1) >= 0 || errno == EINTR {
            if entry.revents & ended != 0 { return }
        }
    }

    /// `POLLRDHUP`, which the Glibc module does not declare.
    static let halfClosed: Int16 = 0x2000

    /// Makes closing the socket reset the connection.
    func resetAtClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}
