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

    /// The part of a timeout between two checks for movement that nothing reports.
    ///
    /// It limits how late the timeout can come.
    private static let sampleInterval = 0.05

    /// Returns when to check next for movement that nothing reports, or nil if no running timeout
    /// depends on it.
    func nextSample(
        _ timeouts: Exchange.Timeouts, waitingFor wait: Wait
    ) -> MonotonicInstant? {
        let limit: TimeInterval? =
            switch wait {
            case .slot: timeouts.queueStall
            case .head: timeouts.head.map { min($0, timeouts.idle ?? $0) } ?? timeouts.idle
            case .data: timeouts.idle
            case .connection, .nothing: nil
            }
        return limit.map { sampled.advanced(by: $0 * Self.sampleInterval) }
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
        let isRunning =
            switch timeout {
            case .whole: true
            case .queue, .queueStall: wait == .slot
            case .head: wait == .head
            // libcurl enforces it too.
            case .connect: wait == .connection
            case .idle: wait == .head || wait == .data || wait == .connection
            // The session enforces it.
            case .challenge: false
            }
        guard isRunning, let limit = timeouts.limit(of: timeout) else { return nil }
        return beginning(of: timeout)?.advanced(by: limit)
    }

    /// Returns when a timeout last started to run, or nil for never.
    func beginning(of timeout: Exchange.Failure.Timeout) -> MonotonicInstant? {
        switch timeout {
        case .whole: start
        case .queue: queued
        case .queueStall: max(queued, othersMoved ?? queued)
        case .connect: connecting
        // The lines of the head that a slow server sends do not extend the wait.
        case .head: lastActivity == lastHeaderLine ? requestSent : lastActivity
        // Unfinished lines of the head extend this wait alone.
        case .idle: lastByte
        case .challenge: nil
        }
    }
}

extension Exchange.Timeouts {
    /// Returns the limit of a timeout in seconds, or nil for none.
    fileprivate func limit(of timeout: Exchange.Failure.Timeout) -> TimeInterval? {
        switch timeout {
        case .whole: whole
        case .queue: queue
        case .queueStall: queueStall
        case .connect: connect
        case .head: head
        case .idle: idle
        case .challenge: nil
        }
    }
}

extension Exchange.Failure {
    /// Returns the failure of an exchange that exceeded one of its timeouts.
    ///
    /// The message names the limit or, if the timeout came late, the seconds that have passed.
    static func timedOut(
        _ timeout: Timeout, of timeouts: Exchange.Timeouts, after passed: TimeInterval
    ) -> Self {
        let time = TimeoutText(limit: timeouts.limit(of: timeout) ?? passed, passed: passed)
        let message =
            switch timeout {
            case .whole: "the exchange took longer than \(time)"
            case .queue:
                """
                no connection became free for \(time); allow the pool more connections, or start \
                fewer exchanges at once
                """
            case .queueStall: "no connection became free, and no data moved for \(time)"
            case .head: "the response's head was not complete \(time) after the request"
            case .idle: "no data was sent or received for \(time)"
            case .connect: "no connection was opened within \(time)"
            case .challenge: "a challenge was not answered in time"
            }
        return Self(.timedOut, message: message, timeout: timeout)
    }
}

/// The time that an expired timeout took, as text for an error message.
///
/// It is the limit, so that equal failures have equal messages. If the timeout came later than it
/// should, for example because the process was stopped, it is the time that has passed.
struct TimeoutText: CustomStringConvertible {
    let limit: TimeInterval
    let passed: TimeInterval

    var description: String {
        passed <= limit * 1.1 + 0.05 ? "\(limit) seconds" : "\(Self.rounded(passed)) seconds"
    }

    private static func rounded(_ seconds: TimeInterval) -> TimeInterval {
        (seconds * 10).rounded() / 10
    }
}
