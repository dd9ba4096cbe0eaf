import Bluebonnet
import BluebonnetTesting

/// A service that knows what flowers cost.
///
/// The first request for each flower is answered with 503, as by a service whose cache is cold.
struct Prices: Sendable {
    // The server of a framework, in a program of yours.
    private let server: TestServer

    init(port: UInt16 = 0, output: Observation.Output) throws {
        let prices = ["rose": 3, "tulip": 2]
        let observation = Observation(service: "prices", output: output)
        let known = Locked<Set<String>>([])
        server = try TestServer(port: port)
        server.on(.get, "/prices/:flower") { request in
            let flower = request.parameters["flower"] ?? ""
            return await observation.answer(request, "GET /prices/:flower") {
                guard known.withLock({ !$0.insert(flower).inserted }) else { return (503, "{}") }
                return prices[flower].map { (200, "{\"price\":\($0)}") } ?? (404, "{}")
            }
        }
    }

    var url: URL { server.url }

    func stop() { server.stop() }
}
