public import Bluebonnet

/// A transport whose responses a test gives, by routes.
///
/// All of the library above the transport is real: redirects, cookies, challenges, limits, deadlines, validation and
/// serialization. Nothing is sent.
///
/// ```swift
/// let stub = StubTransport()
/// stub.on(.get, "/users/:id") { .json(["id": $0.parameters["id"]]) }
/// stub.on(.post, "/users", .status(503), .json(["id": 2], status: 201))
/// let api = HTTPSessionManager(baseURL: URL(string: "https://example.org"), transport: stub)
/// …
/// #expect(stub.requests(to: "/users/*").count == 1)
/// try stub.verify()
/// ```
///
/// ``StubRouting`` has the routes and the log of requests. Delays of responses, and the timeouts that run meanwhile,
/// go by the session's clock: with a ``ManualClock`` they take no time. A request for which there is no route fails
/// with the code `resourceUnavailable`, and what a route's closure throws fails the exchange: an
/// `Exchange.Failure` as it is, other errors with a description. Any thread may use it, at any time.
public final class StubTransport: Transport, StubRouting {
    /// The routes and the log of requests.
    public let routes = StubRoutes()

    /// Makes a stub without routes.
    public init() {}

    /// Makes the transfer of an exchange.
    public func transfer(
        for exchange: Exchange, reportingTo sink: any ExchangeSink
    ) -> any Transfer {
        StubTransfer(exchange, reportingTo: sink) { [routes] exchange, body in
            do throws(Exchange.Failure) {
                return try routes.reply(to: StubRequest(exchange, body: body))
            } catch {
                return .response(.failure(error))
            }
        }
    }
}

extension StubRequest {
    fileprivate init(_ exchange: Exchange, body: Data) {
        self.init(
            time: exchange.clock.now, method: HTTPMethod(rawValue: exchange.method),
            // What cannot be parsed here is no URL for the session either.
            url: URL(string: exchange.url) ?? URL(fileURLWithPath: "/"),
            headers: HTTPHeaders(exchange.fields), body: body, attempt: exchange.attempt,
            attributes: exchange.attributes)
    }
}
