import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Reports of requests", .timeLimit(.minutes(1)))
struct RequestHookTests {
    private let rig = StubRig()
    private let transport = ManualTransport()
    private let log = Recorder<String>()
    private let manager: HTTPSessionManager

    init() { manager = HTTPSessionManager(transport: transport) }

    @Test("the head is reported once per attempt, on the handlers' queue")
    func head() async {
        rig.answer(.init(503), .moved(to: "/b"), .good)
        rig.manager.request("a", interceptor: Retrier { _, _, _, completion in completion(.retry) })
            .validate()
            .onHTTPResponse { [log] _ in log.add("never") }
            .onHTTPResponse { [log, queue = rig.queue] response in
                dispatchPrecondition(condition: .onQueue(queue))
                log.add("\(response.statusCode)")
            }
            .response { [log] _ in log.add("done") }
        #expect(await log.wait(for: 3) == ["503", "200", "done"])
    }

    @Test("the body waits for the disposition and is then delivered whole")
    func held() async {
        let answers = Recorder<@Sendable (ResponseDisposition) -> Void>()
        manager.request("http://h/")
            .onHTTPResponse { _, completion in answers.add(completion) }
            .downloadProgress { [log] in log.add("\($0.completedUnitCount)") }
            .responseString { [log] in log.add($0.value ?? "none") }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["1"])
        let answer = await answers.wait(for: 1)[0]
        transfer.send(["2"])
        transfer.end()
        #expect(log.count == 0)
        answer(.allow)
        answer(.cancel)
        #expect(await log.wait(for: 2) == ["2", "12"])
    }

    @Test("a closure can refuse a response, which cancels the request")
    func refused() async {
        let request = manager.request(
            "http://h/", interceptor: Retrier { _, _, _, completion in completion(.retry) })
        request.onHTTPResponse { _, completion in completion(.cancel) }
            .response { [log] in log.add("\($0.error?.isExplicitlyCancelledError == true)") }
        await transport.exchange().respond(200, [:], ["1"])
        #expect(await log.wait(for: 1) == ["true"])
        #expect(request.state == .cancelled)
    }

    @Test("async closures are awaited and can return a disposition")
    func asyncForms() async {
        rig.answer(.good, .good)
        rig.manager.request("a")
            .onHTTPResponse { [log] response in
                await Task.yield()
                log.add("head")
            }
            .response { [log] _ in log.add("done") }
        #expect(await log.wait(for: 2) == ["head", "done"])
        rig.manager.request("a")
            .onHTTPResponse { response -> ResponseDisposition in
                await Task.yield()
                return response.statusCode == 200 ? .cancel : .allow
            }
            .response { [log] in log.add($0.error == nil ? "good" : "cancelled") }
        #expect(await log.wait(for: 3).last == "cancelled")
    }

    @Test("a request that is canceled while it waits for a disposition ends at once")
    func cancelledWhileHeld() async {
        let asked = Recorder<Int>()
        let request = manager.request("http://h/")
            .onHTTPResponse { _, _ in asked.add(1) }
            .response { [log] _ in log.add("done") }
        await transport.exchange().respond(200, [:], ["1"])
        await asked.wait(for: 1)
        request.cancel()
        #expect(await log.wait(for: 1) == ["done"])
        #expect(request.isCancelled)
    }

    @Test("the head is reported for a redirect that is not followed, and before a failure")
    func otherHeads() async {
        rig.answer(.moved(to: "/b"))
        rig.manager.request("a").redirect(using: .doNotFollow)
            .onHTTPResponse { [log] response, completion in
                log.add("\(response.statusCode)")
                completion(.allow)
            }
            .responseString { [log] in log.add($0.value ?? "none") }
        #expect(await log.wait(for: 2) == ["302", "moved"])
        manager.request("http://h/")
            .onHTTPResponse { [log] response, completion in
                log.add("\(response.statusCode)")
                completion(.allow)
            }
            .response { [log] in log.add("\($0.error?.isSessionTaskError == true)") }
        let transfer = await transport.exchange()
        transfer.respond(200, [:], ["1"])
        transfer.fail(Exchange.Failure(.networkConnectionLost, message: "gone"))
        #expect(await log.wait(for: 4).suffix(2) == ["200", "true"])
    }

    @Test("the head of a stream is reported before its pieces")
    func stream() async {
        manager.streamRequest("http://h/")
            .onHTTPResponse { [log] _, completion in
                log.add("head")
                completion(.allow)
            }
            .responseStreamString { [log] in log.add($0.value ?? "end") }
        await transport.exchange().replyAtOnce(200, [:], "1")
        #expect(await log.wait(for: 3) == ["head", "1", "end"])
    }

    @Test("requests are reported in their final form once per attempt, and the task once")
    func creation() async {
        rig.answer(.init(503), .good)
        let request = rig.manager.request(
            "a",
            interceptor: Interceptor(
                adaptHandler: { request, _, completion in
                    completion(.success(request.stamped("x")))
                },
                retryHandler: { _, _, _, completion in completion(.retry) }))
        request.validate()
            .onURLRequestCreation { [log] _ in log.add("never") }
            .onURLRequestCreation { [log] in
                log.add($0.value(forHTTPHeaderField: "X-Stamp") ?? "none")
            }
            .onURLSessionTaskCreation { [log] in log.add("task \($0.state == .initialized)") }
            .response { [log] _ in log.add("done") }
        let all = await log.wait(for: 4)
        #expect(all.filter { $0 == "x" }.count == 2 && all.last == "done")
        #expect(all.contains { $0.hasPrefix("task") })
        request.onURLRequestCreation { [log] in log.add("late \($0.url?.path ?? "")") }
        #expect(await log.wait(for: 5).last == "late /a")
    }

    @Test("the command is reported once, when a request exists or cannot be created")
    func command() async {
        rig.answer(.init(503), .good)
        rig.manager.request(
            "a?token=t", interceptor: Retrier { _, _, _, completion in completion(.retry) }
        )
        .validate()
        .cURLDescription { [log] in log.add("curl " + $0) }
        .response { [log] _ in log.add("done") }
        await log.wait(for: 2)
        let commands = log.all.filter { $0.hasPrefix("curl") }
        #expect(commands.count == 1 && commands.first?.contains("stub.test/a") == true)
        #expect(commands.first?.contains("=t") == false)
        rig.manager.request("http://[bad").cURLDescription(on: .global()) { [log] in log.add($0) }
            .response { _ in }
        #expect(await log.wait(for: 3).last == "$ curl command could not be created")
        let cancelled = rig.manager.request("b")
        cancelled.cURLDescription { [log] in log.add("b " + $0) }.cancel()
        #expect(await log.wait(for: 4).last?.hasPrefix("b $ curl") == true)
    }

    @Test("closures chained during adaptation get the adapted request, once")
    func chainedWhileAdapting() async {
        rig.answer(.good)
        let completions = Recorder<@Sendable () -> Void>()
        let adapter = Adapter { request, _, completion in
            completions.add { completion(.success(request.stamped("x"))) }
        }
        let request = rig.manager.request("a", interceptor: adapter)
        request.response { [log] _ in log.add("done") }
        let goOn = await completions.wait(for: 1)[0]
        request.onURLRequestCreation { [log] in
            log.add($0.value(forHTTPHeaderField: "X-Stamp") ?? "none")
        }
        .cURLDescription { [log] in log.add("\($0.contains("X-Stamp: x"))") }
        goOn()
        #expect(await log.wait(for: 3) == ["x", "true", "done"])
    }

    @Test("a request whose closures hold it is released when it has ended")
    func letGo() async {
        rig.answer(.good)
        weak var weakRequest: DataRequest?
        func run() async {
            let request = rig.manager.request("a")
            weakRequest = request
            request.onHTTPResponse { _ in request.resume() }
                .onURLRequestCreation { _ in request.resume() }
                .downloadProgress { _ in request.resume() }
                .validate { _, _, _ in
                    request.resume()
                    return .success(())
                }
                .response { [log] _ in log.add("done \(request.retryCount)") }
            await log.wait(for: 1)
            request.downloadProgress { _ in request.resume() }
                .onHTTPResponse { _ in request.resume() }
                .onURLRequestCreation { _ in request.resume() }
        }
        await run()
        #expect(await until { weakRequest == nil })
    }

    @Test("a replaced closure is released outside the lock, so its deinit can use the request")
    func replaced() {
        final class Canceller: Sendable {
            let request: Request
            init(_ request: Request) { self.request = request }
            deinit { request.cancel() }
        }
        let request = manager.request("http://h/")
        for _ in 0..<2 {
            let canceller = Canceller(request)
            request.onHTTPResponse { _ in _ = canceller }
            let other = Canceller(request)
            request.onURLRequestCreation { _ in _ = other }
            let third = Canceller(request)
            request.downloadProgress { _ in _ = third }
        }
        request.onHTTPResponse { _ in }.onURLRequestCreation { _ in }.downloadProgress { _ in }
        #expect(request.isCancelled)
    }

    @Test("the synchronous command builds the request if it has not started")
    func synchronousCommand() {
        let request = manager.request("http://h/a", method: .put, headers: ["X-A": "1"])
        let text = request.cURLDescription()
        #expect(text.contains("-X PUT") && text.contains("X-A: 1") && text.contains("http://h/a"))
        #expect(request.isInitialized && request.requests.isEmpty)
        #expect(
            manager.request("http://[bad").cURLDescription()
                == "$ curl command could not be created")
    }
}
