import Bluebonnet
import Testing

@testable import BluebonnetTesting

@Suite("Manual clocks that nothing moves", .timeLimit(.minutes(1)))
struct ClockStallWatchTests {
    @Test("a call that waits for the time without run is reported")
    func standstill() async throws {
        let (warnings, feed) = AsyncStream.makeStream(of: String.self)
        let clock = ManualClock(patience: .milliseconds(1)) { feed.yield($0) }
        var configuration = SessionConfiguration()
        configuration.clock = clock
        let stub = StubTransport()
        stub.on(.get, "/a", .status(503), .status(204))
        let url = URL(string: "http://a.test/")
        let api = HTTPSessionManager(
            baseURL: url, configuration: configuration, transport: stub)
        api.interceptors = [RetryPolicy()]
        let call = Task { try await api.get("a") }
        for await warning in warnings {
            #expect(warning.contains("due at 0.5 s"), "\(warning)")
            #expect(warning.contains("is at 0.0 s") && warning.contains("clock.run"))
            break
        }
        _ = try await clock.run { try await call.value }
    }

    @Test("a watch finds a standstill only if nothing has changed, and none begins after a report")
    func watch() {
        var standstill = ClockStallWatch()
        let first = standstill.beginWatch()
        let second = standstill.beginWatch()
        #expect(first == 0 && second == nil)
        standstill.changeCount += 1
        let stands = standstill.endWatch(since: 0)
        #expect(!stands)
        let third = standstill.beginWatch()
        let standsStill = standstill.endWatch(since: 1)
        #expect(third == 1 && standsStill)
        standstill.isReported = true
        let fourth = standstill.beginWatch()
        #expect(fourth == nil)
    }
}
