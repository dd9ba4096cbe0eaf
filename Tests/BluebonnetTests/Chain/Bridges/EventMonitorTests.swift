import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet
@testable import BluebonnetChain

@Suite("Event monitors of the chain", .timeLimit(.minutes(1)))
struct EventMonitorTests {
    /// Records the names of the events of requests.
    private final class Log: EventMonitor {
        let queue = DispatchQueue(label: "log")
        let names = Recorder<String>()

        func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest) {
            names.add("initial")
        }
        func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError) {
            names.add("not created")
        }
        func request(
            _ request: Request, didAdaptInitialRequest initialRequest: URLRequest,
            to adaptedRequest: URLRequest
        ) { names.add("adapted") }
        func request(
            _ request: Request, didFailToAdaptURLRequest initialRequest: URLRequest,
            withError error: AFError
        ) { names.add("not adapted") }
        func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest) {
            names.add("created")
        }
        func request(_ request: Request, didCreateTask task: SessionTask) { names.add("task") }
        func requestDidResume(_ request: Request) { names.add("resume") }
        func request(_ request: Request, didResumeTask task: SessionTask) {
            names.add("resume task")
        }
        func requestDidSuspend(_ request: Request) { names.add("suspend") }
        func request(_ request: Request, didSuspendTask task: SessionTask) {
            names.add("suspend task")
        }
        func requestDidCancel(_ request: Request) { names.add("cancel") }
        func request(_ request: Request, didCancelTask task: SessionTask) {
            names.add("cancel task")
        }
        func request(_ request: Request, didGatherMetrics metrics: TaskMetrics) {
            names.add("metrics \(metrics.exchanges.count)")
        }
        func request(
            _ request: Request, didValidateRequest urlRequest: URLRequest?,
            response: HTTPURLResponse, withResult result: Request.ValidationResult
        ) {
            if case .success = result { names.add("valid") } else { names.add("invalid") }
        }
        func request(
            _ request: Request, didCompleteTask task: SessionTask, with error: AFError?
        ) { names.add("complete" + (error.map { " \($0.stage)" } ?? "")) }
        func requestIsRetrying(_ request: Request) { names.add("retry") }
        func requestDidFinish(_ request: Request) { names.add("finish") }
        func request(
            _ request: DataRequest, didParseResponse response: DataResponse<Data?, AFError>
        ) { names.add("plain") }
        func request<Value: Sendable>(
            _ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>
        ) { names.add("\(Value.self)") }
        func request(
            _ request: DownloadRequest, didFinishDownloadingUsing task: SessionTask,
            with result: Result<URL, AFError>
        ) { names.add("downloaded " + ((try? result.get().lastPathComponent) ?? "not")) }
        func request<Value: Sendable>(
            _ request: DownloadRequest, didParseResponse response: DownloadResponse<Value, AFError>
        ) { names.add("download \(Value.self)") }
        func urlSession(
            _ session: Session, dataTask: SessionTask, didReceive response: HTTPURLResponse
        ) { names.add("head") }
        func urlSession(
            _ session: Session, task: SessionTask, didFinishCollecting metrics: TaskMetrics
        ) { names.add("session metrics") }
        func urlSession(
            _ session: Session, task: SessionTask, didCompleteWithError error: (any Error)?
        ) { names.add("session complete") }
    }

    private let rig = StubRig()
    private let log = Log()
    private let done = Recorder<Int>()

    init() { rig.manager.addMonitor(log) }

    /// Returns the recorded events once the handlers have returned, without exchange events.
    private func names(_ count: Int = 1) async -> [String] {
        await done.wait(for: count)
        await rig.manager.shutdown(cancelingAfter: .seconds(10))
        return log.names.all.filter { $0 != "head" && !$0.hasPrefix("session") }
    }

    @Test("the events of a success have Alamofire's order")
    func success() async {
        rig.answer(.good)
        let adapter = Adapter { request, _, completion in
            completion(.success(request.stamped("x")))
        }
        rig.manager.request("a", interceptor: adapter).validate().response { [done] _ in
            done.add(1)
        }
        .responseString { [done] _ in done.add(2) }
        #expect(
            await names(2) == [
                "resume", "initial", "adapted", "created", "task", "resume task", "metrics 1",
                "valid", "complete", "finish", "plain", "String",
            ])
    }

    @Test("the manager's monitors hear of an exchange before they hear of the request")
    func exchanges() async {
        rig.answer(.init(503), .good)
        let retrier = Retrier { _, _, _, completion in completion(.retry) }
        rig.manager.request("a", interceptor: retrier).validate().validate { _, _, _ in
            .success(())
        }
        .responseData { [done] _ in done.add(1) }
        _ = await names()
        #expect(
            log.names.all == [
                "resume", "initial", "created", "task", "resume task", "head",
                "session metrics", "metrics 1", "session complete", "invalid",
                "complete validation", "retry", "initial", "created", "head", "session metrics",
                "metrics 1", "session complete", "valid", "valid", "complete", "finish", "Data",
            ])
    }

    @Test("verdicts are reported in the order of the validators, up to the first refusal")
    func verdicts() async {
        func verdicts(_ refusing: Set<Int>, status: Int = 200) async -> [String] {
            let rig = StubRig()
            let log = Log()
            rig.manager.addMonitor(log)
            rig.answer(.init(status, body: Data("b".utf8)))
            let request = rig.manager.request("a")
            for number in 1...4 {
                request.validate { _, _, _ in
                    log.names.add("\(number)")
                    return refusing.contains(number) ? .failure(URLError(.badURL)) : .success(())
                }
                if number == 2 { request.validate(statusCode: 200..<300) }
            }
            let isDone = Recorder<Int>()
            request.responseData { _ in isDone.add(1) }
            await isDone.wait(for: 1)
            await rig.manager.shutdown(cancelingAfter: .seconds(10))
            let numbers = log.names.all.filter { Int($0) != nil }
            return numbers + log.names.all.filter { $0.hasSuffix("valid") }
        }
        #expect(
            await verdicts([]) == [
                "1", "2", "3", "4", "valid", "valid", "valid", "valid", "valid",
            ])
        #expect(await verdicts([1], status: 500) == ["1", "invalid"])
        #expect(await verdicts([], status: 500) == ["1", "2", "valid", "valid", "invalid"])
        #expect(await verdicts([2, 4]) == ["1", "2", "valid", "invalid"])
        #expect(
            await verdicts([3]) == ["1", "2", "3", "valid", "valid", "valid", "invalid"])
    }

    @Test("a monitor that is not interested in verdicts hears of the end of the exchange")
    func interests() async {
        final class Ends: EventMonitor {
            let names = Recorder<String>()
            var interests: TaskEvent.Interests { .endedAttempt }
            func request(_ request: Request, didGatherMetrics metrics: TaskMetrics) {
                names.add("metrics")
            }
            func request(
                _ request: Request, didCompleteTask task: SessionTask, with error: AFError?
            ) { names.add("complete") }
        }
        rig.answer(.good)
        let ends = Ends()
        rig.manager.addMonitor(ends)
        rig.manager.request("a").validate().response { [done] _ in done.add(1) }
        _ = await names()
        #expect(ends.names.all == ["metrics", "complete"])
    }

    @Test("verdicts of a response whose body is lost are not reported")
    func lostBody() async {
        let transport = ManualTransport()
        let manager = HTTPSessionManager(transport: transport)
        manager.addMonitor(log)
        manager.request("http://h/").validate().responseData { [done] _ in done.add(1) }
        let exchange = await transport.exchange()
        exchange.respond(200, [:], ["b"])
        exchange.fail(.lost)
        await done.wait(for: 1)
        await manager.shutdown(cancelingAfter: .seconds(10))
        #expect(!log.names.all.contains { $0.hasSuffix("valid") })
        #expect(log.names.all.contains("complete transport"))
    }

    @Test("a request that is suspended before its start is reported as suspended, once")
    func suspendedBeforeStart() async {
        rig.answer(.good)
        let request = rig.manager.request("a").suspend()
        request.suspend().response { [done] _ in done.add(1) }
        request.resume()
        let all = await names()
        #expect(all.prefix(3) == ["suspend", "resume", "initial"])
        #expect(all.filter { $0.contains("suspend") } == ["suspend"])
    }

    @Test("a retry is reported between two attempts, and the task once")
    func retry() async {
        rig.answer(.init(503), .good)
        let retrier = Retrier { _, _, _, completion in completion(.retry) }
        rig.manager.request("a", interceptor: retrier).validate().responseData { [done] _ in
            done.add(1)
        }
        #expect(
            await names() == [
                "resume", "initial", "created", "task", "resume task", "metrics 1", "invalid",
                "complete validation", "retry", "initial", "created", "metrics 1", "valid",
                "complete", "finish", "Data",
            ])
    }

    @Test("a pending retry counts during its delay")
    func retryCount() async throws {
        let clock = ManualClock()
        let rig = StubRig(clock: clock)
        rig.answer(.init(503), .good)
        let counts = Recorder<Int>()
        let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "counts"))
        monitor.requestIsRetrying = { counts.add($0.retryCount) }
        rig.manager.addMonitor(monitor)
        let retrier = Retrier { request, _, _, completion in
            counts.add(request.retryCount)
            completion(.retryWithDelay(10))
        }
        let request = rig.manager.request("a", interceptor: retrier).validate()
            .responseData { [done] _ in done.add(1) }
        #expect(await counts.wait(for: 2) == [0, 1])
        await clock.advance(by: .seconds(10))
        await done.wait(for: 1)
        #expect(request.retryCount == 1)
        #expect(
            request.description == "DataTask 1, GET http://stub.test/a (200), completed",
            "\(request)")
    }

    @Test("a late monitor still finds the session of a released request")
    func lateMonitor() async {
        let queue = DispatchQueue(label: "late")
        queue.suspend()
        let heard = Recorder<String>()
        do {
            let monitor = ClosureEventMonitor(queue: queue)
            monitor.taskDidFinishCollectingMetrics = { session, _, _ in
                heard.add("\(session.tasks.count)")
            }
            let stub = StubTransport()
            stub.on("/**", .good)
            let manager = HTTPSessionManager(transport: stub)
            manager.addMonitor(monitor)
            let response = await manager.request("http://h.test/").serializingData().response
            #expect(response.error == nil)
        }
        queue.resume()
        #expect(await heard.wait(for: 1) == ["0"])
    }

    @Test("a cancel is reported, with the task if it was under way")
    func cancelled() async {
        let transport = ManualTransport()
        let manager = HTTPSessionManager(transport: transport)
        manager.addMonitor(log)
        let request = manager.request("http://h/").response { [done] _ in done.add(1) }
        _ = await transport.exchange()
        request.suspend()
        request.cancel()
        await done.wait(for: 1)
        let early = manager.request("http://h/").cancel().response { [done] _ in done.add(2) }
        await done.wait(for: 2)
        await manager.shutdown(cancelingAfter: .seconds(10))
        let all = log.names.all.filter { !$0.hasPrefix("session") }
        #expect(
            all.prefix(9) == [
                "resume", "initial", "created", "task", "resume task", "suspend", "suspend task",
                "cancel", "cancel task",
            ])
        #expect(all.contains("complete cancellation"))
        #expect(all.suffix(3) == ["cancel", "finish", "plain"] && early.isCancelled)
    }

    @Test("a request that cannot be created is reported without a task")
    func notMade() async {
        rig.manager.request("http://[bad").response { [done] _ in done.add(1) }
        #expect(await names() == ["resume", "not created", "finish", "plain"])
    }

    @Test("an adapter that fails is reported")
    func notAdapted() async {
        let adapter = Adapter { _, _, completion in completion(.failure(URLError(.badURL))) }
        rig.manager.request("a", interceptor: adapter).response { [done] _ in done.add(1) }
        #expect(await names() == ["resume", "initial", "not adapted", "finish", "plain"])
    }

    @Test("downloads have their own monitor methods")
    func download() async throws {
        rig.answer(.init(200, body: Data("b".utf8)))
        let directory = try TemporaryDirectory()
        rig.manager.download("a", to: { _, _ in (directory.file("b"), []) })
            .responseURL { [done] _ in done.add(1) }
        let all = await names()
        #expect(all.contains("downloaded b") && all.contains("download URL"))
    }

    @Test("a download without a destination reports that it has finished")
    func downloadInPlace() async throws {
        rig.answer(.init(200, body: Data("b".utf8)), .init(404))
        rig.manager.download("a").validate().responseData { [done] _ in done.add(1) }
        let all = await names()
        #expect(all.filter { $0.hasPrefix("downloaded") }.count == 1)
        #expect(!all.contains("downloaded not"))
        #expect(all.suffix(2) == ["finish", "download Data"])
    }

    @Test("a monitor of a request gets only its events, after the manager's monitors")
    func ofRequest() async {
        rig.answer(.good, .good)
        let own = Log()
        rig.manager.request("a").eventMonitor(own).responseData { [done] _ in done.add(1) }
        await done.wait(for: 1)
        rig.manager.request("b").responseData { [done] _ in done.add(2) }
        let all = await names(2)
        #expect(all.filter { $0 == "finish" }.count == 2)
        #expect(own.names.all.filter { $0 == "finish" }.count == 1)
        #expect(
            own.names.all == [
                "resume", "initial", "created", "task", "resume task", "metrics 1", "complete",
                "finish", "Data",
            ])
    }

    @Test(
        "several monitors of a request are called on their queues, and released at its end")
    func compositeOfRequest() async {
        rig.answer(.good, .good)
        var own: Log? = Log()
        weak let weakLog = own
        let names = own?.names
        if let own {
            rig.manager.request("a").eventMonitor(CompositeEventMonitor(monitors: [own, Log()]))
                .responseData { [done] _ in done.add(1) }
        }
        own = nil
        await done.wait(for: 1)
        #expect(await until { weakLog == nil })
        #expect(names?.all.filter { $0 == "finish" }.count == 1)
        let ended = rig.manager.request("b").responseData { [done] _ in done.add(2) }
        await done.wait(for: 2)
        #expect(await until { ended.delegate.state.withLock { $0.isDelivered } })
        var late: Log? = Log()
        weak let weakLate = late
        if let late { ended.eventMonitor(late) }
        late = nil
        #expect(await until { weakLate == nil })
    }

    @Test("the request of each attempt is reported before it is adapted")
    func initialRequests() async {
        rig.answer(.init(503), .good)
        let marks = Recorder<String>()
        let monitor = ClosureEventMonitor()
        monitor.requestDidCreateInitialURLRequest = { _, request in
            marks.add(request.value(forHTTPHeaderField: "X-Mark") ?? "none")
        }
        monitor.requestDidAdaptInitialRequestToAdaptedRequest = { _, _, _ in marks.add("adapted") }
        rig.manager.addMonitor(monitor)
        let count = Locked(0)
        rig.manager.request(
            "a", interceptor: Retrier { _, _, _, completion in completion(.retry) }
        ) { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            request.setValue("\(number)", forHTTPHeaderField: "X-Mark")
        }
        .validate().response { [done] _ in done.add(1) }
        _ = await names()
        #expect(marks.all == ["1", "2"])
    }

    @Test("closure and composite monitors get the same events, also for the verb methods")
    func closures() async {
        let heard = Recorder<String>()
        let queue = DispatchQueue(label: "closures")
        let monitor = ClosureEventMonitor(queue: queue)
        monitor.requestDidResume = { _ in
            dispatchPrecondition(condition: .onQueue(queue))
            heard.add("resume")
        }
        monitor.requestDidFinish = { request in heard.add("finish \(request is DataRequest)") }
        monitor.requestDidCompleteTaskWithError = { _, _, error in heard.add("complete") }
        let plain = ClosureEventMonitor()
        plain.requestDidFinish = { _ in heard.add("plain") }
        rig.manager.addMonitor(CompositeEventMonitor(monitors: [monitor, plain]))
        rig.answer(.good)
        _ = try? await rig.manager.get("a") as Empty
        #expect(
            await heard.wait(for: 4).sorted() == ["complete", "finish true", "plain", "resume"])
    }

    @Test("notifications have Alamofire's names and carry their request")
    func notifications() async {
        rig.answer(.good)
        let seen = Recorder<Request>()
        let request = rig.manager.request("a", shouldAutomaticallyResume: false)
        let names = [
            Request.didResumeNotification, Request.didSuspendNotification,
            Request.didCancelNotification, Request.didFinishNotification,
            Request.didResumeTaskNotification, Request.didSuspendTaskNotification,
            Request.didCancelTaskNotification, Request.didCompleteTaskNotification,
        ]
        #expect(Set(names).count == 4)
        let observer = NotificationCenter.default.addObserver(
            forName: Request.didFinishNotification, object: request.task, queue: nil
        ) { notification in
            if let request = notification.request { seen.add(request) }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        request.response { _ in }.resume()
        #expect(await seen.wait(for: 1)[0] === request)
    }
}
