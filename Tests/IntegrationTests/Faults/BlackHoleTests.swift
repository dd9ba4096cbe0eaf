import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import CBluebonnetTestResolver
import Foundation
import Testing

@Suite("Addresses that swallow everything", .timeLimit(.minutes(5)))
struct BlackHoleTests {
    @Test("an address of IPv6 that never answers costs a fraction of a second (fault 55)")
    func happyEyeballs() async throws {
        let server = try FaultServer(FaultScript())
        // There is none where there is no IPv6, or the port is taken.
        guard let hole = try? FullListener(at: .loopback6(server.port)) else { return }
        #expect(bt_resolver_answer("hole.fault.test", "::1,127.0.0.1") == 0)
        var configuration = SessionConfiguration()
        configuration.timeouts.connect = 20
        let manager = HTTPSessionManager(configuration: configuration)
        let url = try #require(URL(string: "http://hole.fault.test:\(server.port)/"))
        let response = await manager.response(for: URLRequest(url: url), serializer: .http)
        #expect(FaultOutcome.good.objection(to: response) == nil)
        // libcurl waits 200 ms for the first address, then tries the second beside it.
        let metrics = try #require(response.metrics?.exchanges.first)
        #expect(metrics.remoteAddress == "127.0.0.1")
        #expect(metrics.totalDuration < 10)
        withExtendedLifetime(hole) {}
    }
}
