import Bluebonnet
import BluebonnetEcosystem
import BluebonnetTesting
import Foundation
import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing

@Suite("A manager as a service", .timeLimit(.minutes(1)))
struct SessionServiceTests {
    private let stub = StubTransport()

    private func manager() -> HTTPSessionManager {
        HTTPSessionManager(baseURL: URL(string: "https://api.test"), transport: stub)
    }

    /// A group with a manager, and a stream that ends when the group has begun to start its services.
    private func group(
        _ manager: SessionManager, _ grace: Duration
    ) -> (group: ServiceGroup, starts: AsyncStream<Void>) {
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let group = ServiceGroup(
            services: [
                FirstService(didStart: { start.finish() }), SessionService(manager, grace: grace),
            ],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return (group, starts)
    }

    /// A route whose requests wait until the gate is opened.
    private func gate() -> (begun: AsyncStream<Void>, open: @Sendable () -> Void) {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (opened, opening) = AsyncStream.makeStream(of: Void.self)
        stub.on(.get, "/slow") { _ in
            beginning.yield()
            for await _ in opened {}
            return .text("done")
        }
        return (begun, { opening.finish() })
    }

    @Test("a group lets a request in flight end, and ends with it")
    func ends() async throws {
        let manager = manager()
        let gate = gate()
        let (group, starts) = group(manager, .seconds(60))
        async let run: Void = group.run()
        for await _ in starts {}
        async let response = manager.response(.get, "slow", serializer: .data)
        for await _ in gate.begun { break }
        await group.triggerGracefulShutdown()
        // Later requests are refused, while this one goes on.
        var refused: BluebonnetError?
        repeat {
            refused = await manager.response(.get, "other", serializer: .data).error
        } while refused.map { if case .sessionInvalidated = $0 { false } else { true } } ?? true
        gate.open()
        #expect(await response.value == Data("done".utf8))
        try await run
    }

    @Test("a request that hangs is canceled after the grace time, and the group ends")
    func grace() async throws {
        let clock = ManualClock()
        var configuration = SessionConfiguration()
        configuration.clock = clock
        let manager = HTTPSessionManager(
            baseURL: URL(string: "https://api.test"), configuration: configuration, transport: stub)
        stub.on(.get, "/never", .silence)
        let (group, starts) = group(manager, .seconds(20))
        async let run: Void = group.run()
        for await _ in starts {}
        async let response = manager.response(.get, "never", serializer: .data)
        while stub.requests.isEmpty { await Task.yield() }
        let former = clock.pendingCount
        await group.triggerGracefulShutdown()
        while clock.pendingCount == former { await Task.yield() }
        await clock.advance(by: .seconds(19))
        #expect(manager.tasks.count == 1)
        await clock.advance(by: .seconds(1))
        #expect(await response.error?.isCancelled == true)
        try await run
    }

    @Test("canceling the Swift task of a service ends a request that hangs at once")
    func cancels() async {
        let manager = manager()
        stub.on(.get, "/never", .silence)
        let run = Task { await SessionService(manager, grace: .seconds(3600)).run() }
        async let response = manager.response(.get, "never", serializer: .data)
        while stub.requests.isEmpty { await Task.yield() }
        run.cancel()
        #expect(await response.error?.isCancelled == true)
        await run.value
    }

    @Test("a cancellation during the grace time ends it")
    func cancelsGrace() async {
        let manager = manager()
        let gate = gate()
        await testGracefulShutdown { trigger in
            let run = Task { await SessionService(manager, grace: .seconds(3600)).run() }
            async let response = manager.response(.get, "slow", serializer: .data)
            for await _ in gate.begun { break }
            trigger.triggerGracefulShutdown()
            run.cancel()
            #expect(await response.error?.isCancelled == true)
            await run.value
        }
        gate.open()
    }

    @Test("two shutdowns and a service that starts after them end")
    func twice() async throws {
        let manager = manager()
        let (group, starts) = group(manager, .seconds(60))
        async let run: Void = group.run()
        for await _ in starts {}
        await group.triggerGracefulShutdown()
        await group.triggerGracefulShutdown()
        await manager.shutdown()
        await manager.shutdown()
        try await run
        await testGracefulShutdown { trigger in
            trigger.triggerGracefulShutdown()
            await SessionService(manager).run()
        }
    }

    @Test("a shutdown while the group starts its services ends it, and the manager")
    func duringStart() async throws {
        let manager = manager()
        let (group, starts) = group(manager, .seconds(60))
        async let run: Void = group.run()
        for await _ in starts {}
        await group.triggerGracefulShutdown()
        try await run
        let error = await manager.response(.get, "a", serializer: .data).error
        guard case .sessionInvalidated? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}

/// A service that tells when it is started, and ends with the graceful shutdown.
private struct FirstService: Service {
    let didStart: @Sendable () -> Void

    func run() async throws {
        didStart()
        try await gracefulShutdown()
    }
}
