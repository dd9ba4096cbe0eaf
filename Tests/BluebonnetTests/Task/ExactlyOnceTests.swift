import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Every task completes exactly once", .timeLimit(.minutes(5)))
struct ExactlyOnceTests {
    @Test("a success completes once, also within start", arguments: [true, false])
    func success(isSynchronous: Bool) async {
        let answer: ManualTransport.Answer = { $0.reply() }
        let rig = SessionRig(answer: isSynchronous ? answer : nil)
        rig.task().resume()
        if !isSynchronous { await rig.stub.exchange().reply() }
        #expect((await rig.response.object as? [String: Any])?["a"] as? Int == 1)
        await rig.expectOneCompletion()
    }

    @Test("a failure completes once, also within start", arguments: [true, false])
    func failure(isSynchronous: Bool) async {
        let answer: ManualTransport.Answer = { $0.fail(.lost) }
        let rig = SessionRig(answer: isSynchronous ? answer : nil)
        rig.task().resume()
        if !isSynchronous { await rig.stub.exchange().fail(.lost) }
        #expect(await rig.response.error?.urlError.code == .networkConnectionLost)
        await rig.expectOneCompletion()
    }

    @Test("a cancel before the start and a resume after it send nothing")
    func cancelBefore() async {
        let rig = SessionRig()
        let task = rig.task()
        task.cancel()
        task.cancel()
        task.resume()
        #expect(await rig.response.error?.isCancelled == true)
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.isEmpty)
        #expect(rig.notified == ["cancel", "complete"])
    }

    @Test("two cancels of a running task complete it once")
    func cancelDuring() async throws {
        let rig = SessionRig()
        let task = rig.task()
        task.resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Type": "application/json"], ["{"])
        task.cancel()
        task.cancel()
        let error = try #require(await rig.response.error)
        guard case .cancelled(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.request?.url?.path == "/a")
        await rig.expectOneCompletion()
        #expect(exchange.controls == [.cancel])
        #expect(rig.notified == ["resume", "cancel", "complete"])
    }

    @Test("a cancel after the end changes nothing")
    func cancelAfter() async {
        let rig = SessionRig()
        let task = rig.task()
        task.resume()
        await rig.stub.exchange().reply()
        await rig.expectOneCompletion()
        task.cancel()
        task.suspend()
        task.resume()
        await rig.settle()
        #expect(rig.notified == ["resume", "complete"])
        #expect(task.state == .completed && task.error == nil)
    }

    @Test("a task in the completed state has its error")
    func errorIsThere() async throws {
        let rig = SessionRig(answer: { $0.fail(.lost) })
        for _ in 0..<200 {
            let task = rig.task()
            let watcher = Task.detached {
                while task.state != .completed { await Task.yield() }
                return task.error
            }
            task.resume()
            #expect(await watcher.value != nil)
        }
    }

    @Test(
        "a task that is suspended during a hook continues and ends after a resume"
    )
    func suspendedInHook() async throws {
        let transport = SuspendedStub()
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), transport: transport)
        let (asked, answered) = (Recorder<Void>(), Recorder<Void>())
        manager.taskWillPerformHTTPRedirection = { _, _, request in
            asked.add(())
            await answered.wait(for: 1)
            return request
        }
        let responses = Recorder<Response<Data>>()
        let url = try #require(manager.url(for: "a"))
        let task = manager.dataTask(
            with: URLRequest(url: url), serializer: HTTPResponseSerializer()
        ) {
            responses.add($0)
        }
        task.resume()
        await asked.wait(for: 1)
        task.suspend()
        answered.add(())
        await transport.begun.wait(for: 2)
        await manager.callbacks.flush()
        #expect(responses.count == 0 && task.state == .suspended)
        task.resume()
        #expect(await responses.wait(for: 1)[0].value == Data("b".utf8))
    }

    /// Answers within `begin()`, the first exchange with a redirect.
    private struct SuspendedStub: Transport {
        let begun = Recorder<Void>()

        func transfer(
            for exchange: Exchange, reportingTo sink: any ExchangeSink
        ) -> any Transfer {
            AnsweringTransfer(exchange, reportingTo: sink) { [begun] transfer in
                if begun.count == 0 {
                    transfer.reply(302, fields: [Exchange.Field(name: "Location", value: "/b")])
                } else {
                    transfer.reply(200, body: Data("b".utf8))
                }
                begun.add(())
            }
        }
    }

    @Test("a cancel in the hook for the start sends nothing")
    func cancelInWillStart() async {
        let rig = SessionRig()
        rig.manager.willStart = { $0.cancel() }
        rig.task().resume()
        #expect(await rig.response.error?.isCancelled == true)
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.isEmpty)
        #expect(rig.notified == ["resume", "cancel", "complete"])
    }

    @Test(
        "a task that is dropped without a resume completes as canceled",
        arguments: [true, false])
    func dropped(isManagerGone: Bool) async {
        var rig: SessionRig? = SessionRig()
        let (log, responses) = (Recorder<String>(), Recorder<BluebonnetError?>())
        var task = rig?.manager.dataTask(method: .get, path: "a") { response in
            log.add("handler")
            responses.add(response.error)
        }
        let group = rig?.group
        if isManagerGone { rig = nil }
        #expect(task?.state == .initialized)
        task = nil
        #expect(await responses.wait(for: 1)[0]?.isCancelled == true)
        await group?.left()
        await rig?.settle()
        #expect(log.count == 1)
        if let rig {
            await rig.completed.wait(for: 1)
            #expect(rig.notified == ["cancel", "complete"])
        }
    }

    @Test(
        "a task whose request cannot be built fails and sends nothing",
        arguments: [
            ("ftp://a.test/", "ftp"), ("http://u:secret@a.test/", "user name"),
            ("http:///x", "no host"), ("//", "GET"), ("http://u:secret@[/?secret", "GET"),
        ])
    func badURL(path: String, part: String) async throws {
        let rig = SessionRig()
        rig.task(path).resume()
        let error = try #require(await rig.response.error)
        guard case .invalidRequest = error else {
            Issue.record("\(error)")
            return
        }
        #expect(error.description.contains("GET"), "\(error)")
        #expect(error.description.contains(part), "\(error)")
        #expect(!error.description.contains("secret"), "\(error)")
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.isEmpty)
    }

    struct Unserializable: Sendable {}

    @Test("a task whose parameters cannot be serialized fails and names them")
    func badParameters() async throws {
        let rig = SessionRig()
        rig.task(parameters: ["filter": ["tag": Unserializable()] as Parameters]).resume()
        let error = try #require(await rig.response.error)
        #expect(error.description.contains("filter"), "\(error)")
        #expect(error.description.contains("GET http://stub.test/a"), "\(error)")
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.isEmpty)
    }

    @Test(
        "a header field with a control character or a bad name fails the task and is never dropped",
        arguments: [
            ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\rb"), ("X", "a\u{0}b"), ("X Y", "b"),
            ("", "b"), ("X\r\nY", "b"), ("X:", "b"),
        ]
    )
    func badHeader(name: String, value: String) async throws {
        for isSerializers in [false, true] {
            let rig = SessionRig()
            if isSerializers { rig.manager.requestSerializer.headers = [name: value] }
            rig.manager.get("a", headers: isSerializers ? nil : [name: value]) {
                [log = rig.log, responses = rig.responses] response in
                log.add("handler")
                responses.add(response)
            }
            let error = try #require(await rig.response.error)
            #expect(error.description.contains("header"), "\(error)")
            #expect(error.description.contains("GET http://stub.test/a"), "\(error)")
            await rig.expectOneCompletion()
            #expect(rig.stub.exchanges.isEmpty)
        }
    }

    @Test("a task without a handler still leaves the group and posts")
    func nilHandler() async {
        let rig = SessionRig(answer: { $0.reply() })
        rig.manager.dataTask(.get, "a").resume()
        await rig.completed.wait(for: 1)
        await rig.settle()
        await rig.group.left()
        #expect(rig.notified == ["resume", "complete"])
    }

    @Test("concurrent calls of resume, suspend and cancel complete once, in order")
    func storm() async {
        for round in 0..<300 {
            let rig = SessionRig()
            let task = rig.task()
            DispatchQueue.concurrentPerform(iterations: 6) { number in
                switch (number + round) % 3 {
                case 0: task.resume()
                case 1: task.suspend()
                default: task.cancel()
                }
            }
            await rig.expectOneCompletion()
            let heard = rig.log.all.filter { $0 != "handler" }
            #expect(heard.last == "complete", "\(heard)")
            #expect(heard.dropLast().last == "cancel", "\(heard)")
            let isStarted = heard.contains("resume")
            let expected =
                isStarted
                ? [["resume"], ["suspend", "resume"]] : [["cancel"], ["suspend", "cancel"]]
            #expect(expected.contains { heard.starts(with: $0) }, "\(heard)")
            #expect(isStarted || heard.count <= 3, "\(heard)")
        }
    }

    @Test("after concurrent suspends and resumes, the transfer is in the task's state")
    func pauses() async throws {
        for _ in 0..<300 {
            let rig = SessionRig()
            let task = rig.task()
            task.resume()
            let exchange = await rig.stub.exchange()
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                _ = number % 2 == 0 ? task.suspend() : task.resume()
            }
            let calls = exchange.calls.all
            for pair in zip(calls, calls.dropFirst()) { #expect(pair.0 != pair.1) }
            #expect((calls.last ?? .resume) == (task.state == .running ? .resume : .suspend))
            task.cancel()
            await rig.expectOneCompletion()
        }
    }
}
