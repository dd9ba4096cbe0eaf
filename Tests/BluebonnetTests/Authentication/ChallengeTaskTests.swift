import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Tasks that are challenged", .timeLimit(.minutes(5)))
struct ChallengeTaskTests {
    static let digest = #"Digest realm="r", nonce="n1", qop="auth""#

    /// Answers through an override, and closures are not called.
    final class Keyholder: HTTPSessionManager, @unchecked Sendable {
        override func didReceiveChallenge(
            _ task: SessionTask, challenge: AuthenticationChallenge
        ) async -> ChallengeDisposition {
            .useCredential(.test("user", "hunter2"))
        }
    }

    @Test("an override answers Basic and Digest, and the closure is not called (S21)")
    func override() async throws {
        for (challenge, scheme) in [("Basic realm=r", "Basic "), (Self.digest, "Digest ")] {
            let rig = SessionRig(manager: { Keyholder(baseURL: $0, transport: $1) })
            rig.manager.didReceiveChallenge = { _, _ in .cancel }
            let task = try rig.start()
            await rig.stub.exchange().challenge(challenge)
            let next = await rig.stub.exchange(1)
            #expect(next.value(of: "Authorization")?.hasPrefix(scheme) == true)
            next.reply()
            let response = await rig.response
            #expect(response.error == nil && response.metrics?.exchanges.count == 2)
            #expect(response.metrics?.redirectCount == 0)
            #expect(task.currentRequest?.value(forHTTPHeaderField: "Authorization") == nil)
            await rig.expectOneCompletion()
        }
    }

    @Test("three refusals end the task, each counted for the hook (S21, fault 75)")
    func refusals() async throws {
        let rig = SessionRig()
        let counts = Recorder<Int>()
        rig.manager.didReceiveChallenge = { _, challenge in
            counts.add(challenge.previousFailureCount)
            return .useCredential(.test("user", "hunter2-\(challenge.previousFailureCount)"))
        }
        try rig.start()
        for number in 0..<4 { await rig.stub.exchange(number).challenge("Basic realm=r") }
        let response = await rig.response
        guard case .authentication(let text, _) = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        #expect(text.contains("refused 3") && response.head?.statusCode == 401)
        #expect(counts.all == [0, 1, 2])
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == 4)
    }

    struct Refusal: Error {}

    @Test(
        "cancel, an error, default handling and rejection end the task each in its way (S21, C23)")
    func dispositions() async throws {
        for (number, disposition) in [
            ChallengeDisposition.cancel, .fail(Refusal()), .performDefaultHandling,
            .rejectProtectionSpace,
        ].enumerated() {
            let rig = SessionRig()
            rig.manager.didReceiveChallenge = { _, _ in disposition }
            try rig.start()
            await rig.stub.exchange().challenge("Basic realm=r")
            let response = await rig.response
            let error = try #require(response.error)
            switch (number, error) {
            case (0, .cancelled): break
            case (1, .authentication(_, let context)): #expect(context.underlying is Refusal)
            case (2, .unacceptableStatus(401, _)), (3, .unacceptableStatus(401, _)):
                #expect(response.data == Data("who?".utf8))
            default: Issue.record("\(number): \(error)")
            }
            await rig.expectOneCompletion()
            #expect(rig.stub.exchanges.count == 1)
        }
    }

    @Test(
        "a time for the answer that is none, or without end, leaves the hook its time",
        arguments: [0, -1, .infinity, .greatestFiniteMagnitude])
    func endlessTime(seconds: TimeInterval) async throws {
        let rig = SessionRig.configured { $0.challengeTimeout = seconds }
        rig.manager.didReceiveChallenge = { _, _ in
            let start = ContinuousClock.now
            while start.duration(to: .now) < .milliseconds(50) { await Task.yield() }
            return .useCredential(.test())
        }
        try rig.start()
        await rig.stub.exchange().challenge("Basic realm=r")
        await rig.stub.exchange(1).reply()
        await rig.expectOneCompletion()
        #expect(await rig.response.error == nil)
    }

    @Test("a rejected scheme makes room for the next weaker one")
    func weaker() async throws {
        let rig = SessionRig()
        rig.manager.didReceiveChallenge = { _, challenge in
            challenge.scheme == .digest ? .rejectProtectionSpace : .useCredential(.test())
        }
        try rig.start()
        await rig.stub.exchange().challenge("Basic realm=r", Self.digest)
        let next = await rig.stub.exchange(1)
        #expect(next.value(of: "Authorization")?.hasPrefix("Basic ") == true)
        next.reply()
        await rig.expectOneCompletion()
    }

    @Test("a 401 without anybody to ask is the response as it came")
    func nobody() async throws {
        let rig = SessionRig()
        try rig.start()
        await rig.stub.exchange().challenge("Basic realm=r")
        let response = await rig.response
        #expect(response.head?.statusCode == 401 && response.data == Data("who?".utf8))
        guard case .unacceptableStatus(401, _) = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        await rig.expectOneCompletion()
    }

    @Test("bodies of every kind are sent again after a challenge")
    func replay() async throws {
        for isStream in [false, true] {
            let rig = SessionRig()
            let asked = Recorder<Void>()
            rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
            rig.manager.taskNeedsNewBodyStream = { _ in
                asked.add(())
                return { InputStream(data: Data("body".utf8)) }
            }
            try rig.start {
                $0.httpMethod = "POST"
                if isStream {
                    $0.httpBodyStream = InputStream(data: Data("body".utf8))
                } else {
                    $0.httpBody = Data("body".utf8)
                }
            }
            let first = await rig.stub.exchange()
            #expect(first.bodyText == "body")
            first.challenge(Self.digest)
            let next = await rig.stub.exchange(1)
            #expect(next.bodyText == "body" && asked.count == (isStream ? 1 : 0))
            #expect(next.value(of: "Authorization")?.contains("nc=00000001") == true)
            next.reply()
            await rig.expectOneCompletion()
        }
    }

    @Test("a stream that has to be sent once more goes with a Digest field of its own (fault 75)")
    func newStream() async throws {
        let rig = SessionRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        rig.manager.taskNeedsNewBodyStream = { _ in { InputStream(data: Data("body".utf8)) } }
        try rig.start {
            $0.httpMethod = "POST"
            $0.httpBodyStream = InputStream(data: Data("body".utf8))
        }
        await rig.stub.exchange().challenge(Self.digest)
        await rig.stub.exchange(1).fail(.bodyStreamIsUsedUp)
        let next = await rig.stub.exchange(2)
        #expect(next.value(of: "Authorization")?.digestParameters["nc"] == "00000002")
        next.reply()
        await rig.expectOneCompletion()
    }

    @Test("an accepted credential is sent unasked, forgotten when refused, and by a reset")
    func remembered() async throws {
        let rig = SessionRig()
        let asked = Recorder<Int>()
        rig.manager.didReceiveChallenge = { _, challenge in
            asked.add(challenge.previousFailureCount)
            return .useCredential(.test("user", "hunter2-\(asked.count)"))
        }
        try rig.start()
        await rig.stub.exchange().challenge("Basic realm=r")
        await rig.stub.exchange(1).reply()
        await rig.responses.wait(for: 1)
        try rig.start()
        let second = await rig.stub.exchange(2)
        #expect(second.value(of: "Authorization") != nil && asked.all == [0])
        second.challenge("Basic realm=r")
        await rig.stub.exchange(3).reply()
        await rig.responses.wait(for: 2)
        #expect(asked.all == [0, 1])
        rig.manager.invalidate(cancelingTasks: true, resetSession: true)
        try rig.start()
        #expect(await rig.stub.exchange(4).value(of: "Authorization") == nil)
        await rig.stub.exchange(4).reply()
        await rig.responses.wait(for: 3)
    }

    @Test("a credential that a redirect answered is remembered, and its proof checked (fault 75)")
    func redirected() async throws {
        let rig = SessionRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        try rig.start()
        await rig.stub.exchange().challenge(Self.digest)
        await rig.stub.exchange(1)
            .redirect(to: "/b", [("Authentication-Info", #"nextnonce="n2""#)])
        let next = await rig.stub.exchange(2)
        #expect(next.value(of: "Authorization")?.digestParameters["nonce"] == "n2")
        next.reply()
        await rig.responses.wait(for: 1)
        try rig.start()
        let second = await rig.stub.exchange(3)
        #expect(second.value(of: "Authorization")?.digestParameters["nc"] == "00000002")
        second.redirect(
            to: "/c", [("Authentication-Info", #"qop=auth, rspauth="00", cnonce="x", nc=00000002"#)]
        )
        guard case .authentication = try #require(await rig.responses.wait(for: 2)[1].error) else {
            Issue.record("the redirect of an impostor was followed")
            return
        }
        #expect(rig.stub.exchanges.count == 4)
    }

    @Test("a server whose proof is wrong fails the task")
    func impostor() async throws {
        let rig = SessionRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        try rig.start()
        await rig.stub.exchange().challenge(Self.digest)
        await rig.stub.exchange(1).replyAtOnce(
            200, [("Authentication-Info", #"qop=auth, rspauth="00", cnonce="x", nc=00000001"#)],
            "{}")
        guard case .authentication = try #require(await rig.response.error) else {
            Issue.record("an impostor was believed")
            return
        }
        await rig.expectOneCompletion()
    }

    @Test("a caller's own Authorization is replaced by nothing that is remembered")
    func own() async throws {
        let rig = SessionRig.configured { _ in }
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        try rig.start()
        await rig.stub.exchange().challenge("Basic realm=r")
        await rig.stub.exchange(1).reply()
        await rig.responses.wait(for: 1)
        rig.manager.didReceiveChallenge = nil
        try rig.start { $0.setValue("Bearer own", forHTTPHeaderField: "authorization") }
        let second = await rig.stub.exchange(2)
        #expect(second.value(of: "Authorization") == "Bearer own")
        second.challenge("Basic realm=r")
        #expect(await rig.responses.wait(for: 2)[1].head?.statusCode == 401)
        #expect(rig.stub.exchanges.count == 3)
    }

    @Test("a manager's own Authorization is replaced by nothing that is remembered")
    func additional() async throws {
        let rig = SessionRig.configured { $0.additionalHeaders["Authorization"] = "Bearer own" }
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        try rig.start()
        await rig.stub.exchange().challenge("Basic realm=r")
        let asked = await rig.stub.exchange(1)
        #expect(asked.value(of: "Authorization")?.hasPrefix("Basic ") == true)
        asked.reply()
        await rig.responses.wait(for: 1)
        try rig.start()
        let second = await rig.stub.exchange(2)
        #expect(second.value(of: "Authorization") == "Bearer own")
        second.reply()
        await rig.responses.wait(for: 2)
    }

    @Test("a hook that never answers holds up nothing but its task, which a cancel ends")
    func neverAnswers() async throws {
        let rig = SessionRig()
        let (asked, answer) = (Recorder<Void>(), Recorder<Void>())
        rig.manager.didReceiveChallenge = { _, _ in
            asked.add(())
            await answer.wait(for: 1)
            return .useCredential(.test())
        }
        try rig.start()
        await rig.stub.exchange().challenge("Basic realm=r")
        await asked.wait(for: 1)
        rig.manager.invalidate(cancelingTasks: true, resetSession: false)
        #expect(await rig.response.error?.isCancelled == true)
        answer.add(())
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == 1)
    }
}
