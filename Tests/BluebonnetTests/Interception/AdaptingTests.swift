import BluebonnetChain
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Adapting requests", .timeLimit(.minutes(1)))
struct AdaptingTests {
    private let clock = ManualClock()

    private func rig(
        _ interceptors: [any RequestInterceptor],
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> StubRig {
        let rig = StubRig(clock: clock, change)
        rig.manager.interceptors = interceptors
        return rig
    }

    private func stamping(_ name: String) -> Adapter {
        Adapter { request, _, completion in completion(.success(request.stamped(name))) }
    }

    private func get(
        _ rig: StubRig, options: RequestOptions = []
    ) async -> Response<Data> {
        await clock.run {
            await rig.manager.response(
                .get, "a", serializer: HTTPResponseSerializer(), options: options)
        }
    }

    @Test("adapters chain, the manager's first, then the call's, then the task's")
    func order() async {
        let rig = rig([stamping("a"), stamping("b")])
        rig.answer(.good)
        let task = rig.manager.dataTask(
            method: .get, path: "a",
            options: [.interceptor(stamping("c")), .interceptor(stamping("d"))]
        ) { rig.responses.add($0) }
        task.addInterceptor(stamping("e"))
        task.resume()
        #expect(await rig.response.error == nil)
        #expect(rig.stub.requests.map { $0.headers["X-Stamp"] } == ["a,b,c,d,e"])
        #expect(task.currentRequest?.value(forHTTPHeaderField: "X-Stamp") == "a,b,c,d,e")
        #expect(task.originalRequest?.value(forHTTPHeaderField: "X-Stamp") == nil)
        await clock.idle()
    }

    @Test("an adapter that fails at once ends the task on the callback queue, not where it resumes")
    func failsAtOnce() async throws {
        struct Failing: RequestInterceptor {
            func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
                throw TestError()
            }
        }
        // On the system's clock, the adapter runs on the thread that resumes the task.
        var configuration = SessionConfiguration()
        configuration.maximumAttempts = 1
        let manager = HTTPSessionManager(
            configuration: configuration, transport: StubTransport())
        manager.interceptors = [Failing()]
        let (threads, responses) = (Recorder<UInt>(), Recorder<Response<Data>>())
        manager.taskDidComplete = { _, _ in threads.add(pthread_self()) }
        let task = manager.dataTask(
            with: URLRequest(url: try #require(URL(string: "http://stub.test/"))),
            serializer: HTTPResponseSerializer()
        ) { responses.add($0) }
        let resumer = Recorder<UInt>()
        await onOwnThread {
            resumer.add(pthread_self())
            task.resume()
            // The thread stays, so that no other one gets its number.
            while responses.count == 0 { sched_yield() }
        }
        #expect(await responses.wait(for: 1).first?.error?.stage == .interception)
        #expect(threads.count == 1 && threads.all != resumer.all)
    }

    @Test("both forms of an adapter are called, and the first completion counts")
    func forms() async {
        struct AsyncFor: RequestAdapter {
            func adapt(_ urlRequest: URLRequest, for session: Session) async throws -> URLRequest {
                urlRequest.stamped("1")
            }
        }
        struct CompletionFor: RequestAdapter {
            func adapt(
                _ urlRequest: URLRequest, for session: Session,
                completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
            ) {
                completion(.success(urlRequest.stamped("2")))
                completion(.success(urlRequest.stamped("twice")))
            }
        }
        struct AsyncUsing: RequestAdapter {
            func adapt(
                _ urlRequest: URLRequest, using state: RequestAdapterState
            ) async throws -> URLRequest { urlRequest.stamped("3\(state.attempt)") }
        }
        struct CompletionUsing: RequestAdapter {
            func adapt(
                _ urlRequest: URLRequest, using state: RequestAdapterState,
                completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
            ) { DispatchQueue.global().async { completion(.success(urlRequest.stamped("4"))) } }
        }
        struct Neither: RequestAdapter {}
        /// Ported code calls its children with the completion form.
        struct Composite: RequestInterceptor {
            let children: [any RequestAdapter]

            func adapt(
                _ urlRequest: URLRequest, for session: Session,
                completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
            ) { next(children[...], urlRequest, session, completion) }

            private func next(
                _ rest: ArraySlice<any RequestAdapter>, _ request: URLRequest, _ session: Session,
                _ completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
            ) {
                guard let first = rest.first else { return completion(.success(request)) }
                first.adapt(request, for: session) { result in
                    guard case .success(let request) = result else { return completion(result) }
                    next(rest.dropFirst(), request, session, completion)
                }
            }
        }
        let direct: [any RequestAdapter] = [
            AsyncFor(), CompletionFor(), AsyncUsing(), CompletionUsing(), Neither(),
        ]
        let nested = Composite(children: [
            AsyncFor(), Neither(), Composite(children: [CompletionFor(), Composite(children: [])]),
        ])
        let rig = rig([Interceptor(adapters: direct), nested])
        rig.stub.on("/a", .good)
        // The clock does not know the queue.
        let response = await rig.manager.response(.get, "a", serializer: HTTPResponseSerializer())
        #expect(response.error == nil)
        #expect(
            rig.stub.requests.map { $0.headers["X-Stamp"] } == ["1,2,31,4,1,2"])
        await clock.idle()
    }

    @Test("retriers are asked in either form, and without one there is no retry")
    func retrierForms() async {
        struct Completion: RequestRetrier {
            func retry(
                _ request: Request, for session: Session, dueTo error: any Error,
                completion: @escaping @Sendable (RetryResult) -> Void
            ) {
                completion(request.retryCount < 2 ? .retry : .doNotRetry)
                completion(.retry)
            }
        }
        struct Neither: RequestRetrier {}
        let rig = rig([Interceptor(retriers: [Neither(), Completion()])])
        rig.answer(.init(503), .init(503), .good)
        #expect(await get(rig).error == nil)
        #expect(rig.stub.requests.count == 3)
    }

    @Test("an adapter's failure sends nothing, and retriers are asked about it")
    func failure() async {
        let log = Recorder<String>()
        let first = LoggingInterceptor("a", log: log)
        let second = LoggingInterceptor(
            "b", log: log,
            adapt: { request, state in
                if state.attempt == 1 { throw TestError() }
                return request
            },
            retry: { request, error in
                #expect(request.head == nil && error.stage == .interception)
                return .retry
            })
        let third = LoggingInterceptor("c", log: log)
        let rig = rig([first, second, third])
        rig.stub.on("/a", .good)
        #expect(await get(rig).error == nil)
        await clock.idle()
        #expect(
            log.all == [
                "a adapt 1", "b adapt 1", "a end 1 interception", "b end 1 interception",
                "a retry 1", "b retry 1",
                "a adapt 2", "b adapt 2", "c adapt 2", "a end 2 good", "b end 2 good",
                "c end 2 good",
            ])
    }

    @Test("without a retry the failure names the adapter and its error, and can be retried")
    func failed() async throws {
        let rig = rig([LoggingInterceptor(adapt: { _, _ in throw TestError() })])
        let error = try #require(await get(rig).error)
        #expect(rig.stub.requests.isEmpty)
        guard case .adaptation(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.underlying is TestError)
        #expect(error.description.contains("LoggingInterceptor: made for the test"))
        #expect(error.isSafeToRetry && error.stage == .interception && !error.isCancelled)
    }

    @Test("a redirect's request is not adapted and keeps the adapters' fields")
    func redirect() async {
        let log = Recorder<String>()
        let stamp = LoggingInterceptor(log: log, adapt: { request, _ in request.stamped("s") })
        let rig = rig([stamp])
        rig.answer(.moved(to: "/b"), .good)
        #expect(await get(rig).error == nil)
        #expect(rig.stub.requests.map { $0.headers["X-Stamp"] } == ["s", "s"])
        await clock.idle()
        #expect(log.all == ["x adapt 1", "x end 1 good"])
    }

    @Test("an adapter that does not answer in time fails its attempt and is named")
    func hanging() async throws {
        let quick = LoggingInterceptor(adapt: { [clock] request, _ in
            try await clock.sleep(for: .seconds(59))
            return request
        })
        let hanging = LoggingInterceptor(adapt: { [clock] request, _ in
            try await clock.sleep(for: .seconds(3600))
            return request
        })
        let rig = rig([quick, hanging]) { $0.interceptorTimeout = 60 }
        let error = try #require(await get(rig).error)
        #expect(
            error.description.contains("LoggingInterceptor did not answer within 60.0 seconds"))
        #expect(clock.now == .seconds(119) && rig.stub.requests.isEmpty)
        await clock.idle()
        #expect(clock.pendingCount == 0)
        // The end is reported when the adapter returns, concurrently with the question to the
        // retrier.
        #expect(Set(hanging.log.all) == ["x adapt 1", "x retry 1", "x end 1 interception"])
    }

    @Test("the deadline of the task limits adapters, and no retrier is asked after it")
    func deadline() async throws {
        let hanging = LoggingInterceptor(adapt: { [clock] request, _ in
            try await clock.sleep(for: .seconds(3600))
            return request
        })
        let rig = rig([hanging])
        let error = try #require(await get(rig, options: .deadline(5)).error)
        #expect(error.timeout == .whole && clock.now == .seconds(5))
        await clock.idle()
        #expect(hanging.log.all == ["x adapt 1", "x end 1 transport"])
    }

    @Test(
        "a cancel ends a task at once during an adapter, which gets the end after it returns"
    )
    func cancelled() async {
        let gate = AsyncStream<Void>.makeStream()
        let stubborn = LoggingInterceptor(adapt: { request, _ in
            // It ignores the cancellation.
            await Task.detached { for await _ in gate.stream {} }.value
            return request
        })
        let rig = rig([stubborn])
        let task = rig.task()
        task.resume()
        await stubborn.log.wait(for: 1)
        task.cancel()
        #expect(await rig.response.error?.isCancelled == true)
        #expect(stubborn.log.all == ["x adapt 1"])
        gate.continuation.finish()
        await stubborn.log.wait(for: 2)
        #expect(stubborn.log.all == ["x adapt 1", "x end 1 cancellation"])
        #expect(rig.stub.requests.isEmpty)
        await clock.idle()
    }

    @Test("a request that an adapter makes invalid is refused, and the task ends")
    func unusable() async {
        let rig = rig([
            LoggingInterceptor(adapt: { request, _ in
                var request = request
                request.url = nil
                return request
            })
        ])
        let error = await get(rig).error
        #expect(error?.stage == .request)
    }

    @Test("an adapter can replace the body, and the new body is sent")
    func body() async {
        let rig = rig([
            LoggingInterceptor(adapt: { request, _ in
                var request = request
                request.httpBody = Data("other".utf8)
                return request
            })
        ])
        rig.stub.on("/a", .good)
        let response = await clock.run {
            await rig.manager.response(.post, "a", parameters: ["a": 1])
        }
        #expect(response.error == nil)
        #expect(rig.stub.requests.map(\.body) == [Data("other".utf8)])
    }

    @Test("a task with interceptors on a plain SessionManager fails with an explanation")
    func plainManager() async {
        let manager = SessionManager(transport: StubTransport())
        let request = URLRequest(url: URL(filePath: "/"))
        let response = await manager.response(
            for: request, options: .interceptor(stamping("a")))
        #expect(response.error?.description.contains("need an HTTPSessionManager") == true)
    }

    @Test("an adapter that is added to a task is used from the next attempt on")
    func addedLate() async {
        let task = Locked<DataTask?>(nil)
        let retrier = Retrier(async: { [self] request, _, _ in
            guard request.retryCount == 0 else { return .doNotRetry }
            task.withLock { $0 }?.addInterceptor(stamping("late"))
            return .retry
        })
        let rig = rig([retrier])
        rig.answer(.init(503), .good)
        task.withLock { $0 = rig.task() }
        task.withLock { $0 }?.resume()
        #expect(await rig.response.error == nil)
        #expect(rig.stub.requests.map { $0.headers["X-Stamp"] } == [nil, "late"])
        task.withLock { $0 = nil }
        await clock.idle()
    }

    @Test("each adapter and retrier in a composite has its own time limit")
    func compositeLimit() async {
        let slow = LoggingInterceptor(
            adapt: { [clock] request, _ in
                try await clock.sleep(for: .seconds(40))
                return request
            },
            retry: { [clock] request, _ in
                try? await clock.sleep(for: .seconds(40))
                return .doNotRetry
            })
        let composite = Interceptor(interceptors: [slow, slow])
        let rig = rig([Interceptor(interceptors: [composite, slow])])
        rig.answer(.init(503))
        let response = await get(rig)
        #expect(response.error?.stage == .validation && clock.now == .seconds(240))
        await clock.idle()
    }

    @Test("a subclass of Adapter gets the end of each attempt, even if it calls super")
    func subclass() async {
        final class Limiter: Adapter, @unchecked Sendable {
            let permits = Locked(0)

            override func adapt(
                _ urlRequest: URLRequest, using state: RequestAdapterState
            ) async throws -> URLRequest {
                permits.withLock { $0 += 1 }
                return try await super.adapt(urlRequest, using: state)
            }

            override func attemptDidEnd(_ attempt: EndedAttempt) {
                permits.withLock { $0 -= 1 }
                super.attemptDidEnd(attempt)
            }
        }
        let limiter = Limiter { request, _, completion in completion(.success(request)) }
        let rig = rig([stamping("a"), limiter])
        rig.stub.on("/**", .good)
        for _ in 0..<3 {
            #expect(await get(rig).error == nil)
            await clock.idle()
            #expect(limiter.permits.withLock { $0 } == 0)
        }
    }

    // MARK: On the system's clock

    private func plainRig(_ interceptors: any RequestInterceptor...) -> SessionRig {
        let rig = SessionRig()
        rig.manager.interceptors = interceptors
        return rig
    }

    @Test("an adapter that does not suspend runs on the thread that resumes the task")
    func atOnce() async {
        let threads = Recorder<pthread_t>()
        let rig = plainRig(
            LoggingInterceptor(adapt: { request, _ in
                threads.add(pthread_self())
                return request.stamped("a")
            }))
        let task = rig.task()
        await onOwnThread {
            task.resume()
            // The exchange has begun.
            #expect(threads.all == [pthread_self()] && rig.stub.exchanges.count == 1)
        }
        let exchange = await rig.stub.exchange()
        #expect(exchange.value(of: "X-Stamp") == "a")
        exchange.reply()
        await rig.expectOneCompletion()
    }

    @Test("a task continues when a suspended adapter returns, and ends if the adapter cancels it")
    func later() async {
        let (gate, cancels) = (HookGate(seed: 1), Locked(false))
        let rig = plainRig(
            LoggingInterceptor(adapt: { request, state in
                await gate.pass()
                if cancels.withLock({ $0 }) { state.request.task?.cancel() }
                await Task.yield()
                return request.stamped("a")
            }))
        gate.open()
        let first = rig.task()
        first.resume()
        await rig.stub.exchange().reply()
        #expect(await rig.response.error == nil)
        cancels.withLock { $0 = true }
        let second = rig.task()
        second.resume()
        #expect(await rig.responses.wait(for: 2)[1].error?.isCancelled == true)
        #expect(rig.stub.exchanges.count == 1)
        await rig.settle()
    }

    @Test("an adapter's failure ends the task, at once or later", arguments: [true, false])
    func failureAtOnce(waits: Bool) async {
        let rig = plainRig(
            LoggingInterceptor(adapt: { _, _ in
                if waits { await Task.yield() }
                throw TestError()
            }))
        rig.task().resume()
        #expect(await rig.response.error?.stage == .interception)
        await rig.expectOneCompletion()
    }

    @Test("a task that a hook resumes is not adapted on the callback queue")
    func hook() async {
        let isBlocked = Recorder<Bool>()
        let rig = plainRig(
            LoggingInterceptor(adapt: { request, state in
                isBlocked.add(state.session.callbacks.isCurrent)
                return request
            }))
        let second = rig.task()
        rig.manager.dataTaskDidReceiveResponse = { _, _ in
            second.resume()
            return .allow
        }
        rig.task().resume()
        await rig.stub.exchange().reply()
        await rig.stub.exchange(1).reply()
        await rig.responses.wait(for: 2)
        #expect(isBlocked.all == [false, false])
    }
}
