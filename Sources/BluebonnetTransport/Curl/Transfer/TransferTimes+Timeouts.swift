import Foundation
import FoundationNetworking

// Which timeout strikes, and when.
extension TransferTimes {
    /// What an exchange waits for, which decides which timeouts run.
    enum Wait {
        /// A connection slot.
        case slot
        /// A connection that is made for it, outside of libcurl.
        case connection
        /// Its response's head.
        case head
        /// Data in either direction.
        case data
        /// Its own side: it is suspended, decoding, or its receiver has enough.
        case nothing
    }

    private static let timeouts: [Exchange.Failure.Timeout] = [
        .whole, .queue, .queueStall, .connect, .head, .idle,
    ]

    /// The earliest moment at which a timeout can strike; nil for never.
    func nextDeadline(
        _ timeouts: Exchange.Timeouts, waitingFor wait: Wait
    ) -> MonotonicInstant? {
        var next: MonotonicInstant?
        for timeout in Self.timeouts {
            guard let deadline = deadline(of: timeout, timeouts, wait) else { continue }
            next = min(next ?? deadline, deadline)
        }
        return next
    }

    /// The timeout that has struck; nil for none.
    func timeout(
        at now: MonotonicInstant, _ timeouts: Exchange.Timeouts, waitingFor wait: Wait
    ) -> Exchange.Failure.Timeout? {
        // Where two have struck, the first of them is told.
        Self.timeouts.first { timeout in
            deadline(of: timeout, timeouts, wait).map { $0 <= now } == true
        }
    }

    private func deadline(
        of timeout: Exchange.Failure.Timeout, _ timeouts: Exchange.Timeouts, _ wait: Wait
    ) -> MonotonicInstant? {
        switch timeout {
        case .whole: timeouts.whole.map { start.advanced(by: $0) }
        case .queue where wait == .slot: timeouts.queue.map { queued.advanced(by: $0) }
        case .queueStall where wait == .slot:
            timeouts.queueStall.map { max(queued, othersMoved ?? queued).advanced(by: $0) }
        case .head where wait == .head: headDeadline(timeouts.head)
        case .connect where wait == .connection:
            timeouts.connect.map { connecting.advanced(by: $0) }
        case .idle where wait == .head || wait == .data || wait == .connection:
            timeouts.idle.map { lastActivity.advanced(by: $0) }
        // libcurl keeps the one for connecting too, the session the one for challenges.
        case .queue, .queueStall, .head, .idle, .connect, .challenge: nil
        }
    }

    private func headDeadline(_ limit: TimeInterval?) -> MonotonicInstant? {
        guard let limit else { return nil }
        // The lines that a slow server sends of its head do not prolong the wait.
        let start = lastActivity == lastHeaderLine ? requestSent : lastActivity
        return start?.advanced(by: limit)
    }
}

extension Exchange.Failure {
    /// The failure of an exchange that took longer than one of its timeouts.
    static func timedOut(_ timeout: Timeout, of timeouts: Exchange.Timeouts) -> Self {
        let message =
            switch timeout {
            case .whole: "the exchange took longer than \(timeouts.whole.text)"
            case .queue:
                """
                no connection became free for \(timeouts.queue.text); allow the pool more \
                connections, or start fewer exchanges at once
                """
            case .queueStall:
                "no connection became free, and none moved a byte for \(timeouts.queueStall.text)"
            case .head:
                "the response's head was not whole \(timeouts.head.text) after the request"
            case .idle: "no data was sent or received for \(timeouts.idle.text)"
            case .connect: "no connection was made in \(timeouts.connect.text)"
            case .challenge: "a challenge was not answered in time"
            }
        return Self(.timedOut, message: message, timeout: timeout)
    }
}

extension TimeInterval? {
    fileprivate var text: String { "\(self ?? 0) seconds" }
}
