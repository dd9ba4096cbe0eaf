import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet
import BluebonnetChain

@Suite("Requests of the chain", .timeLimit(.minutes(5)))
struct ChainRequestTests {
    private let rig = StubRig()
    private let values = Recorder<String>()

    private func request(
        _ path: String = "a", interceptor: (any RequestInterceptor)? = nil,
        resumes: Bool? = nil, modifier: RequestModifier? = nil
    ) -> DataRequest {
        rig.manager.request(
            path, interceptor: interceptor, shouldAutomaticallyResume: resumes,
            requestModifier: modifier)
    }

    private var handler: @Sendable (AFDataResponse<Data?>) -> Void {
        { [values] response in
            let data = response.value.flatMap(\.self)
            values.add(
                data.map { String(decoding: $0, as: UTF8.self) }
                    ?? response.error.map { "\($0.stage)" } ?? "nothing")
        }
    }

    @Test("state, error and handler agree when a cancel meets the end")
    func cancelAtTheEnd() async {
        rig.stub.on("/**", .init(200, body: Data("b".utf8)))
        let errors = Recorder<AFError?>()
        for round in 0..<600 {
            let request: Request =
                switch round % 3 {
                case 0: rig.manager.request("a").response { errors.add($0.error) }
                case 1: rig.manager.download("a").response { errors.add($0.error) }
                default:
                    rig.manager.streamRequest("a").responseStreamString {
                        if let completion = $0.completion { errors.add(completion.error) }
                    }
                }
            for _ in 0..<(round % 40) { await Task.yield() }
            request.cancel()
            let error = await errors.wait(for: round + 1)[round]
            let isCancelled = error?.isExplicitlyCancelledError == true
            #expect(
                (request.state == .cancelled) == isCancelled
                    && (request.error != nil) == isCancelled, "\(request) in round \(round)")
        }
    }

    // MARK: Factories

    @Test("a relative string is below the base URL, an absolute one is unchanged")
    func addresses() async throws {
        rig.answer(.good, .good, .good, .good)
        request("users/7?a=1").response(completionHandler: handler)
        await values.wait(for: 1)
        request("http://other.test/b").response(completionHandler: handler)
        await values.wait(for: 2)
        rig.manager.request(try #require(URL(string: "documents:get")))
            .response(completionHandler: handler)
        await values.wait(for: 3)
        struct Router: URLRequestConvertible {
            func asURLRequest() throws -> URLRequest {
                try URLRequest(url: "c", method: .put, headers: ["X-A": "1"])
            }
        }
        rig.manager.request(Router()).response(completionHandler: handler)
        await values.wait(for: 4)
        #expect(
            rig.stub.requests.map { "\($0.method.rawValue) \($0.url)" } == [
                "GET http://stub.test/users/7?a=1", "GET http://other.test/b",
                "GET http://stub.test/documents:get", "PUT http://stub.test/c",
            ])
        #expect(rig.stub.requests.last?.headers["X-A"] == "1")
    }

    @Test(
        "with an invalid URL nothing is sent, and the handlers get the error",
        arguments: ["", "http://[bad", "a b", "//h/x", "mailto:a@b"])
    func badAddress(text: String) async throws {
        let manager = HTTPSessionManager(transport: rig.stub)
        let responses = Recorder<AFDataResponse<Data?>>()
        let request = manager.request(text).response { responses.add($0) }
        request.responseData { responses.add($0.map { $0 }) }
        let all = await responses.wait(for: 2)
        #expect(all.allSatisfy { $0.error?.stage == .request && $0.request == nil })
        #expect(request.requests.isEmpty && request.task?.originalRequest == nil)
        #expect(rig.stub.requests.isEmpty)
    }

    @Test("typed parameters are encoded, and an error of the encoder fails the request")
    func encodable() async throws {
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws { throw URLError(.badURL) }
        }
        rig.answer(.good)
        rig.manager.request("a", parameters: ["b": "c d"]).response(completionHandler: handler)
        await values.wait(for: 1)
        rig.manager.request("a", parameters: Failing()).response(completionHandler: handler)
        await values.wait(for: 2)
        #expect(rig.stub.requests.map(\.url.query) == ["b=c%20d"])
        #expect(values.all.last == "request")
    }

    @Test("a modifier runs in each attempt, before parameters are encoded")
    func modifier() async throws {
        struct Marking: ParameterEncoding {
            func encode(
                _ urlRequest: any URLRequestConvertible, with parameters: Parameters?
            ) throws -> URLRequest {
                var request = try urlRequest.asURLRequest()
                let former = request.value(forHTTPHeaderField: "X-Mark") ?? "none"
                request.setValue(former + " encoded", forHTTPHeaderField: "X-Mark")
                return request
            }
        }
        rig.answer(.init(503), .good)
        let count = Locked(0)
        let modified = rig.manager.request(
            "a", parameters: ["a": 1], encoding: Marking(), headers: ["X-Mark": "header"],
            interceptor: Retrier { _, _, _, completion in completion(.retry) }
        ) { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            #expect(request.value(forHTTPHeaderField: "X-Mark") == "header")
            request.setValue("modified \(number)", forHTTPHeaderField: "X-Mark")
        }
        modified.validate().response(completionHandler: handler)
        await values.wait(for: 1)
        #expect(
            rig.stub.requests.map { $0.headers["X-Mark"] } == [
                "modified 1 encoded", "modified 2 encoded",
            ])
        #expect(modified.requests.count == 2 && modified.retryCount == 1)
    }

    @Test("a modifier that throws fails the request with its error")
    func throwingModifier() async {
        let responses = Recorder<AFDataResponse<Data?>>()
        request { _ in throw URLError(.userAuthenticationRequired) }
            .response { responses.add($0) }
        let response = await responses.wait(for: 1)[0]
        #expect((response.error?.underlyingError as? URLError)?.code == .userAuthenticationRequired)
        #expect(response.error?.stage == .request && response.request == nil)
    }

    @Test("a request whose URL is removed fails, whatever removes it")
    func noURL() async {
        struct Router: URLRequestConvertible {
            func asURLRequest() throws -> URLRequest {
                var request = try URLRequest(url: "http://h/", method: .get)
                request.url = nil
                return request
            }
        }
        let responses = Recorder<AFDataResponse<Data?>>()
        let adapter = Adapter { request, _, completion in
            var request = request
            request.url = nil
            completion(.success(request))
        }
        rig.manager.request(Router(), interceptor: RetryPolicy()).response { responses.add($0) }
        await responses.wait(for: 1)
        rig.manager.request("a", parameters: ["a": 1]) { $0.url = nil }
            .response { responses.add($0) }
        await responses.wait(for: 2)
        request { $0.url = nil }.cURLDescription { _ in }.response { responses.add($0) }
        await responses.wait(for: 3)
        request(interceptor: Interceptor(adapters: [adapter, stamping])).response {
            responses.add($0)
        }
        await responses.wait(for: 4)
        request(interceptor: adapter).response { responses.add($0) }
        let errors = await responses.wait(for: 5).map(\.error)
        #expect(errors.map { $0?.isRequestAdaptationError } == [false, false, false, true, false])
        #expect(errors.filter { $0?.stage == .request }.count == 4)
        #expect(rig.stub.requests.isEmpty)
    }

    private var stamping: Adapter {
        Adapter { request, _, completion in
            // Code that changes a request must check that an earlier adapter left its URL.
            guard request.url != nil else { return completion(.failure(URLError(.badURL))) }
            completion(.success(request.stamped("x")))
        }
    }

    @Test("a request that cannot be rebuilt for a retry fails without the last response")
    func failsLater() async {
        rig.answer(.init(503, body: Data("busy".utf8)))
        let count = Locked(0)
        let responses = Recorder<AFDataResponse<Data?>>()
        request(interceptor: Retrier { _, _, _, completion in completion(.retry) }) { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            if !isFirst { throw URLError(.badURL) }
        }
        .validate().response { responses.add($0) }
        let response = await responses.wait(for: 1)[0]
        #expect(response.error?.stage == .request)
        #expect(response.head == nil && response.data == nil && response.request == nil)
    }

    @Test("a running request holds its manager")
    func holdsManager() async {
        let transport = ManualTransport()
        var manager: HTTPSessionManager? = HTTPSessionManager(transport: transport)
        weak let weakManager = manager
        manager?.request("http://h/").response(completionHandler: handler)
        manager = nil
        let transfer = await transport.exchange()
        #expect(weakManager != nil)
        transfer.replyAtOnce(200, [:], "b")
        #expect(await values.wait(for: 1) == ["b"])
        #expect(await until { weakManager == nil })
    }

    @Test("a request that has not started holds its manager until it is released")
    func holdsManagerBeforeStart() async {
        let transport = ManualTransport()
        HTTPSessionManager(transport: transport).request("http://h/")
            .response(completionHandler: handler)
        await transport.exchange().replyAtOnce(200, [:], "b")
        #expect(await values.wait(for: 1) == ["b"])
        var manager: HTTPSessionManager? = HTTPSessionManager(transport: transport)
        weak let weakManager = manager
        var request = manager?.request("http://h/")
        manager = nil
        #expect(weakManager != nil && request != nil)
        request = nil
        #expect(await until { weakManager == nil })
    }

    @Test("all unfinished requests can be listed and canceled together")
    func allRequests() async {
        let transport = ManualTransport()
        let manager = HTTPSessionManager(transport: transport)
        let requests = (0..<3).map { manager.request("http://h/\($0)") }
        for request in requests { request.response(completionHandler: handler) }
        let unstarted = manager.request("http://h/x")
        let counts = Recorder<Set<Request>>()
        manager.withAllRequests { counts.add($0) }
        #expect(await counts.wait(for: 1) == [Set<Request>(requests + [unstarted])])
        let done = Recorder<Bool>()
        let queue = DispatchQueue(label: "all")
        manager.cancelAllRequests(completingOnQueue: queue) {
            dispatchPrecondition(condition: .onQueue(queue))
            done.add(true)
        }
        await done.wait(for: 1)
        #expect(await values.wait(for: 3) == Array(repeating: "cancellation", count: 3))
        #expect((requests + [unstarted]).allSatisfy { $0.state == .cancelled })
        let slow = DispatchQueue(label: "slow")
        let more = manager.request("http://h/y").response(queue: slow) { [values] _ in
            Thread.sleep(forTimeInterval: 0.05)
            values.add("slow")
        }
        await manager.cancelAllRequestsAndWait()
        #expect(manager.tasks.isEmpty && more.isCancelled && values.all.last == "slow")
    }

    // MARK: States

    @Test("a request passes through its states in order and stays in the last")
    func states() async {
        let transport = ManualTransport()
        let manager = HTTPSessionManager(transport: transport)
        manager.startRequestsImmediately = false
        let request = manager.request("http://h/").response(completionHandler: handler)
        #expect(request.state == .initialized && request.isInitialized)
        #expect(request.suspend().state == .suspended && request.isSuspended)
        #expect(request.resume().state == .resumed && request.isResumed)
        let transfer = await transport.exchange()
        #expect(request.suspend().state == .suspended)
        #expect(request.resume().state == .resumed)
        transfer.replyAtOnce(200, [:], "b")
        await values.wait(for: 1)
        #expect(request.state == .finished && request.isFinished)
        request.cancel()
        #expect(request.state == .finished && !request.isCancelled)
        request.suspend()
        #expect(request.state == .finished)
    }

    @Test("resuming a hundred times from any threads starts it once")
    func resumedOften() async {
        rig.answer(.good)
        let request = request(resumes: false).response(completionHandler: handler)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { request.resume() } }
        }
        await values.wait(for: 1)
        // The reporting thread can be behind.
        #expect(await until { rig.log.all.contains("complete") })
        #expect(rig.log.all.filter { $0 == "resume" }.count == 1)
        #expect(rig.stub.requests.count == 1)
    }

    @Test("the first handler resumes, unless the request or its manager disables that")
    func starts() async {
        rig.answer(.good, .good)
        #expect(!request().response(completionHandler: handler).isInitialized)
        await values.wait(for: 1)
        let waiting = request(resumes: false).response(completionHandler: handler)
        #expect(waiting.isInitialized)
        rig.manager.startRequestsImmediately = false
        #expect(request().response(completionHandler: handler).isInitialized)
        #expect(!request(resumes: true).response(completionHandler: handler).isInitialized)
        await values.wait(for: 2)
        #expect(rig.stub.requests.count == 2)
        #expect(
            HTTPSessionManager(startRequestsImmediately: false).startRequestsImmediately == false)
    }

    @Test("calls chained after the first handler count until something has arrived")
    func lateModifiers() async {
        let transport = ManualTransport()
        let manager = HTTPSessionManager(transport: transport)
        manager.request("http://h/").response(completionHandler: handler).validate()
            .downloadProgress { [values] in values.add("\($0.completedUnitCount)") }
        await transport.exchange().replyAtOnce(500, [:], "b")
        #expect(await values.wait(for: 2).sorted() == ["1", "validation"])
    }

    @Test("a request that is suspended before its start waits for a resume")
    func suspendedFirst() async {
        rig.answer(.good)
        let request = request().suspend()
        request.suspend().response(completionHandler: handler)
        #expect(request.state == .suspended)
        request.resume()
        await values.wait(for: 1)
        await rig.manager.shutdown()
        #expect(rig.log.all.filter { $0 == "suspend" || $0 == "resume" } == ["suspend", "resume"])
    }

    @Test(
        "a request that is canceled before its start sends nothing and calls its handlers"
    )
    func cancelledFirst() async {
        let request = request().cancel()
        request.response(completionHandler: handler)
        #expect(await values.wait(for: 1) == ["cancellation"])
        request.resume()
        #expect(request.state == .cancelled && request.requests.isEmpty)
        #expect(rig.stub.requests.isEmpty)
    }

    @Test(
        "a cancel ends a running request, is not retried, and is ignored in a handler"
    )
    func cancelled() async {
        let transport = ManualTransport()
        let manager = HTTPSessionManager(transport: transport)
        let request = manager.request(
            "http://h/", interceptor: Retrier { _, _, _, completion in completion(.retry) })
        request.response(completionHandler: handler)
        _ = await transport.exchange()
        request.cancel()
        #expect(await values.wait(for: 1) == ["cancellation"])
        #expect(request.error?.isCancelled == true && request.retryCount == 0)
        let late = manager.request("http://h/")
        late.response { [values] response in
            late.cancel()
            values.add(response.error == nil ? "good" : "bad")
        }
        await transport.exchange(1).replyAtOnce(200, [:], "")
        #expect(await values.wait(for: 2).last == "good")
        #expect(late.state == .finished)
    }

    @Test("a cancel during the delay of a retry ends the request at once")
    func cancelledInDelay() async {
        rig.answer(.init(503))
        let asked = Recorder<Int>()
        let request = request(
            interceptor: Retrier { request, _, _, completion in
                completion(.retryWithDelay(3600))
                asked.add(request.retryCount)
            })
        request.validate().response(completionHandler: handler)
        await asked.wait(for: 1)
        request.cancel()
        #expect(await values.wait(for: 1) == ["cancellation"])
        #expect(request.error?.originalError?.context.head?.statusCode == 503)
    }

    // MARK: Handlers

    @Test("handlers are called in the order in which they were added")
    func order() async {
        rig.answer(.init(200, body: Data("b".utf8)))
        let request = request(resumes: false)
        for number in 0..<20 {
            switch number % 3 {
            case 0: request.response { [values] _ in values.add("\(number)") }
            case 1: request.responseData { [values] _ in values.add("\(number)") }
            default: request.responseString { [values] _ in values.add("\(number)") }
            }
        }
        request.resume()
        #expect(await values.wait(for: 20) == (0..<20).map { "\($0)" })
    }

    @Test("late handlers get the kept response in order, and nothing is sent again")
    func lateHandlers() async {
        rig.answer(.init(200, body: Data("b".utf8)))
        let request = request()
        request.response { [values, handler] _ in
            values.add("first")
            request.response(completionHandler: handler)
            request.responseString { values.add($0.value ?? "none") }
        }
        #expect(await values.wait(for: 3) == ["first", "b", "b"])
        #expect(request.state == .finished && rig.stub.requests.count == 1)
        request.responseData { [values] in values.add("\($0.value?.count ?? -1)") }
        #expect(await values.wait(for: 4).last == "1")
    }

    @Test(
        "handlers run on their own or the manager's queue, and never on the main queue")
    func queues() async {
        rig.answer(.good, .good)
        let own = DispatchQueue(label: "own")
        request().response(queue: own) { [values] _ in
            dispatchPrecondition(condition: .onQueue(own))
            values.add("own")
        }
        .response { [values, queue = rig.queue] _ in
            dispatchPrecondition(condition: .onQueue(queue))
            values.add("manager's")
        }
        #expect(await values.wait(for: 2).sorted() == ["manager's", "own"])
        rig.manager.completionQueue = nil
        request().response { [values] _ in
            values.add(Thread.isMainThread ? "main" : "pool")
        }
        #expect(await values.wait(for: 3).last == "pool")
    }

    @Test("every call of the chain is legal in a handler")
    func reentrancy() async {
        rig.answer(.good)
        let request = request()
        request.response { [values, handler] _ in
            request.resume().suspend().cancel().validate().redirect(using: .follow)
                .redirect(using: .doNotFollow).authenticate(username: "u", password: "p")
                .interceptor(RetryPolicy()).uploadProgress { _ in }.downloadProgress { _ in }
                .response(completionHandler: handler)
            values.add("\(request.state)")
        }
        #expect(await values.wait(for: 2) == ["completed", #"{"a":1}"#])
    }

    // MARK: Properties of a request

    @Test("an attempt has its own request, and retries are counted")
    func attempts() async {
        rig.answer(.init(503), .init(503), .good)
        let request = request(
            interceptor: Interceptor(
                adaptHandler: { request, _, completion in
                    completion(.success(request.stamped("x")))
                },
                retryHandler: { request, _, _, completion in
                    completion(request.retryCount < 5 ? .retry : .doNotRetry)
                }))
        request.validate().response(completionHandler: handler)
        await values.wait(for: 1)
        #expect(request.retryCount == 2)
        #expect(request.requests.count == 3 && request.allMetrics.count == 3)
        #expect(request.requests.allSatisfy { $0.value(forHTTPHeaderField: "X-Stamp") == "x" })
        #expect(request.allMetrics.allSatisfy { $0.exchanges.count == 1 })
        #expect(request.tasks.count == 1 && request.metrics?.exchanges.count == 3)
        #expect(request.firstRequest == request.lastRequest)
        #expect(request.task?.originalRequest?.value(forHTTPHeaderField: "X-Stamp") == nil)
        #expect(request.response?.statusCode == 200 && request.data?.isEmpty == false)
    }

    @Test("interceptors get the caller's request object, even if the caller has released it")
    func identity() async {
        rig.answer(.init(503), .init(503), .good)
        let seen = Recorder<Request>()
        let retrier = Retrier { request, _, _, completion in
            seen.add(request)
            completion(.retry)
        }
        let id = request(interceptor: retrier).validate().response(completionHandler: handler).id
        await values.wait(for: 1)
        #expect(seen.all.count == 2 && seen.all[0] === seen.all[1])
        #expect(seen.all[0] is DataRequest && seen.all[0].id == id)
    }

    @Test("progress is sent to the last closure, on the handlers' queue")
    func progress() async {
        rig.answer(.init(200, body: Data(repeating: 1, count: 1000)))
        rig.manager.request("a", method: .post) { $0.httpBody = Data(repeating: 2, count: 300) }
            .downloadProgress { [values] _ in values.add("never") }
            .downloadProgress { [values, queue = rig.queue] progress in
                dispatchPrecondition(condition: .onQueue(queue))
                values.add("down \(progress.completedUnitCount) of \(progress.totalUnitCount)")
            }
            .uploadProgress { [values] progress in
                values.add("up \(progress.completedUnitCount) of \(progress.totalUnitCount)")
            }
            .response { [values] _ in values.add("done") }
        let all = await values.wait(for: 3)
        #expect(all == ["up 300 of 300", "down 1000 of 1000", "done"])
    }

    @Test("a credential answers a challenge of the request's own server, once")
    func authenticate() async {
        rig.answer(
            .unauthorized("Basic realm=\"r\""), .good, .unauthorized("Basic realm=\"r\""),
            .unauthorized("Basic realm=\"r\""))
        let manager = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), transport: rig.stub)
        manager.request("a").authenticate(username: "x", password: "y")
            .authenticate(username: "u", password: "p").validate()
            .response(completionHandler: handler)
        await values.wait(for: 1)
        let login = "Basic " + Data("u:p".utf8).base64EncodedString()
        #expect(rig.stub.requests.map { $0.headers["Authorization"] } == [nil, login])
        let refused = HTTPSessionManager(
            baseURL: URL(string: "http://stub.test/"), transport: rig.stub)
        refused.request("a").authenticate(username: "u", password: "p").validate()
            .response(completionHandler: handler)
        #expect(await values.wait(for: 2) == [#"{"a":1}"#, "validation"])
        #expect(rig.stub.requests.count == 4)
    }

    @Test("a redirect handler of the request replaces the manager's, and the last one counts")
    func redirects() async {
        rig.answer(.moved(to: "/b"), .moved(to: "/b"), .good)
        rig.manager.setRedirectHandler(Redirector(behavior: .follow))
        let responses = Recorder<AFDataResponse<Data?>>()
        request().redirect(using: .follow).redirect(using: .doNotFollow)
            .response { responses.add($0) }
        #expect(await responses.wait(for: 1)[0].head?.statusCode == 302)
        request().redirect(
            using: .modify { _, request, response in
                var request = request
                request.setValue("\(response.statusCode)", forHTTPHeaderField: "X-From")
                return request
            }
        ).response { responses.add($0) }
        #expect(await responses.wait(for: 2)[1].head?.statusCode == 200)
        #expect(rig.stub.requests.last?.headers["X-From"] == "302")
    }

    @Test("a GET with a body is sent")
    func bodyOfGet() async {
        rig.answer(.good)
        request { $0.httpBody = Data("q".utf8) }.response(completionHandler: handler)
        await values.wait(for: 1)
        #expect(rig.stub.requests.first?.body == Data("q".utf8))
    }
}
