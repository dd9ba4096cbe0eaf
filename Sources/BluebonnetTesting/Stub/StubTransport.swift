public import Bluebonnet

/// A transport whose responses a test defines with routes.
///
/// Everything above the transport is real: redirects, cookies, challenges, limits, deadlines,
/// validation and serialization. Nothing is sent.
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
/// ``StubRouting`` has the routes and the log of requests. Delays of responses, and the timeouts
/// that run meanwhile, use the session's clock. With a ``ManualClock``, they take no real time. A
/// request without a route fails with the code `resourceUnavailable`. If the closure of a route
/// throws an `Exchange.Failure`, the exchange fails with it. Other errors fail the exchange with a
/// description. The transport can be used from any thread at any time.
public final class StubTransport: Transport, StubRouting {
    /// The routes and the log of requests.
    public let routes = StubRoutes()

    /// Creates a stub without routes.
    public init() {}

    /// Creates the transfer of an exchange.
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
            // A URL that cannot be parsed here is invalid for the session too.
            url: URL(string: exchange.url) ?? URL(fileURLWithPath: "/"),
            headers: HTTPHeaders(exchange.fields), body: body, attempt: exchange.attempt,
            attributes: exchange.attributes)
    }
}
