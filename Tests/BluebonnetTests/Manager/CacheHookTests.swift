import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("The hook for what a cache stores", .timeLimit(.minutes(5)))
struct CacheHookTests {
    private let cache = AskingTransport()
    private let log = Recorder<String>()

    /// Marks what its closure lets be stored.
    final class Careful: HTTPSessionManager, @unchecked Sendable {
        override func dataTaskWillCacheResponse(
            _ task: SessionTask, proposedResponse: CachedResponse
        ) async -> CachedResponse? {
            var response = await super.dataTaskWillCacheResponse(
                task, proposedResponse: proposedResponse)
            response?["X-Override"] = "yes"
            return response
        }
    }

    private typealias Make = (URL?, SessionConfiguration, AskingTransport) -> HTTPSessionManager

    private static func manager(
        on cache: AskingTransport, clock: any SessionClock = .system,
        _ make: Make = { HTTPSessionManager(baseURL: $0, configuration: $1, transport: $2) }
    ) -> HTTPSessionManager {
        cache.stub.on("/moved", .redirect(to: "/b"))
        cache.stub.on("/**", .good)
        var configuration = SessionConfiguration()
        configuration.clock = clock
        return make(URL(string: "http://stub.test/"), configuration, cache)
    }

    private static func careful(on cache: AskingTransport) -> HTTPSessionManager {
        manager(on: cache) { Careful(baseURL: $0, configuration: $1, transport: $2) }
    }

    @Test("its closure gets the task and the proposal, and changes what is stored")
    func changed() async throws {
        let manager = Self.manager(on: cache)
        manager.dataTaskWillCacheResponse = { [log] task, proposed in
            log.add("\(task.taskIdentifier) \(proposed.url) \(proposed.statusCode)")
            var response = proposed
            response["Cache-Control"] = "max-age=5"
            response.storagePolicy = .allowedInMemoryOnly
            return response
        }
        let task = manager.dataTask(.get, "a").resume()
        let stored = try #require(await cache.stored.wait(for: 1)[0])
        #expect(log.all == ["\(task.taskIdentifier) http://stub.test/a 200"])
        #expect(stored["Cache-Control"] == "max-age=5")
        #expect(stored["Content-Type"] == "application/json")
        #expect(stored.storagePolicy == .allowedInMemoryOnly)
    }

    @Test("it is asked for uploads, downloads, streams and redirects")
    func kinds() async throws {
        let (manager, directory) = (Self.manager(on: cache), try TemporaryDirectory())
        manager.dataTaskWillCacheResponse = { [log] task, proposed in
            log.add("\(type(of: task)) \(proposed.statusCode)")
            return proposed
        }
        let url = try #require(URL(string: "http://stub.test/a"))
        manager.uploadTask(with: URLRequest(url: url), from: Data("b".utf8), completionHandler: nil)
            .resume()
        #expect(await log.wait(for: 1).last == "UploadTask 200")
        let place = directory.file("file")
        manager.downloadTask(
            with: URLRequest(url: url), destination: { _ in place }, completionHandler: nil
        ).resume()
        #expect(await log.wait(for: 2).last == "DownloadTask 200")
        for try await _ in try await manager.stream("a") {}
        #expect(await log.wait(for: 3).last == "StreamTask 200")
        try await manager.get("moved")
        #expect(await log.wait(for: 5).suffix(2).sorted() == ["DataTask 200", "DataTask 302"])
    }

    @Test("nil stores nothing, and the task does not notice")
    func refused() async throws {
        let manager = Self.manager(on: cache)
        manager.dataTaskWillCacheResponse = { _, _ in nil }
        #expect(try await manager.get("a", as: [String: Int].self) == ["a": 1])
        #expect(await cache.stored.wait(for: 1)[0] == nil)
    }

    @Test("an override replaces the closure, which it reaches through super")
    func override() async throws {
        let manager = Self.careful(on: cache)
        try await manager.get("a")
        #expect(await cache.stored.wait(for: 1)[0]?["X-Override"] == "yes")
        manager.dataTaskWillCacheResponse = { _, _ in nil }
        try await manager.get("a")
        #expect(await cache.stored.wait(for: 2)[1] == nil)
    }

    @Test("exchanges have nothing to ask without a closure, a subclass or a monitor for it")
    func unset() async throws {
        let manager = Self.manager(on: cache)
        manager.dataTaskDidReceiveData = { _, _ in }
        manager.addMonitor(of: TaskEvent.Interests.all.subtracting(.willCacheResponse)) { _ in }
        try await manager.get("a")
        manager.dataTaskWillCacheResponse = { _, proposed in proposed }
        try await manager.get("a")
        manager.dataTaskWillCacheResponse = nil
        try await manager.get("a")
        manager.addMonitor(of: .willCacheResponse) { _ in }
        try await manager.get("a")
        #expect(cache.hasQuestion.all == [false, true, false, true])
        #expect(await cache.stored.wait(for: 4).allSatisfy { $0?.statusCode == 200 })
    }

    @Test("a closure that takes its time does not delay the task")
    func slow() async throws {
        let (manager, answers) = (Self.manager(on: cache), Recorder<@Sendable () -> Void>())
        manager.dataTaskWillCacheResponse = { _, proposed in
            await withCheckedContinuation { continuation in answers.add { continuation.resume() } }
            return proposed
        }
        try await manager.get("a")
        #expect(cache.stored.count == 0)
        await answers.wait(for: 1)[0]()
        #expect(await cache.stored.wait(for: 1)[0]?.statusCode == 200)
    }

    @Test("a manual clock does not pass over a closure that waits for it")
    func clock() async throws {
        let clock = ManualClock()
        let manager = Self.manager(on: cache, clock: clock)
        let asked = Recorder<Void>()
        manager.dataTaskWillCacheResponse = { [log] _, proposed in
            asked.add(())
            for second in 1...100 {
                try? await clock.sleep(for: .seconds(1))
                log.add("\(second) \(clock.now / .seconds(1))")
            }
            return proposed
        }
        try await manager.get("a")
        await asked.wait(for: 1)
        await clock.advance(by: .seconds(100))
        #expect(log.all == (1...100).map { "\($0) \($0).0" })
    }

    @Test("monitors hear of each proposal, before the hook, and change nothing")
    func monitors() async throws {
        let manager = Self.manager(on: cache)
        manager.addMonitor(of: .willCacheResponse) { [log] events in
            for event in events { log.add("\(event.task.taskIdentifier) \(event.kind)") }
        }
        let first = manager.dataTask(.get, "a").resume()
        #expect(await cache.stored.wait(for: 1)[0]?.statusCode == 200)
        manager.dataTaskWillCacheResponse = { _, _ in nil }
        let second = manager.dataTask(.get, "a").resume()
        #expect(await cache.stored.wait(for: 2)[1] == nil)
        await manager.shutdown()
        let tasks = [first, second]
        #expect(log.all == tasks.map { "\($0.taskIdentifier) willCacheResponse 200" })
    }

    // MARK: After the task

    enum Decider: CaseIterable { case closure, override, handler, monitor }

    /// What remains of a task and its manager that nothing else retains.
    struct Remains {
        weak var manager: HTTPSessionManager?
        weak var delegate: TaskDelegate?
        weak var decider: Recorder<Int>?
    }

    /// Performs a task to its end, and releases the task and its manager.
    private static func live(
        _ decider: Decider, on cache: AskingTransport
    ) async -> (Remains, taskIdentifier: Int) {
        let (asked, over) = (Recorder<Int>(), Recorder<Void>())
        let manager =
            decider == .override ? careful(on: cache) : manager(on: cache)
        let mark: CacheHandler = { task, proposed in
            asked.add(task.taskIdentifier)
            var response = proposed
            response["X-Asked"] = "\(asked.all)"
            return response
        }
        if decider == .closure || decider == .override { manager.dataTaskWillCacheResponse = mark }
        if decider == .monitor {
            manager.addMonitor(of: .willCacheResponse) { events in
                for event in events { asked.add(event.task.taskIdentifier) }
            }
        }
        let task = manager.dataTask(method: .get, path: "a") { _ in over.add(()) }
        if decider == .handler { task.delegate.setCacheHandler(mark) }
        task.resume()
        await over.wait(for: 1)
        let remains = Remains(manager: manager, delegate: task.delegate, decider: asked)
        return (remains, task.taskIdentifier)
    }

    @Test(
        "what decides is asked with the task after both have been released",
        arguments: [Decider.closure, .override, .handler])
    func afterwards(decider: Decider) async {
        let cache = AskingTransport(holdsQuestions: true)
        let (remains, number) = await Self.live(decider, on: cache)
        let stored = await cache.askHeld()
        #expect(stored?["X-Asked"] == "[\(number)]")
        #expect((stored?["X-Override"] == "yes") == (decider == .override))
        cache.held.withLock { $0 = [] }
        #expect(
            await until {
                remains.manager == nil && remains.delegate == nil && remains.decider == nil
            })
    }

    @Test(
        "a question that is never asked retains nothing once it is gone",
        arguments: Decider.allCases)
    func unasked(decider: Decider) async {
        let cache = AskingTransport(holdsQuestions: true)
        let (remains, _) = await Self.live(decider, on: cache)
        // Its monitor must not keep a manager alive.
        if decider == .monitor {
            #expect(await until { remains.manager == nil && remains.delegate == nil })
            #expect(await cache.askHeld()?.statusCode == 200)
        }
        cache.held.withLock { $0 = [] }
        #expect(
            await until {
                remains.manager == nil && remains.delegate == nil && remains.decider == nil
            })
    }
}
