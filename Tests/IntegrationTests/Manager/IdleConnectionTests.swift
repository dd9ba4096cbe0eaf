import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("Idle connections of a manager", .timeLimit(.minutes(2)))
struct IdleConnectionTests {
    let server: FixtureServer
    let transport = CurlTransport()

    init() throws {
        server = try FixtureServer()
    }

    private func manager(
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        change(&configuration)
        return HTTPSessionManager(
            baseURL: URL(string: server.baseURL), configuration: configuration,
            transport: transport)
    }

    /// Leaves this many idle connections.
    private func leave(_ count: Int, by manager: HTTPSessionManager) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { _ = try await manager.get("delay/100") } }
            try await group.waitForAll()
        }
    }

    @Test("they are closed after the configured time, and not before")
    func timeout() async throws {
        let manager = manager { $0.idleConnectionTimeout = 1 }
        let start = MonotonicClock.seconds
        try await leave(5, by: manager)
        #expect(await server.hasNoConnection())
        #expect(MonotonicClock.seconds - start >= 1)
        withExtendedLifetime(manager) {}
    }

    @Test("they are closed at once when the session is invalidated", arguments: [true, false])
    func invalidated(resetsSession: Bool) async throws {
        let manager = manager { $0.idleConnectionTimeout = nil }
        try await leave(5, by: manager)
        #expect(await transport.openSocketCount == 5)
        manager.invalidate(cancelingTasks: true, resetSession: resetsSession)
        #expect(await server.hasNoConnection())
        withExtendedLifetime(manager) {}
    }

    @Test("after invalidation, the last task's connection is closed with it, others at once")
    func lastTask() async throws {
        let manager = manager { $0.idleConnectionTimeout = nil }
        try await leave(5, by: manager)
        #expect(await transport.openSocketCount == 5)
        let (responses, response) = AsyncStream.makeStream(of: BluebonnetError?.self)
        let url = try #require(manager.url(for: "delay/600000"))
        let task = manager.dataTask(with: URLRequest(url: url)) {
            response.yield($0.error)
            response.finish()
        }
        task.resume()
        #expect(await until { server.requestCount == 6 })
        manager.invalidate(cancelingTasks: false, resetSession: false)
        #expect(await until { server.openConnectionCount == 1 })
        task.cancel()
        for await error in responses { #expect(error?.isCancelled == true) }
        #expect(await server.hasNoConnection())
        withExtendedLifetime(manager) {}
    }
}

extension FixtureServer {
    fileprivate func hasNoConnection() async -> Bool { await until { openConnectionCount == 0 } }
}
