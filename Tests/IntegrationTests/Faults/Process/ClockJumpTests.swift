import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import CBluebonnetTestFaults
import Foundation
import FoundationNetworking
import Testing

@Suite("A wall clock that jumps", .timeLimit(.minutes(5)))
struct ClockJumpTests {
    private static let year = 31_557_600

    /// What a task comes to during which the clock jumps, and how long it says that it took.
    private static func perform(_ path: String, jump: Int) async throws -> Response<Data> {
        let server = try FixtureServer()
        var configuration = SessionConfiguration()
        configuration.timeouts = .init(connect: 20, idle: 1.5, whole: 20)
        configuration.timeouts.head = 20
        let manager = HTTPSessionManager(
            baseURL: URL(string: server.baseURL), configuration: configuration)
        let url = try #require(manager.url(for: path))
        async let response = manager.response(for: URLRequest(url: url), serializer: .http)
        #expect(await until { server.requestCount == 1 })
        let before = Date()
        #expect(bt_clock_set_ahead(jump) == 0)
        // The clock has jumped for whoever asks.
        let moved = Date().timeIntervalSince(before)
        #expect(abs(moved - Double(jump)) < 60)
        let result = await response
        #expect(bt_clock_set_ahead(0) == 0)
        return result
    }

    private static func run() async throws {
        for jump in [year, -year] {
            let good = try await perform("drip/20/50", jump: jump)
            #expect(good.error == nil && good.value?.count == 20)
            let duration = good.metrics?.exchanges.first?.totalDuration ?? -1
            #expect(duration > 0.5 && duration < 20, "\(duration)")
            let silent = try await perform("hang", jump: jump)
            #expect(silent.error?.timeout == .idle, "\(silent.error as Any)")
            let time = silent.metrics?.exchanges.first?.totalDuration ?? -1
            #expect(time > 1.4 && time < 15, "\(time)")
        }
    }

    @Test(
        "ends no task early and none late, forwards or backwards by a year (fault 88)",
        .disabled(if: ProcessState.isSanitized, "a sanitizer has the clock for itself"))
    func jump() async {
        await #expect(processExitsWith: .success) { try await Self.run() }
    }
}
