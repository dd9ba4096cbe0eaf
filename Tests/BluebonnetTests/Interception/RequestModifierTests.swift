import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Request modifiers", .timeLimit(.minutes(1)))
struct RequestModifierTests {
    private let clock = ManualClock()

    @Test("a modifier changes the request of every attempt, in order")
    func attempts() async {
        let rig = StubRig(clock: clock)
        let modifier: RequestModifier = { $0 = $0.stamped("b") }
        rig.manager.interceptors = [
            .modifier { $0 = $0.stamped("a") }, RequestModifierAdapter(modifier), .retryPolicy,
        ]
        rig.answer(.status(503), .good)
        let call: RequestOptions = .interceptor(
            .modifier { $0.setValue("1", forHTTPHeaderField: "X-Call") })
        #expect(await rig.get(call, on: clock) == nil)
        #expect(rig.stub.requests.map { $0.headers["X-Stamp"] } == ["a,b", "a,b"])
        #expect(rig.stub.requests.map { $0.headers["X-Call"] } == ["1", "1"])
    }

    @Test("a modifier can set the timeout of an attempt")
    func timeout() async {
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [.modifier { $0.timeoutInterval = 5 }]
        rig.answer(.silence)
        #expect(await rig.get(on: clock)?.timeout == .idle)
        #expect(clock.now == .seconds(5))
    }

    @Test("a modifier's error fails the attempt, and nothing is sent")
    func failure() async throws {
        let rig = StubRig(clock: clock)
        rig.manager.interceptors = [.modifier { _ in throw TestError() }]
        let error = try #require(await rig.get(on: clock))
        guard case .adaptation(let text, let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(text.contains("RequestModifierAdapter") && context.underlying is TestError)
        #expect(rig.stub.requests.isEmpty && error.isSafeToRetry)
    }
}
