import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Hooks", .timeLimit(.minutes(5)))
struct HookTests {
    /// Adds a header field to redirects and keeps a log.
    final class Guarded: HTTPSessionManager, @unchecked Sendable {
        let log = Recorder<String>()

        override func taskWillPerformHTTPRedirection(
            _ task: SessionTask, head: ResponseHead, newRequest: URLRequest
        ) async -> URLRequest? {
            log.add("redirect")
            var request = newRequest
            request.setValue("yes", forHTTPHeaderField: "X-Guarded")
            return request
        }

        override func willStart(_ task: SessionTask) { log.add("willStart") }

        override func taskDidComplete(_ task: SessionTask, error: BluebonnetError?) {
            log.add("override")
            super.taskDidComplete(task, error: error)
        }
    }

    @Test("an override replaces the closure unless it calls super")
    func override() async throws {
        let rig = SessionRig(
            manager: { Guarded(baseURL: $0, transport: $1) }, answer: { $0.reply() })
        let manager = try #require(rig.manager as? Guarded)
        manager.willStart = { [log = manager.log] _ in log.add("wrong") }
        manager.taskDidComplete = { [log = manager.log] _, _ in log.add("closure") }
        rig.task().resume()
        await rig.expectOneCompletion()
        #expect(manager.log.all == ["willStart", "override", "closure"])
    }

    @Test(
        "an override is called even if only the running task holds the manager"
    )
    func released() async throws {
        let (stub, responses) = (ManualTransport(), Recorder<Int?>())
        weak var gone: Guarded?
        var log: Recorder<String>?
        do {
            let manager = Guarded(baseURL: URL(string: "http://stub.test"), transport: stub)
            (gone, log) = (manager, manager.log)
            manager.get("a") { responses.add($0.head?.statusCode) }
        }
        await stub.exchange(0).redirect(to: "/b")
        let second = await stub.exchange(1)
        #expect(second.value(of: "X-Guarded") == "yes")
        second.reply()
        #expect(await responses.wait(for: 1) == [200])
        #expect(log?.all == ["willStart", "redirect", "override"])
        #expect(await until { gone == nil })
    }

    @Test("the closures are called for start, data, metrics and end")
    func closures() async {
        let rig = SessionRig()
        let log = Recorder<String>()
        rig.manager.willStart = { _ in log.add("start") }
        rig.manager.dataTaskDidReceiveData = { task, data in
            log.add(String(decoding: data, as: UTF8.self))
            #expect(task.delegate.data.count >= data.count)
        }
        rig.manager.taskDidFinishCollectingMetrics = { _, _ in log.add("metrics") }
        rig.manager.taskDidComplete = { _, _ in log.add("end") }
        rig.task().resume()
        #expect(log.all == ["start"])
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Type": "application/json"], ["[1", ",2]"])
        exchange.end()
        await rig.expectOneCompletion()
        #expect(log.all == ["start", "[1", ",2]", "metrics", "end"])
    }

    @Test("the task and its delegate are up to date in a hook")
    func order() async throws {
        let rig = SessionRig()
        let log = Recorder<String>()
        rig.manager.taskDidSendBodyData = { task, _, total, expected in
            let progress = task.uploadProgress
            log.add("\(total)/\(expected)")
            log.add("\(progress.completedUnitCount)/\(progress.totalUnitCount)")
        }
        rig.manager.dataTaskDidReceiveData = { task, data in
            log.add("\(data.count) \(task.delegate.data.count)")
            log.add("\(task.progress.completedUnitCount)")
        }
        rig.manager.taskDidFinishCollectingMetrics = { task, metrics in
            log.add("\(metrics.exchanges.count) \(task.delegate.metrics?.exchanges.count ?? 0)")
        }
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        request.httpMethod = "POST"
        rig.manager.uploadTask(with: request, from: Data(count: 10), completionHandler: nil)
            .resume()
        let exchange = await rig.stub.exchange()
        exchange.sent(4)
        exchange.sent(10)
        exchange.reply()
        await rig.completed.wait(for: 1)
        #expect(log.all == ["4/10", "4/10", "10/10", "10/10", "7 7", "7", "1 1"])
    }

    @Test("the progress of a download is up to date in its hook")
    func orderOfWriting() async throws {
        let rig = try DownloadRig()
        let written = Recorder<[Int64]>()
        rig.manager.downloadTaskDidWriteData = { task, _, total, expected in
            let progress = task.progress
            written.add([total, expected, progress.completedUnitCount, progress.totalUnitCount])
        }
        try rig.task().resume()
        let exchange = await rig.stub.exchange()
        exchange.respond(200, ["Content-Length": "30"])
        for number in 1...3 {
            exchange.send([UInt8](repeating: 1, count: 10))
            await written.wait(for: number)
        }
        exchange.end()
        #expect(await rig.response.error == nil)
        #expect(written.all == [[10, 30, 10, 30], [20, 30, 20, 30], [30, 30, 30, 30]])
    }

    @Test("the redirect hook is asked once per hop")
    func hops() async {
        let rig = SessionRig()
        let hops = Recorder<String?>()
        rig.manager.taskWillPerformHTTPRedirection = { task, head, request in
            #expect(head.statusCode == 302)
            hops.add(request.url?.path)
            return request
        }
        let task = rig.task()
        task.resume()
        for number in 0..<5 { await rig.stub.exchange(number).redirect(to: "/\(number)") }
        await rig.stub.exchange(5).reply()
        let response = await rig.response
        #expect(hops.all == ["/0", "/1", "/2", "/3", "/4"])
        #expect(response.request?.url?.path == "/4" && response.head?.url.path == "/4")
        #expect(task.originalRequest?.url?.path == "/a" && task.currentRequest?.url?.path == "/4")
        #expect(response.data == Data(#"{"a":1}"#.utf8))
        await rig.expectOneCompletion()
    }

    @Test("a redirect hook that returns nil delivers the redirect response")
    func notFollowed() async throws {
        let rig = SessionRig()
        rig.manager.taskWillPerformHTTPRedirection = { _, _, _ in nil }
        rig.manager.responseSerializer = HTTPResponseSerializer(acceptableStatusCodes: [302])
        rig.task().resume()
        await rig.stub.exchange().redirect(to: "/b")
        let response = await rig.response
        #expect(response.error == nil && response.head?.statusCode == 302)
        #expect(response.object as? Data == Data("moved".utf8))
        #expect(response.headers["location"] == "/b")
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == 1)
    }

    @Test("a redirect hook can redirect elsewhere, but not to an invalid request")
    func elsewhere() async throws {
        let rig = SessionRig()
        rig.manager.taskWillPerformHTTPRedirection = { _, _, request in
            var request = request
            request.url = URL(string: "ftp://a.test/")
            return request
        }
        rig.task().resume()
        await rig.stub.exchange().redirect(to: "/b")
        let error = try #require(await rig.response.error)
        #expect(error.description.contains("ftp"))
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == 1)
    }

    @Test("a cancel during the redirect hook completes at once, and the hook's result is ignored")
    func cancelDuringHook() async {
        let rig = SessionRig()
        let (asked, answer) = (Recorder<Void>(), Recorder<Void>())
        rig.manager.taskWillPerformHTTPRedirection = { _, _, request in
            asked.add(())
            await answer.wait(for: 1)
            return request
        }
        let task = rig.task()
        task.resume()
        await rig.stub.exchange().redirect(to: "/b")
        await asked.wait(for: 1)
        task.suspend()
        task.cancel()
        #expect(await rig.response.error?.isCancelled == true)
        answer.add(())
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == 1)
    }

    @Test("too many redirects fail with the last response")
    func limit() async throws {
        let rig = SessionRig(answer: { $0.redirect(to: $0.exchange.url + "a") })
        rig.task().resume()
        let response = await rig.response
        guard case .redirect = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        #expect(response.head?.statusCode == 302 && rig.stub.exchanges.count == 21)
        await rig.expectOneCompletion()
    }
}
