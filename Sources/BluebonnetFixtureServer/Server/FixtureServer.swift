/// A scriptable HTTP/1.1 server on a port of 127.0.0.1, for tests of HTTP clients.
///
/// The initializer starts the server, which runs on its own thread until `stop()` or until the last
/// reference is released. In addition to a test's routes, it has the routes of `BuiltInRoutes`.
///
/// HTTP clients do not half-close, so the server closes a connection when it reads an end of file.
/// A canceled request is therefore visible in `openConnectionCount` at once.
public final class FixtureServer: Sendable {
    /// A function that decides how to answer a request.
    ///
    /// It runs on the server's thread and must return quickly, because all other connections wait
    /// for it. To answer late, return a reply with a pause.
    public typealias Handler = @Sendable (FixtureRequest) -> FixtureReply

    /// Returns a handler that answers with each of the replies in turn, over and over; with none, it
    /// answers 404.
    public static func cycling(_ replies: [FixtureReply]) -> Handler {
        let count = Locked(0)
        return { _ in
            guard !replies.isEmpty else { return .response(status: 404) }
            return count.withLock { count in
                defer { count = (count + 1) % replies.count }
                return replies[count]
            }
        }
    }

    /// The TCP port that the server listens on.
    public let port: UInt16

    private let scheme: String
    private let state: ServerState
    private let thread: ServerThread

    /// Starts a server.
    ///
    /// The keys of `routes` follow the rules of `route(_:_:)`. Port 0 selects a free port.
    ///
    /// Throws if the port is in use, or if the system has no socket, epoll set or thread left.
    public convenience init(
        routes: [String: Handler] = [:], port: UInt16 = 0
    ) throws(FixtureServerError) {
        var router = Router()
        for (path, handler) in routes { router.set(path, handler) }
        try self.init(router, port: port, identity: nil)
    }

    /// Starts a server that answers every request with one handler, inside TLS if it has an
    /// identity.
    ///
    /// The handler replaces the built-in routes. The port and the errors are those of the other
    /// initializer.
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

    /// Registers a handler for requests to a path.
    ///
    /// The path is compared with the percent-encoded path of the request. A path that ends with
    /// `/*` matches every path that begins with the text before the asterisk. An exact path takes
    /// precedence over a prefix, a longer prefix over a shorter one, and both over the built-in
    /// routes. A new handler replaces an earlier one for the same path.
    public func route(_ path: String, _ handler: @escaping Handler) {
        state.router.withLock { $0.set(path, handler) }
    }

    /// Closes the listening socket and all connections, and ends the thread.
    ///
    /// It returns when the thread has ended and can be called any number of times. If a handler
    /// calls it, the server stops soon after that handler returns.
    public func stop() {
        _ = state.commands.submit(.stop)
        thread.join()
        // A thread that stops its own server is detached, so `join` does not wait for its end.
        if !thread.isCurrent { state.commands.waitUntilClosed() }
        // A handler that captures the server would otherwise keep it alive forever. Captured
        // objects are released outside the lock, because they can use the server.
        withExtendedLifetime(state.router.withLock { $0.removeAll() }) {}
    }

    /// Closes every connection on which no request is in progress.
    ///
    /// The connections are closed when it returns. If a handler calls it, they are closed soon
    /// after that handler returns.
    public func closeIdleConnections() {
        perform(.closeIdleConnections)
    }

    /// Closes every connection with a TCP reset.
    ///
    /// The connections are closed when it returns. If a handler calls it, they are closed soon
    /// after that handler returns.
    public func resetAllConnections() {
        perform(.resetAllConnections)
    }

    /// The number of complete requests that have arrived.
    public var requestCount: Int { counters.requests }

    /// The number of connections that have been accepted.
    public var acceptedConnectionCount: Int { counters.acceptedConnections }

    /// The number of connections that are currently open.
    public var openConnectionCount: Int { counters.openConnections }

    /// All counters, read at the same moment.
    public var counters: FixtureCounters { state.counters.withLock { $0 } }

    /// Blocks the calling thread until the counters satisfy a condition.
    ///
    /// Returns false if the time runs out first. The condition runs while the counters are locked,
    /// so it must not use the server.
    public func wait(
        upTo milliseconds: Int, until condition: (FixtureCounters) -> Bool
    ) -> Bool {
        state.counters.wait(deadline: .after(milliseconds: milliseconds), until: condition)
    }

    /// Whether the server keeps the requests that it receives; default false.
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
