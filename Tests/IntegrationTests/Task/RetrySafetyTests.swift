import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite("Whether a request is safe to retry, on sockets", .timeLimit(.minutes(5)))
struct RetrySafetyTests {
    private let manager = HTTPSessionManager(configuration: SessionConfiguration())

    private func post(_ url: String, body: String = "order") async throws -> BluebonnetError? {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        return await manager.response(for: request, serializer: .http).error
    }

    @Test("a POST to a closed port or an unknown name was not sent")
    func unsent() async throws {
        let port = try ReservedPort()
        let refused = try #require(try await post("http://127.0.0.1:\(port.number)/"))
        #expect(refused.urlError.code == .cannotConnectToHost && refused.isSafeToRetry)
        let unknown = try #require(try await post("http://nobody.invalid/"))
        #expect(unknown.isSafeToRetry)
    }

    @Test("a POST that was read can have been processed, on a new and on a kept connection")
    func lost() async throws {
        let server = try FixtureServer()
        server.route("/drop") { _ in .script([.close]) }
        server.route("/refused") { _ in .text("no", status: 503) }
        for path in ["/drop", "/refused", "/text", "/drop"] {
            let error = try await post(server.baseURL + path)
            #expect(error?.isSafeToRetry != true, "\(path): \(error as Any)")
        }
    }
}
