import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation

/// A server, a transport and a pool for one test.
struct TransportFixture {
    let server: FixtureServer
    let transport = CurlTransport()
    let pool: Exchange.Pool

    init(pool: Exchange.Pool = Exchange.Pool()) throws {
        server = try FixtureServer()
        self.pool = pool
    }

    /// An exchange with the fixture's server.
    func exchange(_ path: String, method: String = "GET", body: [UInt8]? = nil) -> Exchange {
        var exchange = Exchange(method: method, url: server.baseURL + path, pool: pool)
        exchange.body = body.map { .data(Data($0)) }
        return exchange
    }

    /// Performs an exchange for which the server has this answer.
    func perform(answer: FixtureReply, method: String = "GET") async -> ExchangeRecorder.Record {
        server.route("/answer") { _ in answer }
        return await transport.perform(exchange("/answer", method: method))
    }

    /// Performs an exchange that is answered with these characters before the connection closes.
    func perform(raw text: String, method: String = "GET") async -> ExchangeRecorder.Record {
        await perform(answer: .raw(text), method: method)
    }
}

extension Exchange {
    /// A copy with something changed.
    func with(_ change: (inout Exchange) -> Void) -> Exchange {
        var copy = self
        change(&copy)
        return copy
    }
}
