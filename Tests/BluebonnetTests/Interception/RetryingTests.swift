import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Retrying requests", .timeLimit(.minutes(1)))
struct RetryingTests {
    private let clock = ManualClock()

    private func rig(
        _ interceptors: [any RequestInterceptor],
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> StubRig {
        let rig = StubRig(clock: clock, change)
        rig.manager.interceptors = interceptors
        return rig
    }

    private func get(_ rig: StubRig, options: RequestOptions = []) async -> Response<Data> {
        await clock.run {
            await rig.manager.response(
                .get, "a", serializer: HTTPResponseSerializer(), options: options)
        }
    }

    /// Returns an interceptor that retries a number of times, after a delay.
    private func retrier(
        _ count: Int, after delay: TimeInterval? = nil, log: Recorder<String> = Recorder()
    ) -> LoggingInterceptor {
        LoggingInterceptor(
            log: log,
            retry: { request, _ in
                guard request.retryCount < count else { return .doNotRetry }
                return delay.map { .retryWithDelay($0) } ?? .retry
            })
    }

    @Test("retriers are asked once per attempt, and adapters run for each")
    func once() async {
        let retrier = retrier(2)
        let rig = rig([retrier])
        rig.answer(.init(503), .init(502), .good)
        let response = await get(rig)
        #expect(response.error == nil && response.metrics?.exchanges.count == 3)
        await clock.idle()
        #expect(
            retrier.log.all == [
                "x adapt 1", "x end 1 validation", "x retry 1", "x adapt 2", "x end 2 validation",
                "x retry 2", "x adapt 3", "x end 3 good",
            ])
    }

    @Test("the first answer other than .doNotRetry counts, and its delay is used")
    func firstAnswer() async {
        let log = Recorder<String>()
        let rig = rig([
            LoggingInterceptor("a", log: log), retrier(1, after: 7, log: log),
            LoggingInterceptor("c", log: log, retry: { _, _ in .retry }),
        ])
        rig.answer(.init(503), .good)
        #expect(await get(rig).error == nil)
        #expect(clock.now == .seconds(7))
        #expect(log.all.filter { $0.contains("retry") } == ["a retry 1", "x retry 1"])
    }

    @Test(".doNotRetryWithError ends the task with that error and keeps the original")
    func withError() async throws {
        let log = Recorder<String>()
        let rig = rig([
            LoggingInterceptor(retry: { _, _ in .doNotRetryWithError(TestError()) }),
            LoggingInterceptor("b", log: log, retry: { _, _ in .retry }),
        ])
        rig.answer(.init(503))
        let error = try #require(await get(rig).error)
        guard case .retry(_, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.underlying is TestError && error.stage == .interception)
        guard case .unacceptableStatus(503, _)? = error.originalError else {
            Issue.record("\(error)")
            return
        }
        #expect(
            error.description.contains(
                "made for the test; the attempt failed because the status 503"))
        #expect(!log.all.contains("b retry 1"))
    }

    @Test("retriers are asked about status codes from 400 on, even accepted ones")
    func accepted() async {
        for result in [RetryResult.retry, .doNotRetry, .doNotRetryWithError(TestError())] {
            let seen = Recorder<Int?>()
            let retrier = LoggingInterceptor(retry: { request, error in
                seen.add(request.head?.statusCode)
                guard case .unacceptableStatus(503, _) = error, request.data == Data("busy".utf8)
                else { return .doNotRetry }
                return request.retryCount == 0 ? result : .doNotRetry
            })
            let rig = rig([retrier])
            rig.answer(.init(503, body: Data("busy".utf8)), .init(503, body: Data("busy".utf8)))
            let response = await clock.run {
                await rig.manager.response(
                    .get, "a", serializer: HTTPResponseSerializer(acceptableStatusCodes: nil))
            }
            await clock.idle()
            switch result {
            case .retry:
                #expect(response.value == Data("busy".utf8) && seen.all == [503, 503])
                #expect(
                    retrier.log.all.filter { $0.contains("end") } == [
                        "x end 1 good", "x end 2 good",
                    ])
            case .doNotRetry:
                #expect(response.value == Data("busy".utf8) && seen.all == [503])
            default: #expect(response.error?.stage == .interception)
            }
        }
    }

    @Test("a serialization failure is not retried")
    func serialization() async {
        let retrier = retrier(3)
        let rig = rig([retrier])
        rig.stub.on("/a", .text("{", type: "application/json"))
        let response = await clock.run { await rig.manager.response(.get, "a") }
        #expect(response.error?.stage == .serialization && rig.stub.requests.count == 1)
    }

    @Test("a delay that would end after the deadline fails at once with that reason")
    func deadline() async throws {
        let rig = rig([retrier(3, after: 4)])
        rig.answer(.init(503), .init(503), .init(503))
        let error = try #require(await get(rig, options: .deadline(10)).error)
        guard case .unacceptableStatus(503, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(rig.stub.requests.count == 3 && clock.now == .seconds(8))
        #expect(error.description.contains("would end after the task's deadline"))
    }

    @Test(
        "an accepted response stays accepted if the delay would end after the deadline")
    func acceptedBeforeDeadline() async throws {
        let rig = rig([retrier(3, after: 30)])
        rig.answer(
            StubResponse(503, body: Data("busy".utf8)), StubResponse(503, body: Data("busy".utf8)))
        let lenient = HTTPResponseSerializer(acceptableStatusCodes: nil)
        let response = await clock.run {
            await rig.manager.response(.get, "a", serializer: lenient, options: .deadline(10))
        }
        #expect(response.value == Data("busy".utf8) && response.head?.statusCode == 503)
        let text = try await clock.run {
            let stream = try await rig.manager.stream(
                "a", validatedBy: lenient, options: .deadline(10))
            return try await stream.reduce(into: "") { $0 += String(decoding: $1, as: UTF8.self) }
        }
        #expect(text == "busy" && clock.now == .zero)
    }

    @Test("a request has no error after its task has succeeded without a retry")
    func errorOfSuccess() async {
        let requests = Recorder<Request>()
        let rig = rig([
            LoggingInterceptor(retry: { request, _ in
                requests.add(request)
                return .doNotRetry
            })
        ])
        rig.answer(.init(503))
        let response = await clock.run {
            await rig.manager.response(
                .get, "a", serializer: HTTPResponseSerializer(acceptableStatusCodes: nil))
        }
        #expect(response.error == nil && requests.all.map { $0.error == nil } == [true])
    }

    @Test("the deadline can expire in a retrier, and the error contains the attempt's error")
    func deadlineDuringQuestion() async throws {
        let slow = LoggingInterceptor(retry: { [clock] _, _ in
            try? await clock.sleep(for: .seconds(50))
            return .retry
        })
        let rig = rig([slow])
        rig.answer(.init(503))
        let error = try #require(await get(rig, options: .deadline(10)).error)
        #expect(error.timeout == .whole && clock.now == .seconds(10))
        #expect(error.originalError?.stage == .validation)
    }

    @Test("a retrier that does not answer in time ends the task and is named")
    func hanging() async throws {
        let slow = LoggingInterceptor(retry: { [clock] _, _ in
            try? await clock.sleep(for: .seconds(3600))
            return .retry
        })
        let rig = rig([slow])
        rig.answer(.init(503))
        let error = try #require(await get(rig).error)
        #expect(
            error.description.contains("LoggingInterceptor did not answer within 60.0 seconds"))
        #expect(error.originalError?.stage == .validation && clock.now == .seconds(60))
    }

    @Test("a retrier that always retries is not asked after the tenth attempt")
    func always() async {
        let rig = rig([LoggingInterceptor(retry: { _, _ in .retry })])
        rig.stub.on("/a", .init(503))
        #expect(await get(rig).error?.stage == .validation)
        #expect(rig.stub.requests.count == 10)
    }

    @Test(
        "delays that are not positive numbers are zero",
        arguments: [0, -1, .nan, -.infinity, 1e-300] as [TimeInterval])
    func oddDelays(delay: TimeInterval) async {
        let rig = rig([retrier(1, after: delay)])
        rig.answer(.init(503), .good)
        #expect(await get(rig).error == nil)
        #expect(clock.now < .milliseconds(1))
    }

    @Test("an infinite delay is limited to a hundred years, and a cancel ends it")
    func endless() async {
        let rig = rig([retrier(1, after: .infinity)])
        rig.answer(.init(503), .good)
        let task = rig.task()
        task.resume()
        await clock.idle()
        #expect(clock.pendingCount > 0)
        task.cancel()
        let error = await rig.response.error
        #expect(error?.isCancelled == true && error?.originalError?.stage == .validation)
        #expect(error?.context.underlying is BluebonnetError)
        await clock.idle()
        #expect(clock.pendingCount == 0 && rig.stub.requests.count == 1)
    }

    @Test("a cancel during a retrier ends the task at once")
    func cancelDuringQuestion() async {
        let slow = LoggingInterceptor(retry: { [clock] _, _ in
            try? await clock.sleep(for: .seconds(3600))
            return .retry
        })
        let rig = rig([slow])
        rig.answer(.init(503))
        let task = rig.task()
        task.resume()
        await slow.log.wait(for: 3)
        task.cancel()
        #expect(await rig.response.error?.isCancelled == true)
        await clock.idle()
        #expect(slow.log.all == ["x adapt 1", "x end 1 validation", "x retry 1"])
        #expect(clock.pendingCount == 0)
    }

    @Test("no retrier is asked about a canceled task")
    func cancelled() async {
        let retrier = retrier(3)
        let rig = rig([retrier])
        rig.stub.on("/a", .silence)
        let task = rig.task()
        task.resume()
        await clock.idle()
        task.cancel()
        #expect(await rig.response.error?.isCancelled == true)
        await clock.idle()
        #expect(retrier.log.all == ["x adapt 1", "x end 1 cancellation"])
    }

    @Test("the delay passes during a suspend, and the next attempt waits for resume()")
    func suspended() async {
        let retrier = retrier(1, after: 5)
        let rig = rig([retrier])
        rig.answer(.init(503), .good)
        let task = rig.task()
        task.resume()
        await clock.idle()
        task.suspend()
        await clock.advance(by: .seconds(60))
        #expect(rig.stub.requests.count == 1 && !retrier.log.all.contains("x adapt 2"))
        task.resume()
        #expect(await rig.response.error == nil)
        #expect(clock.now == .seconds(60))
        await clock.idle()
    }

    @Test("progress, head and redirects restart with an attempt; metrics and cookies continue")
    func anew() async {
        let rig = rig([retrier(1)])
        rig.answer(
            .moved(to: "/b", [("Set-Cookie", "a=1")]), .init(503, body: Data(count: 9)),
            .moved(to: "/b"), .good)
        let response = await get(rig)
        #expect(response.error == nil && response.redirects.count == 1)
        #expect(response.metrics?.exchanges.count == 4 && response.metrics?.redirectCount == 1)
        #expect(rig.stub.requests.map { $0.headers["Cookie"] } == [nil, "a=1", "a=1", "a=1"])
    }

    @Test("an upload creates its body again, and is not retried if it cannot")
    func uploads() async throws {
        let rig = rig([retrier(1)])
        rig.stub.on(.post, "/up0", StubResponse(503), .good)
        rig.stub.on(.post, "/up2", StubResponse(503), .good)
        func upload(_ body: RequestBody) async -> (error: BluebonnetError?, count: Int) {
            let count = rig.stub.requests.count
            let error = await clock.run { () -> BluebonnetError? in
                do throws(BluebonnetError) {
                    _ = try await rig.manager.upload(body, to: "up\(count)")
                    return nil
                } catch {
                    return error
                }
            }
            return (error, rig.stub.requests.count - count)
        }
        let data = Data("abc".utf8)
        let again = await upload(.data(data))
        #expect(again.count == 2 && again.error == nil)
        #expect(rig.stub.requests.allSatisfy { $0.body == data })
        let pieces = AsyncStream<Data> { continuation in
            continuation.yield(data)
            continuation.finish()
        }
        let single = await upload(.sequence(pieces))
        #expect(single.count == 1 && single.error?.stage == .validation)
    }

    @Test(
        "a request's own stream is requested again, and nil keeps the attempt's error")
    func streams() async throws {
        for isGiven in [true, false] {
            let rig = rig([retrier(1)])
            rig.answer(.init(503), .good)
            rig.manager.taskNeedsNewBodyStream = { _ in
                guard isGiven else { return nil }
                return { InputStream(data: Data("new".utf8)) }
            }
            var request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data("old".utf8))
            // The length is also that of the next stream.
            request.setValue("3", forHTTPHeaderField: "Content-Length")
            let response = await clock.run { [request] in
                await rig.manager.response(for: request, serializer: HTTPResponseSerializer())
            }
            #expect((response.error == nil) == isGiven)
            #expect(
                rig.stub.requests.map { String(decoding: $0.body, as: UTF8.self) }
                    == (isGiven ? ["old", "new"] : ["old"]))
        }
    }

    @Test("retriers are asked about a stream's head, and never after the stream is returned")
    func responseStreams() async throws {
        let retrier = retrier(1)
        let rig = rig([retrier])
        rig.answer(
            .init(503, body: Data("busy".utf8)), .text("good"), .text("abcdef").cut(after: 3))
        let text = try await clock.run {
            var text = ""
            for try await piece in try await rig.manager.stream("a") {
                text += String(decoding: piece, as: UTF8.self)
            }
            return text
        }
        #expect(text == "good" && rig.stub.requests.count == 2)
        let error = await clock.run {
            await #expect(throws: BluebonnetError.self) {
                for try await _ in try await rig.manager.stream("a") {}
            }
        }
        #expect(error?.stage == .transport && rig.stub.requests.count == 3)
    }

    @Test("a stream with an accepted error status is retried, or returned complete")
    func acceptedStreams() async throws {
        for retries in [true, false] {
            let rig = rig([retrier(retries ? 1 : 0)])
            rig.answer(
                StubResponse(503, body: Data(String(repeating: "busy", count: 50_000).utf8))
                    .inPieces(of: 9_000),
                .text("good"))
            let text = try await clock.run {
                var text = ""
                let stream = try await rig.manager.stream(
                    "a", validatedBy: HTTPResponseSerializer(acceptableStatusCodes: nil))
                for try await piece in stream { text += String(decoding: piece, as: UTF8.self) }
                return text
            }
            #expect(text == (retries ? "good" : String(repeating: "busy", count: 50_000)))
        }
    }

    @Test(
        "a stream with an accepted challenge has its body, of any size",
        arguments: [4, 200_000])
    func acceptedChallenge(size: Int) async throws {
        let rig = rig([retrier(0)])
        let text = String(repeating: "x", count: size)
        rig.answer(
            StubResponse(
                401, headers: ["WWW-Authenticate": "Basic realm=r"], body: Data(text.utf8)
            ).inPieces(of: 9_000))
        let read = try await clock.run {
            let stream = try await rig.manager.stream(
                "a", validatedBy: HTTPResponseSerializer(acceptableStatusCodes: nil))
            return try await stream.reduce(into: "") { $0 += String(decoding: $1, as: UTF8.self) }
        }
        #expect(read == text)
    }

    @Test("the attempt of a stream that is not retried ends with the stream")
    func endOfStream() async throws {
        let retrier = retrier(0)
        let rig = rig([retrier])
        rig.answer(StubResponse(503, body: Data("busy".utf8)).cut(after: 2))
        await clock.run {
            do {
                let stream = try await rig.manager.stream(
                    "a", validatedBy: HTTPResponseSerializer(acceptableStatusCodes: nil))
                #expect(retrier.log.all == ["x adapt 1", "x retry 1"])
                for try await _ in stream {}
                Issue.record("it did not break")
            } catch {}
        }
        await clock.idle()
        #expect(retrier.log.all == ["x adapt 1", "x retry 1", "x end 1 transport"])
    }

    @Test("invalidating a manager lets retries finish unless it cancels them")
    func invalidated() async {
        let rig = rig([retrier(1, after: 5)])
        rig.answer(.init(503), .good)
        rig.task().resume()
        await clock.idle()
        rig.manager.invalidate(cancelingTasks: false, resetSession: false)
        await clock.advance(by: .seconds(5))
        #expect(await rig.response.error == nil)
        await clock.idle()
    }

    @Test("monitors receive the retry, with the number of each attempt")
    func events() async {
        let rig = rig([retrier(1, after: 2)])
        let heard = Recorder<String>()
        rig.manager.addMonitor(of: [.preparedRequest, .endedAttempt, .willRetry]) { events in
            for event in events {
                switch event.kind {
                case .willRetry(let delay, _): heard.add("\(event.attempt) again after \(delay)")
                case .endedAttempt(let attempt):
                    heard.add("\(event.attempt) \(attempt.error == nil)")
                default: heard.add("\(event.attempt) begins")
                }
            }
        }
        rig.answer(.init(503), .good)
        #expect(await get(rig).error == nil)
        await clock.idle()
        #expect(heard.all == ["1 begins", "1 false", "1 again after 2.0", "2 begins", "2 true"])
    }

    @Test(
        "if no attempt sent anything, the last error is still safe to retry",
        arguments: [true, false])
    func safety(wasSent: Bool) async {
        let rig = SessionRig(manager: { HTTPSessionManager(baseURL: $0, transport: $1) }) {
            $0.report(Exchange.Report(end: Exchange.End(failure: .lost, wasSent: wasSent)))
        }
        rig.manager.interceptors = [retrier(1)]
        let response = await rig.manager.response(.post, "a")
        #expect(rig.stub.exchanges.count == 2)
        #expect(response.error?.isSafeToRetry == !wasSent)
    }
}
