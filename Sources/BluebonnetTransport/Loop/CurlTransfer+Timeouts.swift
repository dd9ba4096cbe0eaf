import Foundation
import FoundationNetworking

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

    /// The earliest end of the timeouts for the line and for the head.
    var ownDeadline: MonotonicInstant? { queueDeadline ?? headDeadline }

    /// The one of those timeouts that has struck, if any.
    func ownTimeout(at now: MonotonicInstant) -> Exchange.Failure? {
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

    func earliest(_ left: MonotonicInstant?, _ right: MonotonicInstant?) -> MonotonicInstant? {
        guard let left else { return right }
        return right.map { min(left, $0) } ?? left
    }
}

extension Exchange.Failure {
    static func timedOut(_ timeout: Timeout, _ message: String) -> Self {
        Self(.timedOut, message: message, timeout: timeout)
    }
}
