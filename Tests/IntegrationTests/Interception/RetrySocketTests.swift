import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite("Retries on sockets", .timeLimit(.minutes(5)))
struct RetrySocketTests {
    /// Returns how often a request was sent.
    private func attempts(
        _ method: HTTPMethod, to url: String, _ policy: RetryPolicy
    ) async throws -> Int? {
        let manager = HTTPSessionManager()
        manager.interceptors = [policy]
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method.rawValue
        request.httpBody = Data("order".utf8)
        let response = await manager.response(for: request, serializer: .http)
        #expect(response.error != nil)
        return response.metrics?.exchanges.count
    }

    private static let policies: [RetryPolicy] = [
        .retryPolicy(exponentialBackoffScale: 0),
        .retryPolicy(exponentialBackoffScale: 0, retryableHTTPMethods: [.get]),
    ]

    @Test("a request to a closed port is retried for every method")
    func closedPort() async throws {
        let port = try ReservedPort()
        for policy in Self.policies {
            for method in [HTTPMethod.post, .put, .get] {
                #expect(try await attempts(method, to: port.baseURL, policy) == 3, "\(method)")
            }
        }
    }

    @Test(
        "a request that was read before a reset is retried if its method is idempotent")
    func reset() async throws {
        let server = try FixtureServer { _ in .script([.reset]) }
        server.recordsRequests = true
        for (policy, count) in zip(Self.policies, [3, 1]) {
            #expect(try await attempts(.post, to: server.baseURL, policy) == 1)
            #expect(try await attempts(.put, to: server.baseURL, policy) == count)
        }
        #expect(server.recordedRequests.count { $0.method == "POST" } == 2)
    }
}
