import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Forms of interceptors", .timeLimit(.minutes(1)))
struct InterceptorFormTests {
    private let clock = ManualClock()

    /// Returns a handler that stamps a request.
    private static func adapt(_ name: String) -> AdaptHandler {
        { request, _, completion in completion(.success(request.stamped(name))) }
    }

    /// Returns a handler that retries once and records the call.
    private static func retry(_ name: String, _ log: Recorder<String>) -> RetryHandler {
        { request, _, _, completion in
            log.add(name)
            completion(request.retryCount < 1 ? .retry : .doNotRetry)
        }
    }

    /// Returns the stamps of each attempt, then the retriers that were asked, in order.
    private func trial(
        _ makeInterceptor: (_ log: Recorder<String>) -> any RequestInterceptor
    ) async -> [String] {
        let log = Recorder<String>()
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [makeInterceptor(log)]
        rig.stub.on("/**", .status(503))
        #expect(await rig.get(on: clock) != nil)
        return rig.stub.requests.map { $0.headers["X-Stamp"] ?? "none" } + log.all
    }

    @Test("interceptors are created from closures, or from an adapter and a retrier")
    func pairs() async {
        let adapt = Self.adapt("a")
        let forms: [(@escaping RetryHandler) -> any RequestInterceptor] = [
            { Interceptor(adaptHandler: adapt, retryHandler: $0) },
            { .interceptor(adaptHandler: adapt, retryHandler: $0) },
            { Interceptor(adapter: Adapter(adapt), retrier: Retrier($0)) },
            { .interceptor(adapter: .adapter(using: adapt), retrier: .retrier(using: $0)) },
        ]
        for form in forms {
            #expect(await trial { form(Self.retry("r", $0)) } == ["a", "a", "r", "r"])
        }
    }

    @Test("a single closure becomes an adapter or a retrier")
    func closures() async {
        let adapt = Self.adapt("a")
        #expect(await trial { _ in .adapter(using: adapt) } == ["a"])
        #expect(await trial { _ in Adapter(adapt) } == ["a"])
        let retried = ["none", "none", "r", "r"]
        #expect(await trial { .retrier(using: Self.retry("r", $0)) } == retried)
        #expect(await trial { Retrier(Self.retry("r", $0)) } == retried)
    }

    @Test("given lists, adapters and retriers come before interceptors")
    func lists() async {
        let adapters: [any RequestAdapter] = ["a", "b"].map { Adapter(Self.adapt($0)) }
        func inner(_ log: Recorder<String>) -> any RequestInterceptor {
            .interceptor(
                adapters: [.adapter(using: Self.adapt("c"))],
                retriers: [.retrier(using: Self.retry("c", log))])
        }
        func silent(_ log: Recorder<String>) -> [any RequestRetrier] {
            ["a", "b"].map { name in
                Retrier { _, _, _, completion in
                    log.add(name)
                    completion(.doNotRetry)
                }
            }
        }
        let forms: [(Recorder<String>) -> any RequestInterceptor] = [
            {
                Interceptor(
                    adapters: adapters, retriers: silent($0), interceptors: [inner($0)])
            },
            {
                .interceptor(
                    adapters: adapters, retriers: silent($0), interceptors: [inner($0)])
            },
        ]
        for form in forms {
            #expect(
                await trial(form) == ["a,b,c", "a,b,c", "a", "b", "c", "a", "b", "c"])
        }
        #expect(await trial { _ in .interceptor() } == ["none"])
    }

    @Test(
        "retriers are asked in order, the manager's first, then the call's, then the task's")
    func order() async {
        let log = Recorder<String>()
        func silent(_ name: String) -> Retrier {
            Retrier(async: { _, _, _ in
                log.add(name)
                return .doNotRetry
            })
        }
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [silent("a"), silent("b")]
        rig.answer(.status(503), .good)
        let task = rig.manager.dataTask(
            method: .get, path: "a",
            options: [.interceptor(silent("c")), .interceptor(silent("d"))]
        ) { rig.responses.add($0) }
        task.addInterceptor(silent("e"))
        task.addInterceptor(.retrier(using: Self.retry("f", log)))
        task.addInterceptor(silent("g"))
        task.resume()
        #expect(await rig.response.error == nil)
        #expect(log.all == ["a", "b", "c", "d", "e", "f"])
        await clock.idle()
    }
}
