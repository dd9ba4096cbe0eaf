import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

/// All tests that measure the whole process, run one after another.
@Suite("Under load", .serialized, .timeLimit(.minutes(5)))
struct LoadTests {
    let server: FixtureServer

    init() throws {
        server = try FixtureServer()
    }

    func makeManager(_ change: (inout SessionConfiguration) -> Void = { _ in })
        -> HTTPSessionManager
    {
        var configuration = SessionConfiguration()
        change(&configuration)
        return HTTPSessionManager(
            baseURL: URL(string: server.baseURL), configuration: configuration
        )
    }

    /// Signals when it serializes.
    struct SignallingSerializer: ResponseSerializer {
        var acceptableStatusCodes: Set<Int>? = .successStatusCodes
        var acceptableContentTypes: Set<String>?
        let parsed: DispatchSemaphore

        func serialize(_ data: Data, head: ResponseHead?) throws -> Data {
            parsed.signal()
            return data
        }
    }

    @Test(
        "while sixteen handlers block, other tasks are parsed within 50 ms each",
        arguments: [true, false]
    )
    func blockedHandlers(waitsForAll: Bool) async {
        let bound = ProcessState.isSanitized ? 0.5 : 0.05
        var seconds = await parsingTimes(waitsForAll: waitsForAll)
        // A shared machine stalls at times, but not for the same task each time. A task that
        // handlers delay is slow in every attempt.
        for _ in 0..<5 where seconds.contains(where: { $0 >= bound }) {
            seconds = zip(seconds, await parsingTimes(waitsForAll: waitsForAll)).map(min)
        }
        #expect(seconds.allSatisfy { $0 < bound }, "\(seconds)")
    }

    /// Returns the seconds until each of twenty tasks is parsed, while handlers block.
    private func parsingTimes(waitsForAll: Bool) async -> [Double] {
        let manager = makeManager()
        let group = DispatchGroup()
        manager.completionGroup = group
        let times = Locked<[Double]>([])
        await onOwnThread {
            let (gate, blocked) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            for _ in 0..<16 {
                manager.get("json") { _ in
                    blocked.signal()
                    gate.wait()
                }
            }
            if waitsForAll { for _ in 0..<16 { blocked.wait() } }
            for number in 0..<20 {
                let start = MonotonicClock.seconds
                let parsed = DispatchSemaphore(value: 0)
                let serializer = SignallingSerializer(parsed: parsed)
                // Every other task is redirected first, which must not wait either.
                let path = number % 2 == 0 ? "json" : "redirect/2"
                manager.get(path, serializer: serializer) { _ in }
                parsed.wait()
                times.withLock { $0.append(MonotonicClock.seconds - start) }
            }
            for _ in 0..<16 { gate.signal() }
        }
        await group.left()
        return times.withLock { $0 }
    }

    @Test("20,000 tasks at concurrency 256 with random cancels complete exactly once each")
    func exactlyOnce() async throws {
        let manager = makeManager()
        let group = DispatchGroup()
        manager.completionGroup = group
        let count = ProcessState.isSanitized ? 4_000 : 20_000
        let loop = CancellingLoop(manager, path: "json", count: count, cancelShare: 4)
        try await loop.run(concurrency: 256)
        await group.left()
        let result = loop.result
        #expect(result.completions.allSatisfy { $0 == 1 })
        #expect(result.cancelled > 0 && result.cancelled <= count / 3)
        #expect(manager.tasks.isEmpty)
    }

    @Test("ten rounds leave files, threads and memory unchanged")
    func rounds() async throws {
        try await CancellingLoop(makeManager(), path: "json", count: 1, cancelShare: 0)
            .run(concurrency: 1)
        #expect(await until { server.openConnectionCount == 0 })
        let files = ProcessState.openFiles
        let threads = ProcessState.threadNames.count
        var memory: [Int] = []
        for round in 0..<10 {
            var manager: HTTPSessionManager? = makeManager()
            if let manager {
                let loop = CancellingLoop(
                    manager, path: "json", count: ProcessState.isSanitized ? 300 : 2_000,
                    cancelShare: 4, seed: UInt64(round)
                )
                try await loop.run(concurrency: 256)
            }
            manager = nil
            #expect(await until { server.openConnectionCount == 0 })
            memory.append(ProcessState.residentMemory)
        }
        #expect(await until { ProcessState.openFiles <= files })
        // Handler threads exit some seconds after the last handler.
        #expect(await until { ProcessState.threadNames.count <= threads + 4 })
        if !ProcessState.isSanitized {
            let allowed = memory[2] + max(memory[2] / 20, 4 << 20)
            #expect(memory[9] <= allowed, "\(memory)")
        }
    }

    @Test("400 dropped transports leave neither threads nor stacks")
    func transports() async {
        let (threads, memory) = (ProcessState.threadNames.count, ProcessState.virtualMemory)
        for _ in 0..<400 { _ = CurlTransport() }
        #expect(await until { ProcessState.threadNames.count <= threads + 4 })
        // Their stacks of 8 MiB would take 3.2 GiB. The allocator's arenas can take 1 GiB.
        #expect(ProcessState.virtualMemory < memory + (2 << 30))
    }

    @Test("1,000 managers created, used once and dropped leave one loop thread and no file")
    func managers() async throws {
        _ = try await makeManager().data(
            for: URLRequest(url: #require(URL(string: server.baseURL + "/json"))))
        #expect(await until { server.openConnectionCount == 0 })
        let files = ProcessState.openFiles
        for _ in 0..<(ProcessState.isSanitized ? 200 : 1_000) {
            let request = URLRequest(url: try #require(URL(string: server.baseURL + "/json")))
            #expect(try await !makeManager().data(for: request).isEmpty)
        }
        // A new worker has the name of the loop that started it until it sets its own.
        #expect(await until { ProcessState.threadNames.count { $0 == "bluebonnet" } == 1 })
        #expect(await until { server.openConnectionCount == 0 && ProcessState.openFiles <= files })
    }

    @Test(
        "2,000 idle tasks with twenty hosts raise the cost of active ones by at most 20%",
        .enabled(
            if: OpenFileLimit.raise(to: 8_192),
            "needs a limit of 8,192 open files, or the right to raise it so far"
        ),
        .disabled(if: ProcessState.isSanitized, "a sanitizer's time says nothing about ours")
    )
    func idleTasks() async throws {
        // Several hosts, because libcurl checks every connection of a host for each request.
        let others = try (0..<20).map { _ in try FixtureServer() }
        func othersCount(_ count: KeyPath<FixtureServer, Int>) -> Int {
            others.reduce(0) { $0 + $1[keyPath: count] }
        }
        let manager = makeManager {
            $0.maximumConnectionsPerHost = 100
            $0.maximumConnections = 2_016
            $0.timeouts.idle = nil
        }
        // Without the server's time, which would hide a part of the library's.
        func time() -> Double {
            ProcessState.processorTime - ProcessState.processorTime(ofThreadsNamed: "fixture")
        }
        func cost() async throws -> Double {
            let start = time()
            try await CancellingLoop(manager, path: "json", count: 1_000, cancelShare: 0).run(
                concurrency: 16)
            return time() - start
        }
        func costBesideIdleTasks() async throws -> Double {
            let requests = othersCount(\.requestCount)
            let group = DispatchGroup()
            manager.completionGroup = group
            let tasks = (0..<2_000).map { number in
                manager.dataTask(.get, others[number % 20].baseURL + "/hang").resume()
            }
            manager.completionGroup = nil
            #expect(await until { othersCount(\.requestCount) == requests + 2_000 })
            let cost = try await cost()
            tasks.forEach { $0.cancel() }
            await group.left()
            #expect(await until { othersCount(\.openConnectionCount) == 0 })
            return cost
        }
        func ratio() async throws -> Double {
            var (quiet, crowded) = (Double.infinity, Double.infinity)
            // The minimum has the least influence of other processes.
            for _ in 0..<5 {
                quiet = min(quiet, try await cost())
                crowded = min(crowded, try await costBesideIdleTasks())
            }
            return crowded / quiet
        }
        _ = try await cost()
        // Under load, one of the two can have no undisturbed measurement, so there are up to six
        // attempts. The cost of the tasks is in each.
        var ratios: [Double] = []
        repeat {
            ratios.append(try await ratio())
        } while ratios.count < 6 && (ratios.last ?? 0) > 1.2
        print("processor time beside 2,000 idle tasks: \(ratios) of that without")
        #expect((ratios.last ?? .infinity) <= 1.2, "\(ratios)")
    }
}
