import CBluebonnetOpenSSL
import Glibc

/// One connection of a ``TLSRelay``, with nonblocking sockets.
///
/// Each direction holds at most one piece, so a slow reader stalls the writer as it would without a
/// relay.
final class RelayedConnection {
    /// The result of one attempt to move bytes.
    private enum Step {
        case moved, waits, ended, failed
    }

    private let socket: Int32
    private let tls: OpaquePointer
    private var request: [UInt8] = []
    private var response: [UInt8] = []
    /// The events that OpenSSL waits for on the client's socket.
    private var wanted = Int16(POLLIN)

    init?(_ socket: Int32, _ context: FaultTLSContext) {
        guard let tls = SSL_new(context.pointer) else { return nil }
        self.socket = socket
        self.tls = tls
        SSL_set_fd(tls, socket)
        // When a write is retried, the array can have moved to another address.
        SSL_ctrl(tls, Int32(SSL_CTRL_MODE), Int(SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER), nil)
        SSL_set_accept_state(tls)
    }

    deinit {
        SSL_free(tls)
    }

    /// Moves bytes in both directions until either side disconnects.
    func run(_ upstream: Int32) {
        while true {
            wanted = 0
            let steps = [
                read(into: &request, receive), write(&request) { send($0, to: upstream) },
                read(into: &response) { receive($0, from: upstream) }, write(&response, send),
            ]
            if steps.contains(.failed) { return resetClient() }
            if steps[0] == .ended { return }
            if steps[2] == .ended, response.isEmpty { return closeClient() }
            if !steps.contains(.moved), !wait(upstream, isOver: steps[2] == .ended) { return }
        }
    }

    private func wait(_ upstream: Int32, isOver: Bool) -> Bool {
        let client = wanted | FaultStream.halfClosed
        let server =
            Int16(request.isEmpty ? 0 : POLLOUT)
            | Int16(response.isEmpty && !isOver ? POLLIN : 0)
        var entries = [
            pollfd(fd: socket, events: client, revents: 0),
            pollfd(fd: server == 0 ? -1 : upstream, events: server, revents: 0),
        ]
        while poll(&entries, 2, -1) < 0 { guard errno == EINTR else { return false } }
        // Clients do not half-close, so a client that ends its sending direction has disconnected.
        return entries[0].revents & (Int16(POLLHUP | POLLERR) | FaultStream.halfClosed) == 0
    }

    // MARK: Pieces

    private func read(
        into piece: inout [UInt8], _ receive: (UnsafeMutableRawBufferPointer) -> (Step, Int)
    ) -> Step {
        guard piece.isEmpty else { return .waits }
        var step = Step.waits
        piece = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
            (step, count) = receive(UnsafeMutableRawBufferPointer(buffer))
        }
        return step
    }

    private func write(
        _ piece: inout [UInt8], _ send: (UnsafeRawBufferPointer) -> (Step, Int)
    ) -> Step {
        guard !piece.isEmpty else { return .waits }
        let (step, count) = piece.withUnsafeBytes(send)
        piece.removeFirst(count)
        return step
    }

    // MARK: In plain text

    private func receive(
        _ buffer: UnsafeMutableRawBufferPointer, from upstream: Int32
    ) -> (Step, Int) {
        let count = recv(upstream, buffer.baseAddress, buffer.count, 0)
        return count == 0 ? (.ended, 0) : outcome(count)
    }

    private func send(_ bytes: UnsafeRawBufferPointer, to upstream: Int32) -> (Step, Int) {
        let (step, count) = outcome(
            Glibc.send(upstream, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)))
        // A server that has stopped reading can still have sent a response, its end or a reset.
        return step == .failed ? (.waits, bytes.count) : (step, count)
    }

    private func outcome(_ count: Int) -> (Step, Int) {
        if count > 0 { return (.moved, count) }
        return (errno == EAGAIN || errno == EINTR ? .waits : .failed, 0)
    }

    // MARK: Inside TLS

    private func receive(_ buffer: UnsafeMutableRawBufferPointer) -> (Step, Int) {
        outcomeOfTLS(SSL_read(tls, buffer.baseAddress, Int32(buffer.count)))
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> (Step, Int) {
        outcomeOfTLS(SSL_write(tls, bytes.baseAddress, Int32(bytes.count)))
    }

    private func outcomeOfTLS(_ count: Int32) -> (Step, Int) {
        defer { ERR_clear_error() }
        if count > 0 { return (.moved, Int(count)) }
        switch SSL_get_error(tls, count) {
        case SSL_ERROR_WANT_READ: wanted |= Int16(POLLIN)
        case SSL_ERROR_WANT_WRITE: wanted |= Int16(POLLOUT)
        default: return (.ended, 0)
        }
        return (.waits, 0)
    }

    // MARK: Ends

    private func closeClient() {
        SSL_shutdown(tls)
        ERR_clear_error()
        shutdown(socket, Int32(SHUT_WR))
        // Unread bytes from the client would reset the connection and destroy the response.
        _ = fcntl(socket, F_SETFL, 0)
        let stream = FaultStream(socket: socket)
        stream.drain()
    }

    private func resetClient() {
        FaultStream(socket: socket).resetAtClose()
    }
}
