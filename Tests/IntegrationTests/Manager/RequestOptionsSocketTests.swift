import Bluebonnet
import BluebonnetFixtureServer
import Foundation
import Testing

@Suite("The options of a call, over sockets", .timeLimit(.minutes(5)))
struct RequestOptionsSocketTests {
    private let server: FixtureServer
    private let manager: HTTPSessionManager

    init() throws {
        server = try FixtureServer()
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
    }

    @Test("a route leads only its call to another address")
    func route() async throws {
        let port = try #require(URL(string: server.baseURL)?.port)
        var route = Exchange.Route()
        route.addressOverrides = [
            .init(host: "elsewhere.invalid", port: port, addresses: ["127.0.0.1"])
        ]
        let url = "http://elsewhere.invalid:\(port)/json"
        #expect(try await !manager.get(url, options: .route(route)).isEmpty)
        await #expect(throws: BluebonnetError.self) { try await manager.get(url) }
        #expect(try await !manager.get(url, options: .route(route)).isEmpty)
    }

    @Test("a body that is not decoded arrives as it was sent")
    func decodesContent() async throws {
        let options: RequestOptions = .decodesContent(false)
        let raw = try await manager.get(
            "gzip", headers: ["Accept-Encoding": "gzip"], options: options)
        #expect(raw.starts(with: [0x1F, 0x8B]))
        #expect(try await !manager.get("gzip").starts(with: [0x1F, 0x8B]))
    }
}
