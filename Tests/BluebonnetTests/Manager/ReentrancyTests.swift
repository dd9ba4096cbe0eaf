import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Reentrancy of callbacks", .timeLimit(.minutes(5)))
struct ReentrancyTests {
    /// Calls everything of the manager that takes one of its locks.
    private static func useEverything(_ manager: HTTPSessionManager) {
        _ = manager.tasks.count + manager.dataTasks.count
        manager.responseSerializer = JSONResponseSerializer()
        manager.securityPolicy = SecurityPolicy()
        manager.requestSerializer.headers["X-Own"] = "1"
        _ = (manager.completionQueue, manager.completionGroup, manager.operationQueue)
        let task = manager.dataTask(method: .get, path: "other", completionHandler: nil)
        task.resume()
        task.suspend()
        task.cancel()
        manager.dataTask(.get, "another").resume()
    }

    /// The hooks capture the manager that holds them.
    private static func forgetHooks(of manager: HTTPSessionManager) {
        manager.willStart = nil
        manager.taskWillPerformHTTPRedirection = nil
        manager.didReceiveChallenge = nil
        manager.dataTaskDidReceiveResponse = nil
        manager.dataTaskDidReceiveData = nil
        manager.taskDidSendBodyData = nil
        manager.taskDidFinishCollectingMetrics = nil
        manager.taskDidComplete = nil
    }

    @Test("every callback can use the manager, and start and cancel tasks (fault 85)")
    func anywhere() async throws {
        let rig = SessionRig()
        let manager = rig.manager
        let told = Recorder<String>()
        let number = Locked<Int?>(nil)
        // Callbacks of the tasks that are started here are ignored.
        @Sendable func tell(_ place: String, _ task: SessionTask?) {
            let isOurs = task.map { task in number.withLock { $0 == task.taskIdentifier } } ?? true
            guard isOurs else { return }
            told.add(place)
            Self.useEverything(manager)
        }
        manager.taskWillPerformHTTPRedirection = { task, _, request in
            tell("redirect", task)
            return request
        }
        manager.didReceiveChallenge = { task, _ in
            tell("challenge", task)
            return .useCredential(.test())
        }
        manager.dataTaskDidReceiveResponse = { task, _ in
            tell("head", task)
            return .allow
        }
        manager.dataTaskDidReceiveData = { task, _ in tell("data", task) }
        manager.taskDidSendBodyData = { task, _, _, _ in tell("sent", task) }
        manager.taskDidFinishCollectingMetrics = { task, _ in tell("metrics", task) }
        manager.taskDidComplete = { task, _ in tell("end", task) }
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        request.httpMethod = "POST"
        let handler: @Sendable (Response<any Sendable>) -> Void = {
            [responses = rig.responses] response in
            tell("handler", nil)
            responses.add(response)
        }
        let task = manager.uploadTask(
            with: request, from: Data(count: 4), progress: { _ in tell("progress", nil) },
            completionHandler: handler)
        number.withLock { $0 = task.taskIdentifier }
        manager.willStart = { tell("start", $0) }
        task.resume()
        func ours(_ count: Int) async -> ManualTransfer {
            while true {
                let all = rig.stub.exchanges.filter {
                    !$0.exchange.url.hasSuffix("other") && $0.exchange.method != "GET"
                }
                if all.count >= count { return all[count - 1] }
                await Task.yield()
            }
        }
        await ours(1).redirect(307, to: "/b")
        await ours(2).challenge("Basic realm=r")
        let last = await ours(3)
        last.sent(4)
        last.respond(200, ["Content-Type": "application/json"], ["{}"])
        last.end()
        #expect(await rig.response.error == nil)
        await rig.settle()
        let places = [
            "start", "redirect", "challenge", "sent", "progress", "metrics", "end", "handler",
        ]
        for place in places { #expect(told.all.contains(place), "\(place): \(told.all)") }
        for exchange in rig.stub.exchanges { exchange.reply() }
        #expect(await until { manager.tasks.isEmpty })
        Self.forgetHooks(of: manager)
    }

    @Test("every hook can end the session and release it (fault 85)")
    func invalidating() async throws {
        for place in ["start", "head", "data", "end", "handler"] {
            let stub = ManualTransport()
            let ends = Recorder<BluebonnetError?>()
            let box = Locked<HTTPSessionManager?>(
                HTTPSessionManager(baseURL: URL(string: "http://stub.test"), transport: stub))
            @Sendable func end(_ here: String) {
                guard here == place else { return }
                box.withLock { $0 }?.invalidate(cancelingTasks: true, resetSession: false)
                box.withLock { $0 = nil }
            }
            weak var gone: HTTPSessionManager?
            do {
                let manager = try #require(box.withLock { $0 })
                gone = manager
                manager.willStart = { _ in end("start") }
                manager.dataTaskDidReceiveResponse = { _, _ in
                    end("head")
                    return .allow
                }
                manager.dataTaskDidReceiveData = { _, _ in end("data") }
                manager.taskDidComplete = { _, _ in end("end") }
                manager.get("a") { response in
                    end("handler")
                    ends.add(response.error)
                }
            }
            if place != "start" { await stub.exchange().reply() }
            let error = await ends.wait(for: 1)[0]
            let isEarly = ["start", "head", "data"].contains(place)
            #expect((error != nil) == isEarly, "\(place): \(error as Any)")
            #expect(await until { gone == nil }, "\(place)")
            #expect(ends.count == 1)
        }
    }
}
