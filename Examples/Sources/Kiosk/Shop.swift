import Bluebonnet
import BluebonnetTesting

/// A service that sells bouquets of a dozen, and asks ``Prices`` what they cost.
struct Shop: Sendable {
    private let server: TestServer
    private let prices: HTTPSessionManager

    struct Price: Decodable, Sendable {
        let price: Int
    }

    init(port: UInt16 = 0, prices url: URL, output: Observation.Output) throws {
        let observation = Observation(service: "shop", output: output)
        let prices = observation.manager(baseURL: url)
        server = try TestServer(port: port)
        server.on(.get, "/bouquets/:flower") { request in
            let flower = request.parameters["flower"] ?? ""
            return await observation.answer(request, "GET /bouquets/:flower") {
                let name = flower.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                let price: Price = try await prices.get("prices/\(name ?? "")")
                return (200, "{\"price\":\(price.price * 12)}")
            }
        }
        server.on(.get, "/metrics") { _ in
            .text(
                await observation.metricsText(),
                type: "application/openmetrics-text; version=1.0.0; charset=utf-8")
        }
        self.prices = prices
    }

    var url: URL { server.url }

    /// Asks for no more prices, answers those that wait for one, and closes the port.
    func stop() async {
        await prices.shutdown(cancelingAfter: .seconds(10))
        server.stop()
    }
}
