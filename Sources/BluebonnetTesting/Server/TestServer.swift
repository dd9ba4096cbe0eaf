public import Bluebonnet
import BluebonnetFixtureServer

/// An HTTP server on a port of 127.0.0.1, whose responses a test gives, by routes.
///
/// It is for tests that want sockets, and for clients that are not Bluebonnet. Everything else is faster and says more
/// on a ``StubTransport``, which takes the same routes.
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
/// It speaks HTTP/1.1, and a response becomes what a socket can say of it:
///
/// - Delays and the times between pieces are real ones, whatever the clock of the session.
/// - ``StubResponse/cut(after:failure:)`` closes the connection after so many bytes. A body that has a length and is cut
///   at its end is whole.
/// - ``StubResponse/failure(_:)-(Exchange.Failure)`` closes the connection without a response, whatever the
///   failure. A client may send a request again that meets this on a connection which it has used
///   before. Failures to connect and refused certificates cannot be said. A failure that is a timeout waits for the
///   client to leave, as ``StubResponse/silence`` does.
/// - Trailers send the body chunked, as a field `Transfer-Encoding: chunked` does.
/// - A request without a route is answered with 501 and a text that names the routes; what a route's closure throws,
///   unless it is an `Exchange.Failure`, with 500.
///
/// Of a ``StubRequest``, the time is the one since the server was made, the attempt is always 1, and no attribute is set.
/// Conditions of routes run on the server's thread, which closures do not: their Swift task is cancelled when the
/// client leaves. The server stops when its last reference goes away. A closure that needs its URL
/// captures ``url``: one that captures the server keeps it until ``stop()``. Any thread may use it, at any time.
public final class TestServer: StubRouting {
    /// The routes and the log of requests.
    public let routes: StubRoutes
    /// The URL of the root, such as `http://127.0.0.1:40213/`.
    public let url: URL
    /// The certificate in TLS, for 127.0.0.1 and `localhost`, which no authority has signed; nil without TLS.
    ///
    /// Each server makes one of its own, in memory.
    public let certificate: Certificate?
    private let server: FixtureServer

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - tls: Whether it speaks TLS, in versions 1.2 and 1.3. The default is false.
    ///   - port: The port. The default, 0, is one that is free.
    /// - Throws: A ``TestServerError`` when the port is taken, or the system has no more sockets or threads.
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

    /// The port.
    public var port: UInt16 { server.port }

    /// The URL of a path, which may have a query.
    public func url(_ path: String) -> URL {
        URL(string: path, relativeTo: url)?.absoluteURL ?? url
    }

    /// The policy of a manager that is to trust this server.
    ///
    /// Without TLS it is the default policy.
    public var securityPolicy: SecurityPolicy {
        var policy = SecurityPolicy()
        if let certificate { policy.trustedCertificates = [certificate] }
        return policy
    }

    /// How many connections have been accepted so far.
    public var connectionCount: Int { server.acceptedConnectionCount }

    /// Closes the port and all connections.
    ///
    /// It returns when both are closed, and may be called any number of times. Routes and log stay.
    public func stop() { server.stop() }
}

extension StubRoutes {
    /// Answers a request that came on a socket.
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
        // A client that takes the server for its proxy sends the whole URL.
        let text = target.hasPrefix("/") ? origin + target : target
        self.init(
            time: time, method: HTTPMethod(rawValue: request.method),
            url: URL(string: text) ?? URL(fileURLWithPath: target),
            headers: HTTPHeaders(
                request.headers.map { Exchange.Field(name: $0.name, value: $0.value) }),
            body: Data(request.body), attempt: 1, attributes: TaskAttributes())
    }
}
