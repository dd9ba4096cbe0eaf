import Glibc

/// A server that performs a script of faults, in plain text or inside TLS, on a free port of
/// 127.0.0.1.
///
/// Each connection has its own thread, which performs the actions of the script in order.
/// Connections beyond the script, and requests after the last action, get normal responses. A
/// client that survives a fault can therefore continue with the same server.
public final class FaultServer: Sendable {
    /// The TCP port that the server listens on.
    public let port: UInt16

    private let state: FaultServerState
    private let listener: ListeningSocket

    /// Starts a server.
    ///
    /// With an identity, the server uses TLS. Each connection starts with TLS, or, if
    /// `startsWithTLS` is false, changes to TLS where the script contains ``FaultAction/startTLS``.
    ///
    /// Throws if the identity cannot be read, or if the system has no socket or thread left.
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

    /// Closes every connection and the listening socket, and waits for the threads to end.
    ///
    /// It can be called any number of times.
    public func stop() {
        state.stop(listener)
    }

    /// Sends one signal to the actions that wait in ``FaultAction/await(signals:)``.
    public func signal() {
        state.shared.withLockNotifying { $0.signals += 1 }
    }

    /// The counts so far.
    ///
    /// A connection counts as open until the client disconnects, or until the script abandons or
    /// resets it.
    public var counters: FixtureCounters { state.shared.withLock { $0.counters } }

    /// The complete requests, in order of arrival.
    public var requests: [FixtureRequest] { state.shared.withLock { $0.requests } }

    /// Blocks the calling thread until the counters satisfy a condition.
    ///
    /// Returns false if the time runs out first.
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
        // The listener's sockets do not block, but this thread relies on blocking calls.
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
