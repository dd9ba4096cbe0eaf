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

    /// Returns an exchange with the fixture's server.
    func exchange(_ path: String, method: String = "GET", body: [UInt8]? = nil) -> Exchange {
        var exchange = Exchange(method: method, url: server.baseURL + path, pool: pool)
        exchange.body = body.map { .data(Data($0)) }
        return exchange
    }

    /// Performs an exchange that the server answers with this reply.
    func perform(answer: FixtureReply, method: String = "GET") async -> ExchangeRecorder.Record {
        server.route("/answer") { _ in answer }
        return await transport.perform(exchange("/answer", method: method))
    }

    /// Performs an exchange that is answered with this text before the connection closes.
    func perform(raw text: String, method: String = "GET") async -> ExchangeRecorder.Record {
        await perform(answer: .raw(text), method: method)
    }
}

extension Exchange {
    /// Returns a changed copy.
    func with(_ change: (inout Exchange) -> Void) -> Exchange {
        var copy = self
        change(&copy)
        return copy
    }
}
