import Foundation

/// The exchanges that hold what another one waits for, and what they wait for themselves.
struct Standstill {
    /// What an exchange that has a connection waits for.
    enum Cause: CaseIterable {
        case suspended, unreadResponse, unsentBody, peer

        init(of transfer: CurlTransfer) {
            self =
                if transfer.pauses.isSuspended {
                    .suspended
                } else if transfer.window.isExhausted {
                    .unreadResponse
                } else if transfer.pauses.isSendingPaused {
                    .unsentBody
                } else {
                    .peer
                }
        }

        func text(_ count: Int) -> String {
            switch self {
            case .suspended: "\(count) suspended"
            case .unreadResponse: "\(count) with a response that is not read"
            case .unsentBody: "\(count) with a body of which there is no more to send"
            case .peer: "\(count) with a server that does nothing"
            }
        }
    }

    /// The host that has as many connections as it may; nil where the pool has.
    let host: String?
    /// When one of them last moved a byte.
    private(set) var lastMovement: MonotonicInstant?
    private var counts: [Cause: Int] = [:]

    init(host: String?) {
        self.host = host
    }

    mutating func add(_ transfer: CurlTransfer, at now: MonotonicInstant) {
        let movement = transfer.lastProgress(at: now)
        lastMovement = max(lastMovement ?? movement, movement)
        counts[Cause(of: transfer), default: 0] += 1
    }

    /// What the exchange that waited is told.
    func message(at now: MonotonicInstant) -> String {
        let target = host.map { "connection to \($0)" } ?? "connection of the pool"
        let limit = host == nil ? "connections" : "connections to one host"
        let seconds = Int(lastMovement.map { now.seconds(since: $0) } ?? 0)
        let causes = Cause.allCases.compactMap { cause in
            counts[cause].map { cause.text($0) }
        }
        return """
            no \(target) became free, and none has moved a byte for \(seconds) seconds: they are held by \
            \(causes.joined(separator: ", ")); read those responses, end those exchanges, or allow more \
            \(limit)
            """
    }
}

extension ConnectionPool {
    /// Who has as many connections as it may.
    enum Holder {
        case host(HostQueue)
        case pool(ConnectionPool)

        var identifier: ObjectIdentifier {
            switch self {
            case .host(let host): ObjectIdentifier(host)
            case .pool(let pool): ObjectIdentifier(pool)
            }
        }
    }

    /// What holds the connections that an exchange in the queue waits for.
    func holder(before waiting: CurlTransfer) -> Holder {
        guard let host = waiting.host, queue.isFull(host) else { return .pool(self) }
        return .host(host)
    }

    func standstill(of holder: Holder) -> Standstill {
        var host: HostQueue?
        if case .host(let full) = holder { host = full }
        var standstill = Standstill(host: host?.key)
        for transfer in loop.transfers.all
        where transfer.stage == .active && transfer.exchange.pool.identifier == identifier
            && (host == nil || transfer.host === host)
        {
            standstill.add(transfer, at: loop.now)
        }
        return standstill
    }
}
