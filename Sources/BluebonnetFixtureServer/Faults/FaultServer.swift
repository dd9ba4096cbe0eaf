import Glibc

/// A server that misbehaves exactly as a script says, in plain text or inside TLS, on a free port of
/// 127.0.0.1.
///
/// Every connection has a thread that performs its actions in order, so a script reads as what
/// happens. Connections beyond the script, and requests after the last action of one, are answered
/// well: whoever survives the fault can go on with the same server.
public final class FaultServer: Sendable {
    /// The TCP port the server listens on.
    public let port: UInt16

    private let state: FaultServerState
    private let listener: ListeningSocket

    /// Starts a server.
    ///
    /// With an identity it speaks TLS, on every connection from the start or, if `startsWithTLS` is
    /// false, where the script says so. It throws when the identity cannot be read or when the system
    /// has no socket or thread left.
    public init(
        _ script: FaultScript, identity: ServerIdentity? = nil, startsWithTLS: Bool = true
    ) throws(FixtureServerError) {
        var tls: FaultTLSContext?
        if let identity { tls = try FaultTLSContext(identity) }
        let state = FaultServerState(
            script: script, tls: tls, startsWithTLS: startsWithTLS && tls != nil)
        let listener = try ListeningSocket(functions: try LinuxFunctions.load())
        self.state = state
        self.listener = listener
        port = listener.port
        guard Self.startThread(state, { Self.accept(listener, state) }) else {
            listener.close()
            throw FixtureServerError(operation: "pthread_create", code: EAGAIN)
        }
    }

    deinit {
        stop()
    }

    /// Closes every connection, listens no more, and waits for the threads to end.
    ///
    /// It may be called any number of times.
    public func stop() {
        state.stop(listener)
    }

    /// Lets the actions go on that wait for one signal more.
    public func signal() {
        state.shared.withLockNotifying { $0.signals += 1 }
    }

    /// What was counted until now.
    ///
    /// A connection counts as open until the client has gone, unless the script has closed or reset
    /// it before.
    public var counters: FixtureCounters { state.shared.withLock { $0.counters } }

    /// The whole requests in order of arrival.
    public var requests: [FixtureRequest] { state.shared.withLock { $0.requests } }

    /// Blocks the calling thread until the counters satisfy a condition.
    ///
    /// It returns false when they have not done so in time.
    public func wait(
        upTo milliseconds: Int, until condition: (FixtureCounters) -> Bool
    ) -> Bool {
        state.shared.wait(deadline: .after(milliseconds: milliseconds)) { condition($0.counters) }
    }

    // MARK: On the server's threads

    private static func accept(_ listener: ListeningSocket, _ state: FaultServerState) {
        var entry = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, -1) >= 0 || errno == EINTR {
            guard let socket = listener.accept() else {
                guard [EAGAIN, EINTR, ECONNABORTED].contains(errno) else { return }
                continue
            }
            serve(socket, state)
        }
    }

    private static func serve(_ socket: Int32, _ state: FaultServerState) {
        // The thread may block, which the listener's sockets do not.
        _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~O_NONBLOCK)
        guard let index = state.open(socket) else {
            close(socket)
            return
        }
        let isStarted = startThread(state) {
            var connection = FaultConnection(index: index, socket: socket, state: state)
            connection.run(state.script.actions(forConnection: index))
            state.close(socket)
        }
        if !isStarted { state.close(socket) }
    }

    private static func startThread(
        _ state: FaultServerState, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        state.shared.withLock { $0.threads += 1 }
        let isStarted = FaultThread.start {
            body()
            state.shared.withLockNotifying { $0.threads -= 1 }
        }
        if !isStarted { state.shared.withLockNotifying { $0.threads -= 1 } }
        return isStarted
    }
}
