import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("The order of a task's completion", .timeLimit(.minutes(5)))
struct CompletionOrderTests {
    @Test("the order is delegate, map, hook, queue, handler, group, notification")
    func order() async {
        let rig = SessionRig()
        let task = rig.task()
        rig.manager.taskDidComplete = { [log = rig.log, weak manager = rig.manager] task, error in
            log.add("hook")
            #expect(error != nil && task.error != nil && task.delegate.error != nil)
            #expect(manager?.tasks.isEmpty == true)
            #expect(task.delegate.queue.isSuspended)
            #expect(task.state == .completed)
        }
        task.delegate.queue.addOperation { [log = rig.log] in log.add("operation") }
        // Blocked here, so that the log shows what waits for the handler.
        let gate = DispatchSemaphore(value: 0)
        rig.queue.async { gate.wait() }
        task.resume()
        rig.group.notify(queue: rig.queue) { [log = rig.log] in log.add("group") }
        await rig.stub.exchange().fail(.lost)
        await rig.log.wait(for: 3)
        #expect(rig.group.wait(timeout: .now()) == .timedOut)
        #expect(rig.completed.count == 0)
        gate.signal()
        await rig.log.wait(for: 6)
        // The notification of the resume is posted on another queue, at any time.
        let heard = rig.log.all.filter { $0 != "resume" }
        #expect(heard.prefix(3) == ["hook", "operation", "handler"])
        #expect(Set(heard.suffix(2)) == ["group", "complete"])
        await rig.expectOneCompletion()
    }

    @Test("a large JSON body is parsed on the task's queue, and a small one creates no queue")
    func place() async {
        for (count, isOnQueue) in [(1000, false), (100_000, true)] {
            let rig = SessionRig()
            let task = rig.task()
            task.resume()
            let exchange = await rig.stub.exchange()
            let body = #"{"a":""# + String(repeating: "b", count: count) + #""}"#
            exchange.respond(200, ["Content-Type": "application/json"], [body])
            exchange.end()
            #expect(await rig.response.error == nil)
            #expect(task.delegate.state.withLock { $0.queue != nil } == isOnQueue)
            await rig.expectOneCompletion()
        }
    }

    @Test("the handler gets the transport's error, and nothing is serialized")
    func transportError() async throws {
        let rig = SessionRig()
        let task = rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Type": "application/json"], [#"{"a":"#])
        exchange.fail(.lost)
        let response = await rig.response
        let error = try #require(response.error)
        guard case .transport(let failure, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure == .lost && error.urlError.code == .networkConnectionLost)
        #expect(context.head?.statusCode == 200 && context.data == Data(#"{"a":"#.utf8))
        #expect(response.head?.statusCode == 200 && response.data?.count == 5)
        #expect(response.object == nil)
        #expect(error.description.contains("GET http://stub.test/a"))
        await rig.expectOneCompletion()
    }

    @Test(
        "a slow serializer does not delay the callback queue, for any response",
        arguments: [(200, #"{"a":1}"#), (200, ""), (500, ""), (500, "{}")]
    )
    func slowSerializer(status: Int, body: String) async {
        let rig = SessionRig(answer: { $0.reply(status, [:], body) })
        let order = Recorder<String>()
        await onOwnThread {
            let (gate, began) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let slow = ProbeSerializer {
                began.signal()
                gate.wait()
            }
            rig.manager.get("slow", serializer: slow) { _ in order.add("slow") }
            began.wait()
            // The next identifier has another lane than the blocked one.
            let done = DispatchSemaphore(value: 0)
            rig.manager.get("other") { _ in
                order.add("other")
                done.signal()
            }
            done.wait()
            gate.signal()
        }
        await rig.group.left()
        #expect(order.all == ["other", "slow"])
    }

    @Test(
        "a queue that is first used after the end runs its operations",
        arguments: [true, false])
    func lateQueue(isRaw: Bool) async {
        let rig = SessionRig(answer: { $0.reply() })
        let over = Recorder<Void>()
        let task: DataTask
        let request = URLRequest(url: URL(filePath: "/"))
        if isRaw {
            task = rig.manager.dataTask(with: request, serializer: HTTPResponseSerializer()) { _ in
                over.add(())
            }
        } else {
            task = rig.manager.dataTask(with: request) { _ in over.add(()) }
        }
        task.resume()
        await over.wait(for: 1)
        // It is released after the handler is dispatched, which can run first.
        #expect(await until { !task.delegate.queue.isSuspended })
        task.delegate.queue.addOperation { over.add(()) }
        await over.wait(for: 2)
    }

    @Test("operations on a task's queue run after its handler is dispatched, raw or parsed")
    func queuedBefore() async {
        let rig = SessionRig()
        for (number, isRaw) in [true, false].enumerated() {
            let log = Recorder<String>()
            let handler: @Sendable () -> Void = { log.add("handler") }
            let request = URLRequest(url: URL(string: "http://stub.test/") ?? URL(filePath: "/"))
            let task =
                isRaw
                ? rig.manager.dataTask(with: request, serializer: HTTPResponseSerializer()) { _ in
                    handler()
                } : rig.manager.dataTask(with: request) { _ in handler() }
            // Handlers run on this queue too, which reveals the order of the two.
            task.delegate.queue.addOperation { [queue = rig.queue] in
                queue.async { log.add("operation") }
            }
            task.resume()
            await rig.stub.exchange(number).reply()
            #expect(await log.wait(for: 2) == ["handler", "operation"])
        }
    }

    @Test("the complete notification has the handler's content")
    func userInfo() async {
        typealias Key = SessionTask.NotificationKey
        let rig = SessionRig()
        rig.task().resume()
        await rig.stub.exchange().reply()
        let success = await rig.completed.wait(for: 1)[0]
        #expect(
            success.keys == [
                Key.responseData, Key.serializedResponse, Key.responseSerializer, Key.metrics,
            ]
        )
        #expect(success.data == Data(#"{"a":1}"#.utf8))
        #expect(success.object == ["a": 1])
        #expect(success.serializer == "JSONResponseSerializer")
        #expect(success.hasMetrics)
        rig.task().resume()
        await rig.stub.exchange(1).reply(500)
        let failure = await rig.completed.wait(for: 2)[1]
        #expect(failure.error?.response?.statusCode == 500)
        #expect(failure.object == ["a": 1])
        #expect(failure.serializer == "JSONResponseSerializer")
        #expect(failure.hasMetrics)
    }

    @Test("the body is the pieces in order, and the delegate has those so far")
    func pieces() async {
        let rig = SessionRig()
        let task = rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Type": "application/json"], [#"{"a"#, "", #"":["#])
        await rig.settle()
        #expect(task.delegate.data == Data(#"{"a":["#.utf8))
        exchange.send(["1,2", "]}"])
        exchange.end()
        #expect(await rig.response.data == Data(#"{"a":[1,2]}"#.utf8))
    }

    @Test("a task captures the manager's settings at its creation")
    func captured() async {
        let rig = SessionRig()
        let key = DispatchSpecificKey<String>()
        rig.queue.setSpecific(key: key, value: "first")
        let heard = Recorder<String?>()
        let task = rig.manager.dataTask(method: .get, path: "a") { response in
            heard.add(DispatchQueue.getSpecific(key: key))
            heard.add(response.object == nil ? "nothing" : "object")
        }
        let second = DispatchGroup()
        rig.manager.completionQueue = DispatchQueue(label: "second")
        rig.manager.completionGroup = second
        rig.manager.responseSerializer = HTTPResponseSerializer(acceptableStatusCodes: [500])
        task.resume()
        #expect(second.wait(timeout: .now()) == .success)
        #expect(rig.group.wait(timeout: .now()) == .timedOut)
        await rig.stub.exchange().reply()
        #expect(await heard.wait(for: 2) == ["first", "object"])
        await rig.group.left()
    }

    @Test("waiting for the group after resume waits for the handler")
    func groupWaits() async {
        for _ in 0..<200 {
            let rig = SessionRig(answer: { $0.reply() })
            rig.task().resume()
            #expect(rig.group.wait(timeout: .now() + 20) == .success)
            #expect(rig.responses.count == 1)
        }
    }
}

/// Returns the body after a call of the test's closure.
struct ProbeSerializer: ResponseSerializer {
    var acceptableStatusCodes: Set<Int>? = .successStatusCodes
    var acceptableContentTypes: Set<String>?
    var body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func serialize(_ data: Data, head: ResponseHead?) throws -> Data {
        body()
        return data
    }
}
