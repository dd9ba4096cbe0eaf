import Foundation
import FoundationNetworking

// Which timeout expires, and when.
extension TransferTimes {
    /// What an exchange waits for, which determines the timeouts that run.
    enum Wait {
        /// A connection slot.
        case slot
        /// A connection that is being opened for it outside libcurl.
        case connection
        /// The response's head.
        case head
        /// Data in either direction.
        case data
        /// Nothing from the server: it is suspended, decoding, or its receiver has no room.
        case nothing
    }

    private static let timeouts: [Exchange.Failure.Timeout] = [
        .whole, .queue, .queueStall, .connect, .head, .idle,
    ]

    /// Returns the earliest time at which a timeout can expire, or nil for never.
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

    /// Returns the timeout that has expired, or nil for none.
    func timeout(
        at now: MonotonicInstant, _ timeouts: Exchange.Timeouts, waitingFor wait: Wait
    ) -> Exchange.Failure.Timeout? {
        // If several have expired, the first in this order is reported.
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
        // libcurl also enforces the connect timeout, and the session enforces the one for
        // challenges.
        case .queue, .queueStall, .head, .idle, .connect, .challenge: nil
        }
    }

    private func headDeadline(_ limit: TimeInterval?) -> MonotonicInstant? {
        guard let limit else { return nil }
        // The lines of the head that a slow server sends do not extend the wait.
        let start = lastActivity == lastHeaderLine ? requestSent : lastActivity
        return start?.advanced(by: limit)
    }
}

extension Exchange.Failure {
    /// Returns the failure of an exchange that exceeded one of its timeouts.
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
                "no connection became free, and no data moved for \(timeouts.queueStall.text)"
            case .head:
                "the response's head was not complete \(timeouts.head.text) after the request"
            case .idle: "no data was sent or received for \(timeouts.idle.text)"
            case .connect: "no connection was opened within \(timeouts.connect.text)"
            case .challenge: "a challenge was not answered in time"
            }
        return Self(.timedOut, message: message, timeout: timeout)
    }
}

extension TimeInterval? {
    fileprivate var text: String { "\(self ?? 0) seconds" }
}
