import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("A manager's queue, lists and policy", .timeLimit(.minutes(5)))
struct ManagerSettingsTests {
    let rig = SessionRig()

    func request() throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "http://stub.test/a")))
    }

    @Test("connections of a former policy or identity are released with their last task")
    func formerPools() throws {
        let manager = rig.manager
        let request = try request()
        func pool() throws -> Exchange.Pool {
            try manager.settings.withLock { $0.pools }.pool(
                for: request, hasLeftOrigin: false, route: nil)
        }
        weak let first = try pool()
        let task = manager.dataTask(with: request, completionHandler: nil)
        manager.securityPolicy.minimumTLSVersion = .tls13
        #expect(first != nil)
        task.cancel()
        withExtendedLifetime(task) {}
        weak let second = try pool()
        #expect(second != nil && second !== first)
        manager.securityPolicies["a.test"] = SecurityPolicy()
        #expect(second != nil)
        manager.securityPolicy = SecurityPolicy(pinningMode: .publicKey)
        #expect(second == nil)
    }

    @Test("concurrent in-place changes of policies are all kept")
    func concurrentPolicies() throws {
        let manager = rig.manager
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<50 {
                manager.securityPolicies[HostPattern("\(number).\(thread).test")] =
                    SecurityPolicy(pinningMode: .publicKey)
                manager.securityPolicy.cipherList = "\(thread)"
            }
        }
        #expect(manager.securityPolicies.count == 200)
        #expect(manager.securityPolicy.cipherList?.count == 1)
    }

    @Test("an in-place change can read any setting of the manager, even the one it changes")
    func readingWhileChanging() throws {
        let manager = HTTPSessionManager(transport: rig.stub)
        let url = try #require(URL(string: "http://stub.test/a"))
        let html = ResponseHead(statusCode: 200, headers: ["Content-Type": "text/html"], url: url)
        manager.responseSerializer.acceptableContentTypes?.insert("text/html")
        // The optional chain and the default value are read during the change.
        manager.responseSerializer.acceptableContentTypes?
            .formUnion(manager.responseSerializer.acceptableContentTypes ?? [])
        manager.requestSerializer.headers["X"] = "x"
        manager.requestSerializer.headers["Y"] = "y"
        manager.requestSerializer.headers["X"]?.append(
            manager.requestSerializer.headers["Y"] ?? "")
        #expect(manager.requestSerializer.headers["X"] == "xy")
        manager.securityPolicy.minimumTLSVersion = .tls13
        manager.securityPolicies["a.test", default: manager.securityPolicy].pinningMode =
            .publicKey
        manager.securityPolicies["b.test", default: manager.securityPolicies["a.test"] ?? .init()]
            .validatesDomainName = false
        #expect(manager.securityPolicies["a.test"]?.minimumTLSVersion == .tls13)
        #expect(manager.securityPolicies["b.test"]?.pinningMode == .publicKey)
        #expect(throws: Never.self) { try manager.responseSerializer.validate(html) }
    }

    @Test("a change that blocks does not block readers and is not lost")
    func waitingWhileChanging() async {
        let manager = rig.manager
        let former = manager.responseSerializer.acceptableContentTypes
        let read = Locked<Set<String>?>(nil)
        func type() async -> String {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    let types = manager.responseSerializer.acceptableContentTypes
                    read.withLock { $0 = types }
                    continuation.resume(returning: "text/html")
                }
            }
        }
        manager.responseSerializer.acceptableContentTypes?.insert(await type())
        #expect(read.withLock { $0 } == former)
        let types = manager.responseSerializer.acceptableContentTypes
        #expect(types == former?.union(["text/html"]))
    }

    @Test(
        "suspending or widening operationQueue does not change the serial order of hooks")
    func operationQueue() async {
        let queue = rig.manager.operationQueue
        #expect(queue === rig.manager.operationQueue && queue.maxConcurrentOperationCount == 1)
        #expect(queue.underlyingQueue === rig.manager.callbacks.dispatchQueue)
        queue.maxConcurrentOperationCount = 8
        queue.isSuspended = true
        let operated = Recorder<Void>()
        queue.addOperation { operated.add(()) }
        let (inside, order) = (Locked(0), Recorder<Int>())
        rig.manager.taskDidComplete = { task, _ in
            let isAlone = inside.withLock { inside in
                inside += 1
                return inside == 1
            }
            order.add(isAlone ? task.taskIdentifier : -1)
            sched_yield()
            inside.withLock { $0 -= 1 }
        }
        let tasks = (0..<50).map { rig.task("\($0)") }
        for task in tasks { task.resume() }
        for number in tasks.indices { await rig.stub.exchange(number).reply() }
        await rig.completed.wait(for: tasks.count)
        #expect(order.all == tasks.map(\.taskIdentifier))
        #expect(operated.count == 0)
        queue.isSuspended = false
        await operated.wait(for: 1)
    }

    @Test("each task is in the list of its kind until its end")
    func lists() async throws {
        let manager = rig.manager
        let data = rig.task()
        let upload = manager.uploadTask(
            with: try request(), from: Data([1]), completionHandler: nil)
        let download = manager.downloadTask(with: try request(), completionHandler: nil)
        #expect(
            manager.tasks.map(ObjectIdentifier.init) == [data, upload, download].map { .init($0) })
        #expect(manager.dataTasks.map(ObjectIdentifier.init) == [.init(data)])
        #expect(manager.uploadTasks.map(ObjectIdentifier.init) == [.init(upload)])
        #expect(manager.downloadTasks.map(ObjectIdentifier.init) == [.init(download)])
        for task in [data, upload, download] { task.cancel() }
        await rig.completed.wait(for: 3)
        #expect(manager.uploadTasks.isEmpty && manager.downloadTasks.isEmpty)
        #expect(manager.tasks.isEmpty)
    }

    @Test("another policy means another pool, for tasks created after it")
    func policy() async throws {
        let authorities = URL(fileURLWithPath: "/a")
        let before = rig.task("before")
        rig.manager.securityPolicy = SecurityPolicy(certificateAuthorities: authorities)
        let after = rig.task("after")
        rig.manager.securityPolicy.certificateAuthorities = authorities
        let same = rig.task("same")
        var pools: [Exchange.Pool] = []
        for (number, task) in [before, after, same].enumerated() {
            task.resume()
            let exchange = await rig.stub.exchange(number)
            pools.append(exchange.exchange.pool)
            exchange.reply()
        }
        #expect(pools.map(\.certificateAuthorityFile) == [nil, "/a", "/a"])
        #expect(pools[0] !== pools[1] && pools[1] === pools[2])
    }
}
