import CBluebonnet
import Foundation

/// Compares what a body in chunks takes of its connection with what it holds.
///
/// libcurl reads over chunk extensions without an end and says nothing of them, so a server can keep
/// an exchange busy with them, and a byte now and then that keeps the idle timeout from striking. The
/// kernel counts what came on the connection. It is asked when deadlines are looked at, and so costs
/// nothing while data flows.
struct ChunkOverhead {
    /// What may come on a connection for each byte of a body: chunks of a byte each take six, in TLS
    /// records of their own twenty-eight.
    private static let largestRatio: Int64 = 64
    /// What may come anyway: libcurl holds some of the body while an exchange is paused.
    private static let free: Int64 = 4 * 1024 * 1024
    /// Seconds between two looks.
    private static let interval: TimeInterval = 0.25

    private var nextLook: MonotonicInstant?
    /// What had come at the first look, which is not the first byte of the connection.
    private var start: (received: Int64, body: Int64)?

    /// Whether it is too much by now.
    mutating func isExcessive(
        on socket: Int32,
        bodyBytes: Int64,
        at now: MonotonicInstant
    ) -> Bool {
        if let nextLook, now < nextLook { return false }
        nextLook = now.advanced(by: Self.interval)
        // What nobody has read yet says nothing: an exchange may be paused.
        let received =
            Int64(bitPattern: bb_socket_received_bytes(socket))
            - Int64(bb_socket_unread_count(socket))
        guard let start else {
            self.start = (received, bodyBytes)
            return false
        }
        return received - start.received
            > Self.free + Self.largestRatio * (bodyBytes - start.body)
    }
}

extension CurlTransfer {
    /// The failure of an exchange whose chunks are hardly anything but extensions.
    func chunkFailure(at now: MonotonicInstant) -> Exchange.Failure? {
        guard stage == .active, chunkOverhead != nil,
            loop.sockets.transferNumber(of: socket) == number,
            chunkOverhead?.isExcessive(on: socket, bodyBytes: wireBytes, at: now) == true
        else { return nil }
        return .malformed(
            "the response's chunks are hardly anything but extensions, and go on without an end")
    }
}
