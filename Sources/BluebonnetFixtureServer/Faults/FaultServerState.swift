import Glibc

/// The state that the threads of a ``FaultServer`` share with each other and with its users.
final class FaultServerState: Sendable {
    struct Shared: Sendable {
        var counters = FixtureCounters()
        var requests: [FixtureRequest] = []
        var signals = 0
        var isStopped = false
        var sockets: Set<Int32> = []
        /// The number of running threads: one that accepts, and one for each connection.
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

    /// Registers a connection and returns its number, or nil if the server has stopped.
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
            // Without the lock, `stop` could shut down a new socket with the same number.
            Glibc.close(socket)
        }
    }

    func note(_ request: FixtureRequest) {
        shared.withLockNotifying { shared in
            shared.requests.append(request)
            shared.counters.requests += 1
        }
    }

    /// Waits, and returns false if the server is stopped meanwhile.
    func wait(milliseconds: Int) -> Bool {
        !shared.wait(deadline: .after(milliseconds: milliseconds)) { $0.isStopped }
    }

    func wait(signals: Int) -> Bool {
        shared.wait { $0.isStopped || $0.signals >= signals }
        return !shared.withLock { $0.isStopped }
    }

    /// Interrupts all blocking calls and waits for the threads to end.
    func stop(_ listener: ListeningSocket) {
        let isFirst = shared.withLockNotifying { shared in
            defer { shared.isStopped = true }
            for socket in shared.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
            return !shared.isStopped
        }
        // This also ends the wait for connections.
        if isFirst { shutdown(listener.descriptor, Int32(SHUT_RDWR)) }
        shared.wait { $0.threads == 0 }
        if isFirst { listener.close() }
    }
}
