import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import BluebonnetTransport
import Foundation
import Testing

@Suite("Slow answers to challenges about servers", .timeLimit(.minutes(5)))
struct UnansweredTrustTests {
    private let server: CertificateServer

    init() async throws {
        server = try await CertificateServer()
    }

    private func client(
        _ hook: TrustHook,
        _ change: (inout SessionConfiguration) -> Void
    ) -> TrustClient {
        var configuration = SessionConfiguration()
        change(&configuration)
        let policy = SecurityPolicy(certificateAuthorities: server.pki.authorities)
        let client = TrustClient(policy, to: [], configuration: configuration)
        hook.answers(for: client.manager)
        return client
    }

    /// Returns when the Swift task is canceled.
    private static func untilCancelled() async {
        let (stream, _) = AsyncStream.makeStream(of: Void.self)
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
        }
    }

    @Test("a task whose hook does not answer in time fails, and the hook is canceled")
    func timeout() async throws {
        let (cancelled, continuation) = AsyncStream.makeStream(of: Void.self)
        let hook = TrustHook { _ in
            await Self.untilCancelled()
            continuation.yield()
            return .trustServer
        }
        let clock = ManualClock()
        let client = client(hook) { ($0.clock, $0.challengeTimeout) = (clock, 1) }
        async let response = client.get(server.url(.selfSigned))
        for await _ in hook.questions { break }
        await clock.advance(by: .seconds(1))
        let error = try #require(try await response.error)
        #expect(error.timeout == .challenge && error.isTimeout, "\(error)")
        #expect("\(error)".contains("didReceiveChallenge"))
        for await _ in cancelled { break }
    }

    @Test("the answer of a canceled hook has no effect")
    func lateAnswer() async throws {
        let isFirst = Locked(true)
        let hook = TrustHook { _ in
            guard
                isFirst.withLock({ first in
                    defer { first = false }; return first
                })
            else {
                return .rejectProtectionSpace
            }
            await Self.untilCancelled()
            return .trustServer
        }
        let clock = ManualClock()
        let client = client(hook) { ($0.clock, $0.challengeTimeout) = (clock, 1) }
        let url = server.url(.selfSigned)
        async let first = client.get(url)
        for await _ in hook.questions { break }
        await clock.advance(by: .seconds(1))
        #expect(try await first.error?.timeout == .challenge)
        #expect(try await client.get(url).fault?.check == .issuer)
        #expect(hook.challenges.count == 2)
    }

    @Test("a hook that never returns delays only its own task")
    func never() async throws {
        let isFirst = Locked(true)
        let (release, continuation) = AsyncStream.makeStream(of: Void.self)
        let hook = TrustHook { _ in
            guard
                isFirst.withLock({ first in
                    defer { first = false }; return first
                })
            else {
                return .trustServer
            }
            // This ignores the cancel.
            await Task.detached { for await _ in release {} }.value
            return .trustServer
        }
        let clock = ManualClock()
        let client = client(hook) { ($0.clock, $0.challengeTimeout) = (clock, 1) }
        let url = server.url(.selfSigned)
        async let first = client.get(url)
        for await _ in hook.questions { break }
        await clock.advance(by: .seconds(1))
        #expect(try await first.error?.timeout == .challenge)
        #expect(try await client.get(url).text == "new 1")
        continuation.finish()
    }

    @Test("the deadline of a task also limits its hooks")
    func whole() async throws {
        let hook = TrustHook { _ in
            await Self.untilCancelled()
            return .trustServer
        }
        let client = client(hook) {
            $0.challengeTimeout = nil
            $0.timeouts.whole = 0.3
        }
        let error = try await client.get(server.url(.selfSigned)).error
        #expect(error?.timeout == .whole, "\(String(describing: error))")
    }

    @Test("during a question, tasks to other servers continue and a canceled one ends at once")
    func cancelled() async throws {
        let hook = TrustHook { _ in
            await Self.untilCancelled()
            return .trustServer
        }
        let client = client(hook) { $0.challengeTimeout = nil }
        let url = server.url(.selfSigned)
        let asking = Task { try await client.get(url) }
        for await _ in hook.questions { break }
        let good = try await client.get(server.url(.good))
        #expect(good.text == "new 1", "\(good)")
        asking.cancel()
        #expect(try await asking.value.error?.isCancelled == true)
    }

    @Test("if the asking task is canceled, a waiting one asks in its place")
    func successor() async throws {
        let isFirst = Locked(true)
        let hook = TrustHook { _ in
            guard
                isFirst.withLock({ first in
                    defer { first = false }; return first
                })
            else {
                return .trustServer
            }
            await Self.untilCancelled()
            return .rejectProtectionSpace
        }
        let client = client(hook) { $0.challengeTimeout = nil }
        let url = server.url(.selfSigned)
        let asking = Task { try await client.get(url) }
        for await _ in hook.questions { break }
        let waiting = Task { try await client.get(url) }
        asking.cancel()
        #expect(try await asking.value.error?.isCancelled == true)
        #expect(try await waiting.value.text == "new 1")
        #expect(hook.challenges.count == 2)
    }
}
