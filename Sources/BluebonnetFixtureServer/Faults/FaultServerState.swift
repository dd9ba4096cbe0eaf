import Glibc

/// What the threads of a ``FaultServer`` share with each other and with its users.
final class FaultServerState: Sendable {
    struct Shared: Sendable {
        var counters = FixtureCounters()
        var requests: [FixtureRequest] = []
        var signals = 0
        var isStopped = false
        var sockets: Set<Int32> = []
        /// The thread that accepts and those of the connections.
        var threads = 0
    }

    let script: FaultScript
    let tls: FaultTLSContext?
    let startsWithTLS: Bool
    let shared = Locked(Shared())

    init(script: FaultScript, tls: FaultTLSContext?, startsWithTLS: Bool) {
        self.script = script
        self.tls = tls
        self.startsWithTLS = startsWithTLS
    }

    /// Notes a connection, unless the server has stopped; its number.
    func open(_ socket: Int32) -> Int? {
        shared.withLockNotifying { shared in
            guard !shared.isStopped else { return nil }
            shared.sockets.insert(socket)
            defer { shared.counters.acceptedConnections += 1 }
            shared.counters.openConnections += 1
            return shared.counters.acceptedConnections
        }
    }

    func close(_ socket: Int32) {
        shared.withLockNotifying { shared in
            shared.sockets.remove(socket)
            shared.counters.openConnections -= 1
            // Under the lock, or the number could be another's when the server is stopped.
            Glibc.close(socket)
        }
    }

    func note(_ request: FixtureRequest) {
        shared.withLockNotifying { shared in
            shared.requests.append(request)
            shared.counters.requests += 1
        }
    }

    /// Waits; false when the server was stopped meanwhile.
    func wait(milliseconds: Int) -> Bool {
        !shared.wait(deadline: .after(milliseconds: milliseconds)) { $0.isStopped }
    }

    func wait(signals: Int) -> Bool {
        shared.wait { $0.isStopped || $0.signals >= signals }
        return !shared.withLock { $0.isStopped }
    }

    /// Ends whatever blocks, and waits for the threads.
    func stop(_ listener: ListeningSocket) {
        let isFirst = shared.withLockNotifying { shared in
            defer { shared.isStopped = true }
            for socket in shared.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            return !shared.isStopped
        }
        // Ends the wait for connections as well.
        if isFirst { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }
        shared.wait { $0.threads == 0 }
        if isFirst { listener.close() }
    }
}
