import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("The transport on libcurl", .timeLimit(.minutes(5)))
struct CurlTransportTests {
    let server: FixtureServer
    let transport = CurlTransport()
    let pool = Exchange.Pool()

    init() throws {
        server = try FixtureServer()
    }

    func exchange(_ path: String, method: String = "GET") -> Exchange {
        Exchange(method: method, url: server.baseURL + path, pool: pool)
    }

    @Test("a GET delivers head, body, metrics and one end")
    func get() async throws {
        let record = await transport.perform(exchange("/json"))
        #expect(record.head?.statusCode == 200)
        #expect(record.head?["content-type"] == "application/json")
        #expect(String(decoding: record.body, as: UTF8.self).contains("hello"))
        #expect(record.ends.count == 1)
        let end = try #require(record.ends.first)
        #expect(end.failure == nil)
        #expect(end.metrics.protocolVersion == "HTTP/1.1")
        #expect(end.metrics.remoteAddress == "127.0.0.1")
        #expect(end.metrics.decodedBodyBytes == Int64(record.body.count))
    }

    @Test("sequential exchanges share a connection")
    func reuse() async {
        for index in 0..<5 {
            let record = await transport.perform(exchange("/json"))
            #expect(record.ends.first?.metrics.isConnectionReused == (index > 0))
        }
        #expect(server.acceptedConnectionCount == 1)
    }
}
