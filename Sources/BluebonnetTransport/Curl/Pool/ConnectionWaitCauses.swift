import Foundation

/// A summary of the exchanges that hold the connections another one waits for.
struct ConnectionWaitCauses {
    /// What an exchange with a connection waits for.
    enum Cause: CaseIterable {
        case suspended, unreadResponse, missingBody, server

        init(of transfer: CurlTransfer) {
            self =
                if transfer.pauses.isSuspended {
                    .suspended
                } else if transfer.window.isExhausted {
                    .unreadResponse
                } else if transfer.pauses.isSendingPaused {
                    .missingBody
                } else {
                    .server
                }
        }

        func text(_ count: Int) -> String {
            switch self {
            case .suspended: "\(count) suspended"
            case .unreadResponse: "\(count) with an unread response"
            case .missingBody: "\(count) waiting for more of their request's body"
            case .server: "\(count) waiting for the server"
            }
        }
    }

    /// The host that has reached its limit, or nil if the pool has.
    private let host: String?
    /// When data was last sent, received, or consumed.
    private(set) var lastMovement: MonotonicInstant?
    private var counts: [Cause: Int] = [:]

    init(host: String?) {
        self.host = host
    }

    mutating func add(_ transfer: CurlTransfer) {
        transfer.noteArrival()
        let movement = transfer.times.lastMovement
        lastMovement = max(lastMovement ?? movement, movement)
        counts[Cause(of: transfer), default: 0] += 1
    }

    /// Returns the error message for an exchange whose wait for a connection timed out.
    func message(limit seconds: TimeInterval?, at now: MonotonicInstant) -> String {
        let target = host.map { "connection to \($0)" } ?? "connection of the pool"
        let limit = host == nil ? "connections" : "connections to one host"
        let passed = lastMovement.map { now.seconds(since: $0) } ?? 0
        let time = TimeoutText(limit: seconds ?? passed, passed: passed)
        let causes = Cause.allCases.compactMap { cause in
            counts[cause].map { cause.text($0) }
        }
        return """
            no \(target) became free, and no data moved for \(time); the connections are \
            held by exchanges (\(causes.joined(separator: ", "))); read their responses, end them, or \
            allow more \(limit)
            """
    }
}

extension ConnectionPool {
    /// Returns a summary of the exchanges that hold the connections a waiting exchange could use.
    ///
    /// `host` is the host of the waiting exchange if that has reached its limit, or nil if the pool
    /// has.
    func standstill(of host: HostQueue?) -> ConnectionWaitCauses {
        var standstill = ConnectionWaitCauses(host: host?.key)
        for transfer in loop.transfers.all
        where transfer.stage == .active && transfer.exchange.pool.identifier == identifier
            && (host == nil || transfer.host === host)
        {
            standstill.add(transfer)
        }
        return standstill
    }
}
