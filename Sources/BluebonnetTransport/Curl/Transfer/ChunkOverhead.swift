import CBluebonnet
import Foundation

/// Compares what a body in chunks takes of its connection with what it holds.
///
/// libcurl reads over chunk extensions without an end and says nothing of them, so a server can keep
/// an exchange busy with them, and a byte now and then that keeps the idle timeout from striking. The
/// kernel counts what came on the connection. It is asked now and then when something has come, so
/// that neither a short response costs anything nor a silent one.
struct ChunkOverhead {
    /// What may come on a connection for each byte of a body: chunks of a byte each take six, and
    /// ninety-three where their size, their byte and their end are TLS records of their own, or twice
    /// as many with the ciphers of TLS 1.2 that pad.
    private static let largestRatio: Int64 = 256
    /// What may come anyway.
    private static let free: Int64 = 4 * 1024 * 1024
    /// Seconds between two looks.
    private static let interval: TimeInterval = 0.25

    private var nextLook: MonotonicInstant
    /// What had come at the first look, which is not the first byte of the connection.
    private var start: (received: Int64, body: Int64)?

    /// The first look is not at once: most bodies are whole by then.
    init(from now: MonotonicInstant) {
        nextLook = now.advanced(by: Self.interval)
    }

    func isDue(at now: MonotonicInstant) -> Bool { now >= nextLook }

    /// Whether it is too much by now.
    mutating func isExcessive(
        on socket: Int32,
        bodyBytes: Int64,
        at now: MonotonicInstant
    ) -> Bool {
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

    /// Compares what the chunks of an exchange's response took of the connection with what they held,
    /// if it is time; the failure of one that is hardly anything but chunk extensions.
    static func failure(of transfer: CurlTransfer) -> Exchange.Failure? {
        let (loop, socket) = (transfer.loop, transfer.connection.socket)
        guard transfer.stage == .active, transfer.response.isChunkCheckDue(at: loop.now),
            loop.sockets.transferNumber(of: socket) == transfer.number,
            transfer.response.hasExcessiveChunks(
                on: socket, keptBytes: transfer.readAhead?.keptBytes ?? 0, at: loop.now)
        else { return nil }
        return .malformed(
            "the response's chunks are hardly anything but extensions, and go on without an end")
    }
}

extension EventLoop {
    /// Judges the response of the exchange that has just read a connection.
    func judgeChunks(on socket: Int32) {
        guard !chunkedTransfers.isEmpty, let number = sockets.transferNumber(of: socket),
            let transfer = chunkedTransfers[number],
            let failure = ChunkOverhead.failure(of: transfer)
        else { return }
        condemnedTransfers.append((transfer, failure))
    }

    /// Ends the exchanges that were found to take too much, unless libcurl was done with them.
    func endCondemned() {
        guard !condemnedTransfers.isEmpty else { return }
        let current = condemnedTransfers
        condemnedTransfers = []
        for (transfer, failure) in current where transfer.stage == .active {
            finish(transfer, failure: failure)
        }
    }
}
