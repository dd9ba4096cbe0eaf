import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("A storm of interception", .timeLimit(.minutes(10)))
struct InterceptionStormTests {
    /// Adapts, fails, waits and retries at random, and records attempts.
    private final class Weather: RequestInterceptor {
        struct Attempt: Hashable {
            let request: UUID
            let number: Int
        }

        private let random: Locked<SeededGenerator>
        private let clock: ManualClock
        private let accounts = Locked<[Attempt: (begun: Int, ended: Int)]>([:])

        init(seed: UInt64, _ clock: ManualClock) {
            random = Locked(SeededGenerator(seed: seed))
            self.clock = clock
        }

        func pick(_ count: Int) -> Int { random.withLock { Int.random(in: 0..<count, using: &$0) } }

        /// The number of attempts that did not end exactly once.
        var faults: Int { accounts.withLock { $0.values.count { $0.begun != 1 || $0.ended != 1 } } }
        var attemptCount: Int { accounts.withLock { $0.count } }

        func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState
        ) async throws -> URLRequest {
            let attempt = Attempt(request: state.requestID, number: state.attempt)
            accounts.withLock { $0[attempt, default: (0, 0)].begun += 1 }
            switch pick(8) {
            case 0: throw TestError()
            case 1, 2: try await clock.sleep(for: .milliseconds(pick(3_000)))
            // It ignores the cancellation.
            case 3: try? await clock.sleep(for: .milliseconds(pick(3_000)))
            default: break
            }
            return urlRequest.stamped("s")
        }

        func retry(
            _ request: Request, for session: Session, dueTo error: any Error
        ) async -> RetryResult {
            switch pick(6) {
            case 0: return .doNotRetry
            case 1: return .doNotRetryWithError(error)
            case 2: try? await clock.sleep(for: .milliseconds(pick(3_000)))
            case 3: return .retryWithDelay(Double(pick(3_000)) / 1_000)
            default: break
            }
            return .retry
        }

        func attemptDidEnd(_ attempt: EndedAttempt) {
            let key = Attempt(request: attempt.request.id, number: attempt.number)
            accounts.withLock { $0[key, default: (0, 0)].ended += 1 }
        }
    }

    /// The number of tasks, from the environment.
    private static let taskCount =
        ProcessInfo.processInfo.environment["BLUEBONNET_STORM"].flatMap { Int($0) } ?? 2_000

    @Test(
        "with random cancels and suspends, every task and attempt ends once, and nothing is left"
    )
    func storm() async {
        let seed = SeededGenerator.givenSeed ?? UInt64.random(in: 0...UInt64.max)
        for batch in 0..<max(1, Self.taskCount / 500) {
            await storm(500, seed: seed &+ UInt64(batch))
        }
    }

    private func storm(_ count: Int, seed: UInt64) async {
        let clock = ManualClock()
        let weather = Weather(seed: seed, clock)
        let rig = StubRig(clock: clock) { $0.maximumAttempts = 4 }
        rig.manager.interceptors = [weather]
        rig.stub.on("/**") { _ in
            let delay = Duration.milliseconds(weather.pick(2_000))
            switch weather.pick(6) {
            case 0, 1: return StubResponse(503).after(delay)
            case 2: throw Exchange.Failure(.networkConnectionLost, message: "lost")
            case 3: return StubResponse.text("abc").cut(after: 1)
            default: return StubResponse.good.after(delay)
            }
        }
        let answers = Recorder<Int>()
        let tasks = (0..<count).map { number in
            rig.manager.dataTask(
                method: .get, path: "t", options: weather.pick(4) == 0 ? .deadline(2) : []
            ) { _ in answers.add(number) }
        }
        for task in tasks {
            let at = Duration.milliseconds(weather.pick(8_000))
            switch weather.pick(4) {
            case 0, 1: clock.schedule(after: at) { task.cancel() }
            case 2:
                clock.schedule(after: at) { task.suspend() }
                clock.schedule(after: at + .milliseconds(weather.pick(2_000))) { task.resume() }
            default: break
            }
            task.resume()
        }
        await clock.advance(by: .seconds(600))
        await answers.wait(for: count)
        await clock.idle()
        #expect(
            answers.all.sorted() == Array(0..<count), "BLUEBONNET_SEED=\(seed)")
        #expect(weather.faults == 0 && weather.attemptCount > count, "BLUEBONNET_SEED=\(seed)")
        #expect(clock.pendingCount == 0 && rig.manager.tasks.isEmpty, "BLUEBONNET_SEED=\(seed)")
    }
}
