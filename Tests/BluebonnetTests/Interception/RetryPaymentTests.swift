import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("What retry budgets count", .timeLimit(.minutes(5)))
struct RetryPaymentTests {
    private let clock = ManualClock()
    private let budget = RetryBudget(maximumRetries: 1)

    private func rig(
        _ interceptors: any RequestInterceptor..., answer: StubResponse = .status(503)
    ) -> StubRig {
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = interceptors
        rig.stub.on("/**", answer)
        return rig
    }

    private var state: RetryBudget.State {
        get throws { budget.state(for: try #require(URL(string: "http://stub.test"))) }
    }

    @Test("a retry whose delay would end after the deadline is not paid for")
    func deadline() async throws {
        let rig = rig(
            .server(budget: budget), answer: .status(429).header("Retry-After", "30"))
        for count in 1...5 {
            let error = try #require(await rig.get(.deadline(10), on: clock))
            #expect("\(error)".contains("deadline"))
            #expect(rig.stub.requests.count == count)
        }
        #expect(try state.requestCount == 5 && state.availableRetries == 1.4)
        #expect(try state.retryCount == 0 && state.refusalCount == 0)
        #expect(await rig.get(.deadline(40), on: clock) != nil)
        #expect(try rig.stub.requests.count == 7 && state.retryCount == 1)
    }

    @Test("an error says that the budget did not pay for a retry")
    func refusal() async throws {
        let rig = rig(.server(budget: budget), answer: .status(503))
        let error = try #require(await rig.get(.deadline(100), on: clock))
        #expect(rig.stub.requests.count == 2)
        #expect(error.context.head?.statusCode == 503)
        #expect(
            "\(error)".contains(
                "it was not retried, because the retry budget of its origin is used up"))
        #expect("\(error)".hasSuffix(", attempt 2]"))
    }

    @Test("a retry is paid for only if the body can be sent again")
    func bodies() async throws {
        for hook in ["none", "gives one"] {
            let budget = RetryBudget(maximumRetries: 1)
            let rig = rig(.server(budget: budget))
            if hook != "none" {
                rig.manager.taskNeedsNewBodyStream = { _ in
                    { InputStream(data: Data("abc".utf8)) }
                }
            }
            var request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
            request.httpMethod = "PUT"
            request.httpBodyStream = InputStream(data: Data("abc".utf8))
            let error = await clock.run { [request] in
                await rig.manager.response(for: request, serializer: HTTPResponseSerializer())
                    .error
            }
            #expect(error?.context.head?.statusCode == 503)
            let count = hook == "none" ? 0 : 1
            #expect(rig.stub.requests.count == count + 1, "\(hook)")
            let state = budget.state(for: try #require(request.url))
            #expect(state.retryCount == count && state.requestCount == 1, "\(hook)")
        }
    }

    @Test("a shared budget counts a request once, and refuses once per attempt")
    func shared() async throws {
        let policy: RetryPolicy = .server(budget: budget)
        let rig = rig(policy, .retryPolicy(budget: budget))
        // The first request has a retry, and each later one adds 0.1.
        for _ in 0..<5 { #expect(await rig.get(.interceptor(policy), on: clock) != nil) }
        #expect(rig.stub.requests.count == 6)
        #expect(try state.requestCount == 5 && state.retryCount == 1)
        #expect(try state.refusalCount == 5 && abs(state.availableRetries - 0.4) < 1e-9)
    }

    @Test("a retry refused in one attempt is requested again in the next")
    func attempts() async throws {
        let empty = RetryBudget(maximumRetries: 0)
        let always = Retrier(async: { request, _, _ in
            request.retryCount < 3 ? .retry : .doNotRetry
        })
        let rig = rig(
            .retryPolicy(retryLimit: 9, budget: empty), .retryPolicy(retryLimit: 9, budget: empty),
            always)
        #expect(await rig.get(on: clock) != nil)
        let state = empty.state(for: try #require(URL(string: "http://stub.test")))
        #expect(rig.stub.requests.count == 4 && state.refusalCount == 4)
        #expect(state.requestCount == 1 && state.retryCount == 0)
    }

    @Test("a policy that is only a retrier counts failed requests")
    func retrierOnly() async throws {
        let signer = Adapter(async: { request, _ in request.stamped("signed") })
        let rig = rig(Interceptor(adapter: signer, retrier: RetryPolicy.server(budget: budget)))
        for _ in 0..<31 { #expect(await rig.get(on: clock) != nil) }
        #expect(try state.requestCount == 31 && state.retryCount == 4)
        #expect(rig.stub.requests.count == 35)
    }

    @Test("a budget ignores retries of other retriers")
    func others() async throws {
        let once = Retrier(async: { request, _, _ in
            request.retryCount < 1 ? .retry : .doNotRetry
        })
        let rig = rig(once, .retryPolicy(retryLimit: 1, budget: budget))
        #expect(await rig.get(on: clock) != nil)
        #expect(try rig.stub.requests.count == 2 && state.retryCount == 0)
        #expect(try state.requestCount == 1 && state.refusalCount == 0)
    }
}
