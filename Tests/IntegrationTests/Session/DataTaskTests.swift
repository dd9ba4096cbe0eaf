import Bluebonnet
import FixtureServer
import Testing

@Suite("Data tasks", .timeLimit(.minutes(1)))
struct DataTaskTests {
    let server: FixtureServer
    let manager: HTTPSessionManager

    init() throws {
        server = try FixtureServer()
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
    }

    @Test("get delivers the JSON object to the trailing closure")
    func get() async {
        let response = await withCheckedContinuation { continuation in
            manager.get("json") { continuation.resume(returning: $0) }
        }
        #expect((response.object as? [String: Any])?["number"] as? Int == 42)
        #expect(response.error == nil)
    }

    @Test("redirects are followed to the end")
    func redirect() async throws {
        let data = try await manager.data(
            for: URLRequest(url: #require(manager.url(for: "redirect/3"))))
        #expect(!data.isEmpty)
    }
}
