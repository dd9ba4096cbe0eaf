public import Bluebonnet
import BluebonnetFixtureServer

/// An HTTP server on a port of 127.0.0.1 whose responses a test defines with routes.
///
/// Use it for tests that need sockets, and for clients other than Bluebonnet. For everything else,
/// use a ``StubTransport``, which takes the same routes, is faster and reports more.
///
/// ```swift
/// let server = try TestServer(tls: true)
/// server.on(.get, "/users/:id") { .json(["id": $0.parameters["id"]]) }
/// let api = HTTPSessionManager(baseURL: server.url)
/// api.securityPolicy = server.securityPolicy
/// …
/// try server.verify()
/// ```
///
/// It uses HTTP/1.1, and sends responses as far as a socket allows:
///
/// - Delays and the times between pieces are real, whatever the clock of the session.
/// - ``StubResponse/cut(after:failure:)`` closes the connection after the given number of
///   bytes. A body with a length that is cut at its end is complete.
/// - ``StubResponse/failure(_:)-(Exchange.Failure)`` closes the connection without a response,
///   whatever the failure. If the client has used that connection before, it might resend the
///   request. Failures to connect and refused certificates cannot be simulated. For a failure that is
///   a timeout, the server waits for the client to disconnect, as for ``StubResponse/silence``.
/// - A body with trailers is sent in chunks, as with a field `Transfer-Encoding: chunked`.
/// - A request without a route is answered with 501 and a text that lists the routes. If the
///   closure of a route throws an error other than an `Exchange.Failure`, the request is answered
///   with 500.
///
/// In a ``StubRequest``, the time is measured from the creation of the server, the attempt is
/// always 1, and no attribute is set. Conditions of routes run on the server's thread. Closures run
/// in Swift tasks, which are canceled when the client disconnects. The server stops when its last
/// reference is released. A closure that needs the server's URL should capture ``url``, because
/// capturing the server keeps it alive until ``stop()``. The server can be used from any thread at
/// any time.
public final class TestServer: StubRouting {
    /// The routes and the log of requests.
    public let routes: StubRoutes
    /// The URL of the root, such as `http://127.0.0.1:40213/`.
    public let url: URL
    /// The TLS certificate for 127.0.0.1 and `localhost`, which no authority has signed; nil
    /// without TLS.
    ///
    /// Each server creates its own certificate in memory.
    public let certificate: Certificate?
    private let server: FixtureServer

    /// Creates and starts a server.
    ///
    /// - Parameters:
    ///   - tls: Whether the server uses TLS, in versions 1.2 and 1.3. The default is false.
    ///   - port: The port. The default is 0, for any free port.
    /// - Throws: A ``TestServerError`` if the port is in use, or the system has no more sockets or
    ///   threads.
    public init(tls: Bool = false, port: UInt16 = 0) throws(TestServerError) {
        let routes = StubRoutes()
        let start = ContinuousClock.now
        let scheme = tls ? "https" : "http"
        do {
            let identity = tls ? try LoopbackIdentity() : nil
            certificate = try identity.map { try Certificate(der: Data($0.certificate)) }
            server = try FixtureServer(port: port, identity: identity) { request in
                let time = ContinuousClock.now - start
                return routes.answer(StubRequest(request, at: time, scheme: scheme))
            }
        } catch {
            throw TestServerError(error, port: port)
        }
        self.routes = routes
        url = URL(string: "\(server.baseURL)/") ?? URL(fileURLWithPath: "/")
    }

    /// The port that the server listens on.
    public var port: UInt16 { server.port }

    /// Returns the URL of a path, which can have a query.
    ///
    /// - Parameter path: The path, with or without a slash at its start.
    /// - Returns: The absolute URL.
    public func url(_ path: String) -> URL {
        URL(string: path, relativeTo: url)?.absoluteURL ?? url
    }

    /// The policy for a manager that trusts this server.
    ///
    /// Without TLS, it is the default policy.
    public var securityPolicy: SecurityPolicy {
        var policy = SecurityPolicy()
        if let certificate { policy.trustedCertificates = [certificate] }
        return policy
    }

    /// The number of connections accepted so far.
    public var connectionCount: Int { server.acceptedConnectionCount }

    /// Closes the port and all connections.
    ///
    /// It returns when both are closed, and can be called more than once. The routes and the log
    /// are kept.
    public func stop() { server.stop() }
}

extension StubRoutes {
    /// Answers a request that arrived on a socket.
    fileprivate func answer(_ request: StubRequest) -> FixtureReply {
        do throws(Exchange.Failure) {
            switch try reply(to: request) {
            case .response(let response): return response.reply(to: request.method)
            case .closure(let request, let answer):
                return .script([.defer { $0.complete(with: answer, request) }])
            }
        } catch {
            return StubResponse.text(error.message, status: 501).reply(to: request.method)
        }
    }
}

extension DeferredReply {
    fileprivate func complete(with answer: @escaping StubRoute.Answer, _ request: StubRequest) {
        let task = Task {
            let response: StubResponse
            do {
                response = try await answer(request)
            } catch let failure as Exchange.Failure {
                response = .failure(failure)
            } catch {
                response = .text("the route for \(request) threw \(error)", status: 500)
            }
            complete(response.reply(to: request.method))
        }
        whenAbandoned { task.cancel() }
    }
}

extension StubRequest {
    fileprivate init(_ request: FixtureRequest, at time: Duration, scheme: String) {
        let origin = "\(scheme)://\(request.headers["Host"] ?? "")"
        let target = request.target
        // A client that uses the server as a proxy sends the whole URL.
        let text = target.hasPrefix("/") ? origin + target : target
        self.init(
            time: time, method: HTTPMethod(rawValue: request.method),
            url: URL(string: text) ?? URL(fileURLWithPath: target),
            headers: HTTPHeaders(
                request.headers.map { Exchange.Field(name: $0.name, value: $0.value) }),
            body: Data(request.body), attempt: 1, attributes: TaskAttributes())
    }
}
