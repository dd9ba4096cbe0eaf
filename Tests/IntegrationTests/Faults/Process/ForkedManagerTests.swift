import Bluebonnet
import BluebonnetChain
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite(
    "Managers in a forked process", .timeLimit(.minutes(5)),
    .disabled(if: ProcessState.isSanitized, "a sanitizer forks in its own way"))
struct ForkedManagerTests {
    /// What a child does with a manager.
    enum Use: String, CaseIterable, Codable, Sendable {
        case get, ownManager, ownTransport, completionQueue, stub, upload, download, chain
        case lateHandler, taskOfParent, operation, resumeData
        case cancel, cancelRunning, release, shutdown, exchange
    }

    /// An answer that a handler in a child gives.
    private final class Answer: Sendable {
        private let error = Locked<BluebonnetError?>(nil)
        private let given = DispatchSemaphore(value: 0)

        func give(_ new: BluebonnetError?) {
            error.withLock { $0 = new }
            given.signal()
        }

        /// The exit status of a child that expects an error about the fork within a second.
        var status: Int32 {
            guard given.wait(timeout: .now() + 1) == .success else { return 1 }
            guard case .transport(let failure, _)? = error.withLock({ $0 }) else { return 2 }
            return failure.message.contains("was forked") ? 0 : 3
        }

        var isCancelled: Bool {
            given.wait(timeout: .now() + 1) == .success
                && error.withLock { $0 }?.isCancelled == true
        }
    }

    private final class EndSink: ExchangeSink {
        let failure = Locked<Exchange.Failure?>(nil)

        func receive(_ report: consuming Exchange.Report) {
            if let end = report.end { failure.withLock { $0 = end.failure } }
        }
    }

    /// What the parent has before the fork.
    private struct Parent {
        let manager: HTTPSessionManager
        let request: URLRequest
        let file: URL
        let new: DataTask
        let newAnswer = Answer()
        let running: DownloadTask
        let runningAnswer = Answer()

        init(_ base: String, in directory: ServerDirectory) async throws {
            manager = HTTPSessionManager(baseURL: URL(string: base))
            request = URLRequest(url: try #require(manager.url(for: "bytes/300000")))
            file = URL(fileURLWithPath: directory.path(of: "file"))
            try Data(count: 1000).write(to: file)
            new = manager.dataTask(with: request, serializer: HTTPResponseSerializer()) {
                [newAnswer] in newAnswer.give($0.error)
            }
            let place = URL(fileURLWithPath: directory.path(of: "result"))
            running = manager.downloadTask(
                with: URLRequest(url: try #require(manager.url(for: "endless"))),
                destination: { _ in place }
            ) { [runningAnswer] in runningAnswer.give($0.error) }
            running.resume()
            let running = running
            #expect(await until { running.progress.completedUnitCount > 0 })
        }

        /// Uses the manager in a child, and returns its exit status.
        func use(_ use: Use) -> Int32 {
            let answer = Answer()
            let handler: @Sendable (Response<Data>) -> Void = { answer.give($0.error) }
            func get(_ manager: HTTPSessionManager) -> Int32 {
                manager.dataTask(
                    with: request, serializer: HTTPResponseSerializer(), completionHandler: handler
                ).resume()
                return answer.status
            }
            switch use {
            case .get: return get(manager)
            case .ownManager: return get(HTTPSessionManager())
            case .ownTransport: return get(HTTPSessionManager(transport: CurlTransport()))
            case .stub: return get(HTTPSessionManager(transport: StubTransport()))
            case .completionQueue:
                manager.completionQueue = DispatchQueue(label: "completions")
                let group = DispatchGroup()
                manager.completionGroup = group
                let status = get(manager)
                return group.wait(timeout: .now() + 1) == .success ? status : 4
            case .upload:
                manager.uploadTask(
                    with: request, fromFile: file, serializer: HTTPResponseSerializer(),
                    completionHandler: handler
                ).resume()
                return answer.status
            case .download:
                manager.downloadTask(with: request, destination: { _ in nil }) {
                    answer.give($0.error)
                }.resume()
                return answer.status
            case .chain:
                let further = Answer()
                manager.request(request).validate()
                    .responseData(completionHandler: handler)
                    .responseString { further.give($0.error) }
                let status = answer.status
                return status == 0 ? further.status : status
            case .lateHandler:
                let chain = manager.request(request).responseData(completionHandler: handler)
                guard answer.status == 0 else { return 4 }
                let late = Answer()
                chain.responseData { late.give($0.error) }
                return late.status
            case .taskOfParent:
                new.resume()
                return newAnswer.status
            case .operation:
                let task = manager.dataTask(
                    with: request, serializer: HTTPResponseSerializer(), completionHandler: handler)
                let hasRun = DispatchSemaphore(value: 0)
                task.delegate.queue.addOperation { hasRun.signal() }
                task.resume()
                let status = answer.status
                return hasRun.wait(timeout: .now() + 1) == .success ? status : 4
            case .resumeData:
                let isTold = DispatchSemaphore(value: 0)
                running.cancel { _ in isTold.signal() }
                return isTold.wait(timeout: .now() + 1) == .success ? 0 : 4
            case .cancel:
                let task = manager.dataTask(
                    with: request, serializer: HTTPResponseSerializer(), completionHandler: handler)
                task.cancel()
                return answer.isCancelled && task.state == .cancelled ? 0 : 4
            case .cancelRunning:
                // It is the parent's, and so is its file.
                running.suspend()
                running.resume()
                running.cancel()
                return 0
            case .release:
                var other: HTTPSessionManager? = HTTPSessionManager(transport: CurlTransport())
                _ = other?.dataTask(
                    with: request, serializer: HTTPResponseSerializer(), completionHandler: handler)
                other = nil
                return answer.isCancelled ? 0 : 4
            case .shutdown:
                manager.invalidate(cancelingTasks: true, resetSession: true)
                manager.invalidate(cancelingTasks: true, resetSession: false)
                return get(manager)
            case .exchange:
                let sink = EndSink()
                let url = request.url?.absoluteString ?? ""
                let exchange = Exchange(method: "GET", url: url, pool: Exchange.Pool())
                CurlTransport.shared.transfer(for: exchange, reportingTo: sink).begin()
                let failure = sink.failure.withLock { $0 }
                return failure?.message.contains("was forked") == true ? 0 : 4
            }
        }
    }

    private static func run(_ use: Use, _ base: String) async throws {
        let directory = try ServerDirectory()
        let parent = try await Parent(base, in: directory)
        let child = Fork.start { parent.use(use) }
        let status = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Fork.status(of: child)) }
        }
        #expect(status == 0)
        // The parent goes on with its tasks, and makes others.
        let count = parent.running.progress.completedUnitCount
        #expect(await until { parent.running.progress.completedUnitCount > count })
        let response = await parent.manager.response(for: parent.request, serializer: .http)
        #expect(response.value?.count == 300_000)
        parent.running.cancel()
        #expect(parent.runningAnswer.isCancelled)
        parent.new.resume()
        #expect(await until { parent.new.state == .completed })
        #expect(parent.new.error == nil)
    }

    @Test(
        "a task gets an error at once, and the parent goes on (fault 89)", arguments: Use.allCases)
    func use(use: Use) async throws {
        let server = try FixtureServer()
        let base = server.baseURL
        await #expect(processExitsWith: .success) { [use = use as Use, base = base as String] in
            try await Self.run(use, base)
        }
    }

    /// Awaits responses in a child that forks on a thread of Swift's tasks.
    private static func awaitInChild(_ manager: HTTPSessionManager) async -> pid_t {
        let child = Fork.call()
        guard child == 0 else { return child }
        Fork.endSelf(after: 10)
        do throws(BluebonnetError) {
            let _: Data = try await manager.get("bytes/300000")
            _exit(1)
        } catch {
            guard "\(error)".contains("was forked") else { _exit(2) }
        }
        do {
            let stream = try await manager.stream("bytes/300000")
            for try await _ in stream {}
            _exit(3)
        } catch {
            guard "\(error)".contains("was forked") else { _exit(4) }
        }
        guard await CurlTransport.shared.connections().isEmpty else { _exit(5) }
        await manager.shutdown()
        // Not 0, with which the process would end if the Swift task were never continued.
        _exit(7)
    }

    @Test("`await` throws the error at once, if the child continues the Swift task (fault 89)")
    func awaiting() async throws {
        let server = try FixtureServer()
        let base = server.baseURL
        await #expect(processExitsWith: .success) { [base = base as String] in
            let manager = HTTPSessionManager(baseURL: URL(string: base))
            let child = await Self.awaitInChild(manager)
            #expect(Fork.status(of: child) == 7)
            let data: Data = try await manager.get("bytes/300000")
            #expect(data.count == 300_000)
        }
    }

    private static func forkUnderLoad(_ base: String) async throws {
        let directory = try ServerDirectory()
        let parent = try await Parent(base, in: directory)
        // A task with this outcome, or a child could need a type that Swift's runtime was creating,
        // under a lock of its own, in another thread.
        let expired = await parent.manager.response(
            for: parent.request, serializer: .http, options: [.deadline(0)])
        #expect(expired.error != nil)
        let isOver = Locked(false)
        let statuses = Locked<[Int32]>([])
        async let forks: Void = onOwnThread {
            for _ in 0..<100 {
                let status = Fork.status(of: Fork.start { parent.use(.get) })
                statuses.withLock { $0.append(status) }
            }
            isOver.withLock { $0 = true }
        }
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    while !isOver.withLock({ $0 }) {
                        let response = await parent.manager.response(
                            for: parent.request, serializer: .http)
                        #expect(response.error == nil)
                    }
                }
            }
        }
        await forks
        #expect(statuses.withLock { $0 } == Array(repeating: 0, count: 100))
    }

    @Test("a task gets the error whatever the parent's threads do at the fork (fault 89)")
    func load() async throws {
        let server = try FixtureServer()
        let base = server.baseURL
        await #expect(processExitsWith: .success) { [base = base as String] in
            try await Self.forkUnderLoad(base)
        }
    }

    @Test("a child that is forked before the first use of the library makes requests (fault 89)")
    func early() async throws {
        let server = try FixtureServer()
        let base = server.baseURL
        await #expect(processExitsWith: .success) { [base = base as String] in
            let child = Fork.start(limit: 60) {
                let manager = HTTPSessionManager(baseURL: URL(string: base))
                let done = DispatchSemaphore(value: 0)
                let count = Locked(0)
                manager.get("bytes/300000", serializer: HTTPResponseSerializer()) { response in
                    count.withLock { $0 = response.value?.count ?? 0 }
                    done.signal()
                }
                done.wait()
                return count.withLock { $0 } == 300_000 ? 0 : 1
            }
            #expect(Fork.status(of: child) == 0)
        }
    }
}
