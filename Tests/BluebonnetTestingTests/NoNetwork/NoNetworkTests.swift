import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Testing

@Suite("A transport without a network", .timeLimit(.minutes(1)))
struct NoNetworkTests {
    private func loadUsers(_ api: HTTPSessionManager) async throws -> Data {
        try await api.get("users?token=secret", options: .tag("users"))
    }

    @Test("a request fails and is reported with its tag and caller, without secrets")
    func unexpected() async throws {
        let told = Locked<[String]>([])
        let network = NoNetwork { request in told.withLock { $0.append("\(request)") } }
        let api = HTTPSessionManager(baseURL: URL(string: "http://a.test/"), transport: network)
        let error = await #expect(throws: BluebonnetError.self) { try await loadUsers(api) }
        #expect(error?.urlError.code == .notConnectedToInternet && error?.isSafeToRetry == true)
        #expect(error?.description.contains("this test has no network") == true)
        let text = try #require(told.withLock { $0.first })
        #expect(text.hasPrefix("unexpected request: GET http://a.test/users, tagged users\n"))
        #expect(!text.contains("secret"))
        #expect(network.requests.count == 1)
        #expect(network.requests.first?.method == .get)
        let caller = try #require(network.requests.first?.callStack.first)
        #expect(caller.contains("loadUsers") && caller.contains("NoNetworkTests.swift:"))
    }

    @Test("without requests, nothing is reported")
    func nothing() { #expect(NoNetwork().requests.isEmpty) }
}
