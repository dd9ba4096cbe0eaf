import Bluebonnet
import Testing

@testable import BluebonnetTesting

@Suite("Manual clocks that nothing moves", .timeLimit(.minutes(1)))
struct StandstillTests {
    private let warnings: AsyncStream<String>
    private let feed: AsyncStream<String>.Continuation

    init() {
        (warnings, feed) = AsyncStream.makeStream()
    }

    private func clock() -> ManualClock {
        ManualClock(patience: .milliseconds(1)) { [feed] in feed.yield($0) }
    }

    @Test("a call that waits for the time without run is reported, once")
    func standstill() async throws {
        let clock = clock()
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
        clock.schedule(after: .seconds(1)) {}
        #expect(await clock.run { clock.pendingCount } == 1)
        feed.finish()
        for await warning in warnings { Issue.record("\(warning)") }
    }

    @Test("a clock that is moved reports nothing")
    func moved() async {
        let clock = clock()
        await clock.run {
            for _ in 0..<1000 { try? await clock.sleep(for: .seconds(1)) }
        }
        feed.finish()
        for await warning in warnings { Issue.record("\(warning)") }
    }
}
