import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

/// Performs one case of the matrix through a manager, on sockets, and judges what came of it.
struct FaultRun {
    /// Seconds of the processor: a turn of the loop that took more has kept everybody else waiting.
    private static let longestTurn = ProcessState.isSanitized ? 0.1 : 0.02
    /// Seconds in all: in a turn that took more the loop has waited for something.
    ///
    /// A busy machine makes it wait as well, but not for that long.
    private static let longestWait = 2.0
    /// Seconds of silence that no server here is given to.
    private static let longIdle = 20.0
    /// Tasks to another server that nothing may happen to.
    private static let healthyCount = 8

    let fault: Fault
    let way: Fault.Way
    let surroundings: FaultSurroundings
    private let server: FaultServer
    private let transport = CurlTransport(threadName: "fault", measuresProcessorTime: true)

    init(_ fault: Fault, _ way: Fault.Way, _ surroundings: FaultSurroundings) throws {
        self.fault = fault
        self.way = way
        self.surroundings = surroundings
        var identity = surroundings.identity
        if fault.script.speaksHTTP2 { identity.applicationProtocol = "h2" }
        fault.present(&identity)
        server = try FaultServer(
            fault.script, identity: identity, startsWithTLS: way == .tls)
    }

    /// How often a case is tried: who shares the processor's caches makes a turn longer, and nobody
    /// makes one shorter.
    static let attemptCount = 5

    /// Judges all but the processor's time, and says what that was where a turn took too much.
    func perform() async throws -> String? {
        try await requests()
        // Nobody uses its connections any more.
        #expect(await eventually { await transport.openSocketCount == 0 }, "\(label) left sockets")
        let objection = judgeTurns()
        transport.shutDown()
        server.stop()
        return objection
    }

    private var label: Comment { "\(fault.testDescription), \(way.rawValue)" }

    private func requests() async throws {
        let manager = makeManager()
        for _ in 0..<fault.warmUps { try await expectGood("a warm-up", manager) }
        if fault.pauses.afterWarmUps { await waitForEnds() }
        async let healthy = healthyTasks()
        async let next: Void = putNextInLine(manager)
        let completion = FaultCompletion(manager)
        let response = await completion.response(to: try request(fault.path))
        let problem = expected.objection(to: response) ?? fault.check(response, server)
        #expect(problem == nil, "\(label)")
        try await next
        if fault.pauses.afterResponse {
            server.signal()
            await waitForEnds()
        }
        if fault.isServerWellAfterwards { try await expectGood("the next request", manager) }
        #expect(await healthy == Self.healthyCount, "\(label): healthy tasks")
        judgeCounts()
        #expect(completion.counts == [1, 1], "\(label): completions")
        #expect(manager.tasks.isEmpty, "\(label): tasks are left")
        manager.invalidate(cancelingTasks: true, resetSession: false)
    }

    private var expected: FaultOutcome {
        guard let difference = fault.difference, difference.isMet() else { return fault.outcome }
        return difference.outcome
    }

    // MARK: Requests

    private func makeManager() -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.timeouts = .init(connect: 20, idle: Self.longIdle, whole: 40)
        // With TLS, the default asks for it.
        if fault.script.speaksHTTP2, way == .plain {
            configuration.httpVersion = .http2PriorKnowledge
        }
        if fault.hasNextInLine { configuration.maximumConnectionsPerHost = 1 }
        fault.configure(&configuration, server.port)
        // Where it must not come, a machine that stands still for a moment must not bring it about.
        if !expected.mayBeIdle { configuration.timeouts.idle = Self.longIdle }
        let manager = HTTPSessionManager(configuration: configuration, transport: transport)
        manager.securityPolicy.certificateAuthorities = surroundings.authority
        fault.prepare(manager)
        return manager
    }

    private func url(_ path: String) throws -> URL {
        let scheme = way == .plain ? "http" : "https"
        let origin = fault.origin ?? "\(scheme)://127.0.0.1:\(server.port)"
        let text = path.contains("://") ? path : origin + path
        let whole = text.replacingOccurrences(of: "{port}", with: "\(server.port)")
        return try #require(URL(string: whole))
    }

    private func request(_ path: String) throws -> URLRequest {
        var request = URLRequest(url: try url(path))
        request.httpMethod = fault.method
        request.httpBody = fault.body
        for (name, value) in fault.fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private func expectGood(_ what: String, _ manager: HTTPSessionManager) async throws {
        var request = URLRequest(url: try url("/good"))
        request.timeoutInterval = Self.longIdle
        let response = await manager.response(for: request, serializer: .http)
        #expect(FaultOutcome.good.objection(to: response) == nil, "\(label): \(what)")
    }

    /// Sends a good request behind the one with the fault, and lets that be answered then.
    private func putNextInLine(_ manager: HTTPSessionManager) async throws {
        guard fault.hasNextInLine else { return }
        _ = await eventually { server.counters.requests == 1 }
        async let next: Void = expectGood("the request behind it", manager)
        _ = await eventually { manager.tasks.count == 2 }
        server.signal()
        try await next
    }

    /// How many of the tasks that are under way meanwhile succeed.
    private func healthyTasks() async -> Int {
        let manager = HTTPSessionManager(
            baseURL: URL(string: surroundings.healthyServer.baseURL), transport: transport)
        guard let url = manager.url(for: "delay/10") else { return 0 }
        return await withTaskGroup(of: Int.self) { group in
            for _ in 0..<Self.healthyCount {
                group.addTask {
                    let request = URLRequest(url: url)
                    let response = await manager.response(for: request, serializer: .http)
                    return response.error == nil ? 1 : 0
                }
            }
            return await group.reduce(0, +)
        }
    }

    private func waitForEnds() async {
        let areEnded = await eventually { server.counters.openConnections == 0 }
        #expect(areEnded, "\(label): connections are still open")
    }

    // MARK: Judgements

    private func judgeCounts() {
        let counters = server.counters
        if let count = fault.connectionCount {
            #expect(counters.acceptedConnections == count, "\(label): connections")
        }
        if let count = fault.requestCount {
            #expect(counters.requests == count, "\(label): requests")
        }
    }

    private func judgeTurns() -> String? {
        let (processor, wall) = (transport.longestTurnOnProcessor, transport.longestTurn)
        let text = "a turn took \(processor) s of the processor, \(wall) s in all"
        #expect(wall < Self.longestWait, "\(label): \(text)")
        #expect(transport.turnCount < fault.maximumTurnCount, "\(label): the loop spins")
        return processor < Self.longestTurn * fault.turnAllowance ? nil : text
    }
}

/// Waits, looking every few milliseconds, until something holds that nothing tells of.
func eventually(_ condition: () async -> Bool) async -> Bool {
    let end = MonotonicClock.seconds + 10
    while MonotonicClock.seconds < end {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return await condition()
}
