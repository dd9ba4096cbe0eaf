import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("The responders of a task", .timeLimit(.minutes(5)))
struct ResponderTests {
    private let rig = SessionRig()

    private static var request: URLRequest {
        get throws { URLRequest(url: try #require(URL(string: "http://stub.test/a"))) }
    }

    /// Returns a task with one responder, and another log.
    private func task() -> DataTask { rig.task() }

    @Test("several get their own values of one response, in the order they were added")
    func several() async {
        let task = task()
        let heard = Recorder<String>()
        let queue = DispatchQueue(label: "several")
        task.addResponseHandler(serializer: .http, on: queue) {
            heard.add("\($0.value?.count ?? -1)")
        }
        task.addResponseHandler(serializer: .string, on: queue) { heard.add($0.value ?? "") }
        task.addResponseHandler(serializer: .decodable([String: Int].self), on: queue) {
            heard.add("\($0.value?["a"] ?? -1)")
        }
        task.resume()
        await rig.stub.exchange().reply()
        #expect(await heard.wait(for: 3) == ["7", #"{"a":1}"#, "1"])
        await rig.expectOneCompletion()
    }

    @Test(
        "group and notification wait for those added in time, and the first one's value is posted")
    func contract() async {
        let task = task()
        let gate = DispatchSemaphore(value: 0)
        let second = DispatchQueue(label: "second")
        task.addResponseHandler(serializer: .string, on: second) { _ in gate.wait() }
        task.resume()
        await rig.stub.exchange().reply()
        _ = await rig.response
        await rig.queue.fence()
        #expect(rig.group.wait(timeout: .now()) == .timedOut)
        #expect(rig.completed.count == 0)
        gate.signal()
        await rig.expectOneCompletion()
        #expect(rig.completed.all.first?.object == ["a": 1])
        #expect(rig.completed.all.first?.serializer == "JSONResponseSerializer")
    }

    @Test(
        "one that is added after the end gets the kept response, and nothing else is repeated")
    func late() async {
        let task = task()
        task.resume()
        await rig.stub.exchange().reply()
        await rig.expectOneCompletion()
        let late = await task.response(serializer: .string)
        #expect(late.value == #"{"a":1}"# && late.head?.statusCode == 200 && late.metrics != nil)
        await rig.expectOneCompletion()
    }

    @Test("a handler can add another, which comes after the existing ones")
    func nested() async {
        let task = task()
        let heard = Recorder<String>()
        let queue = DispatchQueue(label: "nested")
        task.addResponseHandler(serializer: .http, on: queue) { _ in
            heard.add("first")
            task.addResponseHandler(serializer: .http, on: queue) { _ in heard.add("nested") }
        }
        task.addResponseHandler(serializer: .http, on: queue) { _ in heard.add("second") }
        task.resume()
        await rig.stub.exchange().reply()
        #expect(await heard.wait(for: 3) == ["first", "second", "nested"])
        await rig.expectOneCompletion()
    }

    @Test("without a queue, handlers of one task never overlap, and those of two tasks can")
    func pool() async throws {
        let manager = SessionManager(transport: ManualTransport { $0.reply() })
        let gates = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        let entered = Recorder<Int>()
        func task(_ number: Int) throws -> DataTask {
            let task: DataTask = manager.makeTask(
                .made(.success(try Self.request)), nil,
                isJudged: false)
            for place in 0..<2 {
                task.addResponseHandler(serializer: .http) { _ in
                    entered.add(number * 10 + place)
                    gates[number].wait()
                }
            }
            return task
        }
        let tasks = try (0..<2).map(task)
        for task in tasks { task.resume() }
        #expect(Set(await entered.wait(for: 2)) == [0, 10])
        for gate in gates { gate.signal() }
        #expect(Set(await entered.wait(for: 4)) == [0, 1, 10, 11])
        for gate in gates { gate.signal() }
    }

    @Test("a task without responders completes, leaves the group and posts a notification")
    func none() async throws {
        let manager = rig.manager
        let task: DataTask = manager.makeTask(
            .made(.success(try Self.request)), nil,
            isJudged: false)
        task.resume()
        await rig.stub.exchange().reply(404)
        await rig.completed.wait(for: 1)
        await rig.group.left()
        let completion = rig.completed.all[0]
        #expect(completion.error == nil && completion.serializer == nil)
        #expect(completion.data == Data(#"{"a":1}"#.utf8))
        #expect(task.state == .completed && task.error == nil)
    }

    /// A cheap serializer that records whether it runs on a callback queue.
    private struct CheapSerializer: ResponseSerializer {
        static let key = DispatchSpecificKey<Bool>()
        let isOnCallbackQueue: Recorder<Bool>
        var acceptableStatusCodes: Set<Int>?
        var acceptableContentTypes: Set<String>?

        func serialize(_ data: Data, head: ResponseHead?) throws -> Int {
            isOnCallbackQueue.add(DispatchQueue.getSpecific(key: Self.key) == true)
            return data.count
        }

        func isCheap(byteCount: Int) -> Bool { byteCount < 100 }
    }

    @Test(
        "a cheap serializer runs at once, unless the queue is used or another is not cheap",
        arguments: [(false, false), (true, false), (false, true)])
    func cheap(usesQueue: Bool, hasOther: Bool) async throws {
        let isOnCallbackQueue = Recorder<Bool>()
        let queue = rig.manager.callbacks.dispatchQueue
        queue.setSpecific(key: CheapSerializer.key, value: true)
        let task = rig.manager.dataTask(
            with: try Self.request,
            serializer: CheapSerializer(isOnCallbackQueue: isOnCallbackQueue)
        ) { _ in }
        if usesQueue { task.delegate.queue.addOperation {} }
        if hasOther { task.addResponseHandler(serializer: .string) { _ in } }
        task.resume()
        await rig.stub.exchange().reply()
        #expect(await isOnCallbackQueue.wait(for: 1) == [!usesQueue && !hasOther])
        await rig.group.left()
    }

    @Test(
        "a task without slow serialization needs no queue unless it was used"
    )
    func shortPath() async throws {
        for usesQueue in [false, true] {
            let rig = SessionRig()
            let heard = Recorder<String>()
            let task = rig.manager.dataTask(
                with: try Self.request, serializer: .decodable([String: Int].self)
            ) { _ in }
            if usesQueue { task.delegate.queue.addOperation { heard.add("operation") } }
            task.resume()
            await rig.stub.exchange().reply()
            await rig.group.left()
            if usesQueue { await heard.wait(for: 1) }
            #expect(task.delegate.state.withLock { $0.queue != nil } == usesQueue)
        }
    }

    private struct AskingSerializer: ResponseSerializer {
        let task: @Sendable () -> SessionTask?
        var acceptableStatusCodes: Set<Int>?
        var acceptableContentTypes: Set<String>?

        func serialize(_ data: Data, head: ResponseHead?) throws -> Int { data.count }

        func isCheap(byteCount: Int) -> Bool { task()?.state == .completed }
    }

    @Test("a serializer can look at its task to say how much work the body is")
    func asking() async {
        let task = task()
        let heard = Recorder<Int?>()
        let serializer = AskingSerializer { [weak task] in task }
        task.addResponseHandler(serializer: serializer, on: rig.queue) { heard.add($0.value) }
        task.resume()
        await rig.stub.exchange().reply()
        #expect(await heard.wait(for: 1) == [7])
        await rig.expectOneCompletion()
    }

    private final class Value: Sendable {
        let onDeinit: @Sendable () -> Void
        init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
        deinit { onDeinit() }
    }

    private struct ValueSerializer: ResponseSerializer {
        let isGone: Recorder<Void>
        var acceptableStatusCodes: Set<Int>?
        var acceptableContentTypes: Set<String>?

        func serialize(_ data: Data, head: ResponseHead?) throws -> Value {
            Value { isGone.add(()) }
        }
    }

    @Test("the serialized value is released after the notification, even if the task is held")
    func valueIsLetGo() async throws {
        let isGone = Recorder<Void>()
        let task = rig.manager.dataTask(
            with: try Self.request, serializer: ValueSerializer(isGone: isGone)
        ) { _ in }
        task.addResponseHandler(serializer: .http) { _ in }
        task.resume()
        await rig.stub.exchange().reply()
        await rig.completed.wait(for: 1)
        await isGone.wait(for: 1)
        withExtendedLifetime(task) {}
    }

    @Test("a file without a destination exists until the handlers added in time have returned")
    func file() async throws {
        let (first, second) = (Recorder<URL?>(), Recorder<Bool>())
        let gate = DispatchSemaphore(value: 0)
        let task = rig.manager.downloadTask(
            with: try Self.request, destination: nil
        ) { first.add($0.fileURL) }
        task.addResponseHandler(serializer: .string, on: DispatchQueue(label: "file")) { response in
            gate.wait()
            let path = response.fileURL?.path ?? ""
            second.add(FileManager.default.fileExists(atPath: path) && response.value == "abc")
        }
        task.resume()
        await rig.stub.exchange().reply(200, [:], "abc")
        let url = try #require(await first.wait(for: 1)[0])
        await rig.manager.callbacks.flush()
        #expect(FileManager.default.fileExists(atPath: url.path))
        gate.signal()
        #expect(await second.wait(for: 1) == [true])
        await rig.completed.wait(for: 1)
        #expect(await until { !FileManager.default.fileExists(atPath: url.path) })
        let late = await task.response(serializer: .string)
        #expect(late.fileURL == url && late.error != nil)
    }

    @Test("a response can be judged and serialized from a head and data, without a task")
    func offline() throws {
        let url = try #require(URL(string: "http://a.test/"))
        func head(_ status: Int, _ type: String = "application/json") -> ResponseHead {
            ResponseHead(statusCode: status, headers: ["Content-Type": type], url: url)
        }
        let data = Data(#"{"a":1}"#.utf8)
        let good = Response(of: data, head: head(200), serializer: .decodable([String: Int].self))
        #expect(good.value == ["a": 1] && good.data == data)
        let bad = Response(of: data, head: head(500), serializer: .decodable([String: Int].self))
        #expect(bad.value == nil && bad.parsedBody == ["a": 1] && bad.error?.context.data == data)
        guard case .unacceptableStatus(500, _)? = bad.error else {
            Issue.record("\(bad)")
            return
        }
        let typed = Response(of: data, head: head(200, "text/html"), serializer: .json)
        guard case .unacceptableContentType? = typed.error else {
            Issue.record("\(typed)")
            return
        }
        let empty = Response(of: Data(), head: head(200, "text/html"), serializer: .json)
        #expect(empty.error == nil)
    }
}
