/// A scriptable HTTP/1.1 server on a port of 127.0.0.1, for tests of HTTP clients.
///
/// It starts in its initializer and runs on one thread of its own until `stop()` or until the last
/// reference goes away. Besides the routes a test registers it has built-in ones, listed at
/// `BuiltInRoutes`. It treats an end of file from the client as the end of the connection, because
/// HTTP clients do not half-close; so a cancelled request shows in `openConnectionCount` at once.
public final class FixtureServer: Sendable {
    /// A function that decides how to answer a request.
    ///
    /// It runs on the server's thread and must be quick: while it runs, every other connection
    /// waits. To answer late, return a reply with a pause.
    public typealias Handler = @Sendable (FixtureRequest) -> FixtureReply

    /// The TCP port the server listens on.
    public let port: UInt16

    private let scheme: String
    private let state: ServerState
    private let thread: ServerThread

    /// Starts a server.
    ///
    /// The keys of `routes` follow the rules of `route(_:_:)`. The port 0 stands for a free one. It
    /// throws when the port is taken, or the system has no socket, epoll set or thread left.
    public convenience init(
        routes: [String: Handler] = [:], port: UInt16 = 0
    ) throws(FixtureServerError) {
        var router = Router()
        for (path, handler) in routes { router.set(path, handler) }
        try self.init(router, port: port, identity: nil)
    }

    /// Starts a server that answers every request with one handler, inside TLS if it has an identity.
    ///
    /// The handler takes the place of the built-in routes. The port and what is thrown are those of the
    /// other initializer.
    public convenience init(
        port: UInt16 = 0, identity: LoopbackIdentity? = nil, handler: @escaping Handler
    ) throws(FixtureServerError) {
        var router = Router()
        router.fallback = handler
        try self.init(router, port: port, identity: identity)
    }

    private init(
        _ router: Router, port: UInt16, identity: LoopbackIdentity?
    ) throws(FixtureServerError) {
        scheme = identity == nil ? "http" : "https"
        state = try ServerState(router: router)
        let functions = try LinuxFunctions.load()
        let listener = try ListeningSocket(at: port, functions: functions)
        self.port = listener.port
        do throws(FixtureServerError) {
            let loop = try EventLoop(
                state: state, listener: listener, identity: identity, functions: functions)
            thread = try ServerThread(running: loop)
        } catch {
            listener.close()
            throw error
        }
    }

    deinit {
        stop()
    }

    /// The URL of the server without a path, such as `http://127.0.0.1:40213`.
    public var baseURL: String { "\(scheme)://127.0.0.1:\(port)" }

    /// Answers requests for a path with a handler.
    ///
    /// The path is compared with the percent-encoded path of the request. A path that ends with
    /// `/*` stands for every path that begins with what precedes the asterisk; an exact path wins
    /// over a prefix, a longer prefix over a shorter one, and both over the built-in routes. A
    /// handler registered earlier for the same path is replaced.
    public func route(_ path: String, _ handler: @escaping Handler) {
        state.router.withLock { $0.set(path, handler) }
    }

    /// Closes the listening socket and all connections and ends the thread.
    ///
    /// It returns when the thread has ended and may be called any number of times. When a handler
    /// calls it, the server stops soon after that handler has returned.
    public func stop() {
        _ = state.commands.submit(.stop)
        thread.join()
        // A thread stopped by its own handler is detached, so that joining it says nothing.
        if !thread.isCurrent { state.commands.waitUntilClosed() }
        // A handler that captures the server would otherwise keep it alive for ever. What the
        // handlers capture is released outside the lock, because it may use the server.
        withExtendedLifetime(state.router.withLock { $0.removeAll() }) {}
    }

    /// Closes every connection on which no request is in progress.
    ///
    /// The connections are closed when it returns. When a handler calls it, they are closed soon
    /// after that handler has returned.
    public func closeIdleConnections() {
        perform(.closeIdleConnections)
    }

    /// Closes every connection with a TCP reset.
    ///
    /// The connections are closed when it returns. When a handler calls it, they are closed soon
    /// after that handler has returned.
    public func resetAllConnections() {
        perform(.resetAllConnections)
    }

    /// How many complete requests have arrived.
    public var requestCount: Int { counters.requests }

    /// How many connections have been accepted.
    public var acceptedConnectionCount: Int { counters.acceptedConnections }

    /// How many connections are open now.
    public var openConnectionCount: Int { counters.openConnections }

    /// All counters, taken at the same moment.
    public var counters: FixtureCounters { state.counters.withLock { $0 } }

    /// Blocks the calling thread until the counters satisfy a condition.
    ///
    /// It returns false when they have not done so in time. The condition runs while the counters
    /// are locked, so it must not use the server.
    public func wait(
        upTo milliseconds: Int, until condition: (FixtureCounters) -> Bool
    ) -> Bool {
        state.counters.wait(deadline: .after(milliseconds: milliseconds), until: condition)
    }

    /// Whether the server keeps the requests it receives; false at first.
    public var recordsRequests: Bool {
        get { state.recording.withLock { $0.isOn } }
        set { state.recording.withLock { $0.isOn = newValue } }
    }

    /// The requests received while `recordsRequests` was true, in order of arrival.
    public var recordedRequests: [FixtureRequest] { state.recording.withLock { $0.requests } }

    private func perform(_ command: ServerCommand) {
        guard let ticket = state.commands.submit(command), !thread.isCurrent else { return }
        state.commands.wait(for: ticket)
    }
}
