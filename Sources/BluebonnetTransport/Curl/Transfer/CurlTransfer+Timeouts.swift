import CBluebonnet
import Foundation
import FoundationNetworking
import Synchronization

extension CurlTransfer {
    /// When what happened of a response.
    struct Stamps {
        /// The last time that a line of the response's head came.
        var lastLine: MonotonicInstant?
        /// The last activity before the response's head began to come, or came on.
        var requestSent: MonotonicInstant?
        /// When the request was first about to be sent.
        var connected: MonotonicInstant?
        var firstByte: MonotonicInstant?
    }

    /// Notes activity that is the server's, not the request's.
    func noteHeaderLine() {
        if lastActivity != stamps.lastLine { stamps.requestSent = lastActivity }
        if stamps.firstByte == nil { stamps.firstByte = loop.now }
        stamps.lastLine = loop.now
        lastActivity = loop.now
    }

    /// The earliest moment at which a timeout can strike.
    var nextDeadline: MonotonicInstant? {
        let end = exchange.timeouts.whole.map { startedAt.advanced(by: $0) }
        let whole = earliest(end, ownDeadline)
        guard isIdleTimed, let idle = exchange.timeouts.idle else { return whole }
        let idleEnd = lastActivity.advanced(by: idle)
        return whole.map { min($0, idleEnd) } ?? idleEnd
    }

    var isIdleTimed: Bool {
        stage == .active && !isSuspended && body?.isBusy != true
            && !isStarved.load(ordering: .relaxed)
    }

    /// The timeout that has struck, if any.
    func timeout(at now: MonotonicInstant) -> Exchange.Failure? {
        if let whole = exchange.timeouts.whole, startedAt.advanced(by: whole) <= now {
            return .timedOut(.whole, "the exchange took longer than \(whole) seconds")
        }
        if let failure = ownTimeout(at: now) { return failure }
        guard isIdleTimed, let idle = exchange.timeouts.idle,
            lastActivity.advanced(by: idle) <= now, !hasSentMore(at: now)
        else { return nil }
        return .timedOut(.idle, "no data was sent or received for \(idle) seconds")
    }

    /// Bytes that libcurl sent on its own are activity too; it is only asked when it matters.
    private func hasSentMore(at now: MonotonicInstant) -> Bool {
        guard exchange.body != nil, let handle else { return false }
        let sent = handle.offset(CURLINFO_SIZE_UPLOAD_T)
        guard sent != sentAtLastLook else { return false }
        sentAtLastLook = sent
        lastActivity = now
        return true
    }

    /// The earliest end of the timeouts for the line and for the head.
    private var ownDeadline: MonotonicInstant? { queueDeadline ?? headDeadline }

    /// The one of those timeouts that has struck, if any.
    private func ownTimeout(at now: MonotonicInstant) -> Exchange.Failure? {
        if let deadline = queueDeadline, deadline <= now, let limit = exchange.timeouts.queue {
            return .timedOut(
                .queue,
                """
                no connection became free for \(limit) seconds; allow the pool more connections, \
                or start fewer exchanges at once
                """
            )
        }
        if let deadline = headDeadline, deadline <= now, let limit = exchange.timeouts.head {
            return .timedOut(
                .head, "the response's head was not whole \(limit) seconds after the request")
        }
        return nil
    }

    private var queueDeadline: MonotonicInstant? {
        guard stage == .waiting, !isSuspended, let limit = exchange.timeouts.queue else {
            return nil
        }
        return queuedAt.advanced(by: limit)
    }

    private var headDeadline: MonotonicInstant? {
        guard let limit = exchange.timeouts.head, isIdleTimed, !hasHead, attempts > 0,
            !isSendingPaused
        else { return nil }
        // Bytes that a slow server sends of its head are no reason to wait longer.
        let start = lastActivity == stamps.lastLine ? stamps.requestSent : lastActivity
        return start?.advanced(by: limit)
    }

    private func earliest(
        _ left: MonotonicInstant?,
        _ right: MonotonicInstant?
    ) -> MonotonicInstant? {
        guard let left else { return right }
        return right.map { min(left, $0) } ?? left
    }
}

extension Exchange.Failure {
    static func timedOut(_ timeout: Timeout, _ message: String) -> Self {
        Self(.timedOut, message: message, timeout: timeout)
    }
}
