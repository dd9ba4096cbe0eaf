import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Tasks that policies retry", .timeLimit(.minutes(5)))
struct RetryTaskTests {
    private let clock = ManualClock(startingAt: Date(timeIntervalSince1970: 784_111_777))

    private func rig(_ interceptors: any RequestInterceptor..., answers: StubResponse...) -> StubRig
    {
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = interceptors
        rig.answer(answers)
        return rig
    }

    @Test("a 503 is retried, and the task gets the response of the retry")
    func success() async throws {
        let rig = rig(.server, answers: .status(503), .good)
        #expect(await rig.get(on: clock) == nil)
        #expect(rig.stub.requests.map(\.attempt) == [1, 2])
        let delay = try #require(rig.requestTimes.last)
        #expect((0...0.5).contains(delay))
    }

    @Test("a policy of the call retries after 0.5 and 1 seconds, then stops")
    func delays() async throws {
        let rig = rig(answers: .status(503), .status(502), .status(500), .good)
        let error = try #require(await rig.get(.interceptor(.retryPolicy), on: clock))
        guard case .unacceptableStatus(500, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(rig.requestTimes == [0, 0.5, 1.5])
    }

    @Test("an error says that maximumAttempts leaves no other attempt")
    func maximum() async throws {
        let rig = StubRig(clock: clock) { $0.maximumAttempts = 3 }
        rig.manager.interceptors = [RetryPolicy(retryLimit: 10)]
        rig.stub.on("/**", .status(503))
        let error = try #require(await rig.get(on: clock))
        #expect(rig.stub.requests.count == 3)
        #expect("\(error)".contains("; no attempt is left, because maximumAttempts is 3 ["))
    }

    @Test("the error of a body that cannot be decoded names the attempt")
    func undecodable() async throws {
        let rig = rig(.server, answers: .status(503), .text("{", type: "application/json"))
        let manager = rig.manager
        let response = await clock.run {
            await manager.response(.get, "a", serializer: .decodable([Int].self))
        }
        let error = try #require(response.error)
        #expect("\(error)".hasSuffix(", attempt 2]"), "\(error)")
    }

    @Test("delays grow up to the maximum")
    func growth() async {
        let rig = rig(
            RetryPolicy(retryLimit: 5, maximumDelay: 2),
            answers: .status(503), .failure(.timedOut), .status(503), .status(503), .status(503),
            .good)
        #expect(await rig.get(on: clock) == nil)
        #expect(rig.requestTimes == [0, 0.5, 1.5, 3.5, 5.5, 7.5])
    }

    @Test("an accepted error status is also retried, and finally the response")
    func accepted() async {
        let rig = rig(.retryPolicy, answers: .status(503), .status(503), .status(503))
        let response = await clock.run { [manager = rig.manager] in
            await manager.response(
                .get, "a", serializer: HTTPResponseSerializer(acceptableStatusCodes: [503]))
        }
        #expect(response.error == nil && response.head?.statusCode == 503)
        #expect(rig.requestTimes == [0, 0.5, 1.5])
    }

    @Test("the task waits for Retry-After, in seconds or until a date")
    func retryAfter() async {
        let rig = rig(
            RetryPolicy(maximumRetryAfter: 60),
            answers: .status(503).header("Retry-After", "20"),
            .status(503).header("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT"), .good)
        #expect(await rig.get(on: clock) == nil)
        #expect(rig.requestTimes == [0, 20, 60])
    }

    @Test("a Retry-After beyond the maximum ends the task with the response")
    func tooLong() async throws {
        let rig = rig(.server, answers: .status(503).header("Retry-After", "61"), .good)
        let error = try #require(await rig.get(on: clock))
        #expect(error.context.head?.statusCode == 503)
        #expect(
            "\(error)".contains(
                "; it was not retried, because Retry-After asks for 61.0 seconds, and "
                    + "maximumRetryAfter is 60.0 seconds ["))
        #expect(rig.requestTimes == [0])
    }

    @Test("a retry whose delay would end after the deadline is not made")
    func deadline() async throws {
        let rig = rig(.server, answers: .status(503).header("Retry-After", "30"), .good)
        let error = try #require(await rig.get(.deadline(10), on: clock))
        #expect(error.context.head?.statusCode == 503 && clock.now == .zero)
        #expect("\(error)".contains("deadline"))
        #expect(rig.requestTimes == [0])
    }

    @Test("a POST is retried if nothing was sent or it has an Idempotency-Key")
    func posts() async {
        let sent = rig(.server, answers: .status(503), .good)
        #expect(await sent.send(.post, on: clock) != nil)
        #expect(sent.stub.requests.count == 1)
        let lost = rig(.server, answers: .failure(.networkConnectionLost), .good)
        #expect(await lost.send(.post, on: clock) != nil)
        #expect(lost.stub.requests.count == 1)
        let unsent = rig(.server, answers: .failure(.cannotConnectToHost), .good)
        #expect(await unsent.send(.post, on: clock) == nil)
        #expect(unsent.stub.requests.count == 2)
        let keyed = rig(.server, answers: .status(503), .good)
        #expect(await keyed.send(.post, headers: ["idempotency-key": "k"], on: clock) == nil)
        #expect(keyed.stub.requests.count == 2)
    }

    @Test(
        "a listed method is retried, and others if nothing was sent", arguments: ["PUT", "POST"])
    func unlisted(method: String) async {
        let method = HTTPMethod(rawValue: method)
        let policy = RetryPolicy(retryableHTTPMethods: [.get])
        let unsent = rig(policy, answers: .failure(.cannotConnectToHost), .good)
        #expect(await unsent.send(method, on: clock) == nil)
        #expect(unsent.stub.requests.count == 2)
        let lost = rig(policy, answers: .failure(.networkConnectionLost), .good)
        #expect(await lost.send(method, on: clock) != nil)
        #expect(lost.stub.requests.count == 1)
        let first = rig(
            policy,
            Retrier(async: { request, _, _ in request.retryCount < 1 ? .retry : .doNotRetry }),
            answers: .status(503), .failure(.cannotConnectToHost), .good)
        #expect(await first.send(method, on: clock) != nil)
        #expect(first.stub.requests.count == 2, "the first attempt was sent")
    }

    @Test(
        "a body over the configured limit is not retried, even with a listed status code")
    func limits() async throws {
        let rig = StubRig(clock: clock) { $0.maximumResponseBodySize = 5 }
        rig.manager.interceptors = [.server]
        rig.answer(.text("too long", status: 503), .good)
        #expect(try #require(await rig.get(on: clock)).limit == .bodySize)
        #expect(rig.stub.requests.count == 1)
    }

    @Test("a POST that a redirect turned into a GET is not retried")
    func redirects() async {
        let rig = rig(.server, answers: .moved(303, to: "/b"), .status(503), .good)
        #expect(await rig.send(.post, on: clock) != nil)
        #expect(rig.stub.requests.map(\.method) == [.post, .get])
    }

    @Test("during an outage, two retries and 10% more requests are sent at most")
    func outage() async throws {
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [.server]
        rig.stub.on("/**") { _ in .status(503) }
        for _ in 0..<100 { #expect(await rig.get(on: clock) != nil) }
        #expect(rig.stub.requests.count == 111)
        let budget = try #require(RetryPolicy.server.budget(for: rig.manager))
        let state = budget.state(for: try #require(URL(string: "http://stub.test/b")))
        #expect(state.requestCount == 100 && state.retryCount == 11)
    }

    @Test("managers can share a budget, and a refused retry keeps the error unchanged")
    func shared() async throws {
        let budget = RetryBudget()
        let first = rig(.server(budget: budget), answers: .status(503), .status(503), .good)
        let second = rig(.server(budget: budget), answers: .status(503), .good)
        #expect(await first.get(on: clock) == nil)
        let error = try #require(await second.get(on: clock))
        #expect(error.context.head?.statusCode == 503 && second.stub.requests.count == 1)
    }

    @Test("the budget counts by the origin after adaptation, not after a redirect")
    func origins() async throws {
        let budget = RetryBudget()
        let move = Adapter(async: { request, _ in
            var request = request
            request.url = URL(string: "http://other.test:8080/a")
            return request
        })
        let rig = rig(
            move, .server(budget: budget),
            answers: .moved(to: "http://third.test/"), .status(503), .good)
        #expect(await rig.get(on: clock) == nil)
        let state = budget.state(for: try #require(URL(string: "http://OTHER.test:8080")))
        #expect(state.requestCount == 1 && state.retryCount == 1 && budget.originCount == 1)
    }

    @Test("a policy in an interceptor's list works like a separate one")
    func nested() async throws {
        let budget = RetryBudget()
        let rig = rig(
            Interceptor(interceptors: [.server(budget: budget)]), answers: .status(503), .good)
        #expect(await rig.get(on: clock) == nil)
        let state = budget.state(for: try #require(URL(string: "http://stub.test")))
        #expect(state.requestCount == 1 && state.retryCount == 1)
    }

    @Test("a cancel during a delay ends the task at once")
    func cancel() async throws {
        let rig = rig(
            RetryPolicy(maximumRetryAfter: 60), answers: .status(503).header("Retry-After", "60"))
        let task = rig.task()
        task.resume()
        await clock.idle()
        #expect(clock.pendingCount == 1)
        task.cancel()
        let error = try #require(await rig.response.error)
        #expect(error.isCancelled && error.originalError?.context.head?.statusCode == 503)
        #expect(clock.now == .zero)
        await rig.expectOneCompletion()
    }
}
