import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Tasks with challenges", .timeLimit(.minutes(5)))
struct ChallengeTaskTests {
    static let digest = #"Digest realm="r", nonce="n1", qop="auth""#

    /// A manager whose override answers challenges.
    final class Keyholder: HTTPSessionManager, @unchecked Sendable {
        override func didReceiveChallenge(
            _ task: SessionTask, challenge: AuthenticationChallenge
        ) async -> ChallengeDisposition {
            .useCredential(.test("user", "hunter2"))
        }
    }

    @Test("an override answers Basic and Digest, and the closure is not called")
    func override() async throws {
        for (challenge, scheme) in [("Basic realm=r", "Basic "), (Self.digest, "Digest ")] {
            let rig = StubRig(on: StubTransport()) { Keyholder(baseURL: $0, transport: $1) }
            rig.manager.didReceiveChallenge = { _, _ in .cancel }
            rig.answer(.unauthorized(challenge), .good)
            let task = try rig.start()
            let response = await rig.response
            #expect(response.error == nil && response.metrics?.exchanges.count == 2)
            #expect(response.metrics?.redirectCount == 0)
            let sent = rig.stub.requests.map { $0.headers["Authorization"] }
            #expect(sent.first == .some(nil) && sent.last??.hasPrefix(scheme) == true)
            #expect(task.currentRequest?.value(forHTTPHeaderField: "Authorization") == nil)
            await rig.expectOneCompletion()
        }
    }

    @Test("three refusals end the task, and the hook gets their count (S21, fault 75)")
    func refusals() async throws {
        let rig = StubRig()
        let counts = Recorder<Int>()
        rig.manager.didReceiveChallenge = { _, challenge in
            counts.add(challenge.previousFailureCount)
            return .useCredential(.test("user", "hunter2-\(challenge.previousFailureCount)"))
        }
        rig.stub.on("/**", .unauthorized("Basic realm=r"))
        try rig.start()
        let response = await rig.response
        guard case .authentication(let text, _) = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        #expect(text.contains("refused 3") && response.head?.statusCode == 401)
        #expect(counts.all == [0, 1, 2])
        await rig.expectOneCompletion()
        #expect(rig.stub.requests.count == 4)
    }

    struct Refusal: Error {}

    @Test(
        "cancel, error, default handling and rejection each end the task in their way")
    func dispositions() async throws {
        for (number, disposition) in [
            ChallengeDisposition.cancel, .fail(Refusal()), .performDefaultHandling,
            .rejectProtectionSpace,
        ].enumerated() {
            let rig = StubRig()
            rig.manager.didReceiveChallenge = { _, _ in disposition }
            rig.answer(.unauthorized("Basic realm=r"))
            try rig.start()
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
            #expect(rig.stub.requests.count == 1)
        }
    }

    @Test(
        "a challenge timeout that is not positive or finite sets no time limit",
        arguments: [0, -1, .infinity, .greatestFiniteMagnitude])
    func endlessTime(seconds: TimeInterval) async throws {
        let clock = ManualClock()
        let rig = StubRig(clock: clock) { $0.challengeTimeout = seconds }
        rig.manager.didReceiveChallenge = { _, _ in
            try? await clock.sleep(for: .seconds(1_000_000))
            return .useCredential(.test())
        }
        rig.answer(.unauthorized("Basic realm=r"), .good)
        try rig.start()
        await clock.advance(by: .seconds(999_999))
        #expect(rig.responses.count == 0)
        await clock.advance(by: .seconds(1))
        await rig.expectOneCompletion()
        #expect(await rig.response.error == nil)
    }

    @Test("after a rejection, the next weaker scheme is tried")
    func weaker() async throws {
        let rig = StubRig()
        rig.manager.didReceiveChallenge = { _, challenge in
            challenge.scheme == .digest ? .rejectProtectionSpace : .useCredential(.test())
        }
        rig.answer(.unauthorized("Basic realm=r", Self.digest), .good)
        try rig.start()
        await rig.expectOneCompletion()
        let next = try #require(rig.stub.requests.last)
        #expect(next.headers["Authorization"]?.hasPrefix("Basic ") == true)
    }

    @Test("a 401 without a hook is delivered unchanged")
    func nobody() async throws {
        let rig = StubRig()
        rig.answer(.unauthorized("Basic realm=r"))
        try rig.start()
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
            let rig = StubRig()
            let asked = Recorder<Void>()
            rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
            rig.manager.taskNeedsNewBodyStream = { _ in
                asked.add(())
                return { InputStream(data: Data("body".utf8)) }
            }
            rig.answer(.unauthorized(Self.digest), .good)
            try rig.start {
                $0.httpMethod = "POST"
                if isStream {
                    $0.httpBodyStream = InputStream(data: Data("body".utf8))
                } else {
                    $0.httpBody = Data("body".utf8)
                }
            }
            await rig.expectOneCompletion()
            let requests = rig.stub.requests
            #expect(requests.map(\.text) == ["body", "body"])
            #expect(asked.count == (isStream ? 1 : 0))
            #expect(requests.last?.headers["Authorization"]?.contains("nc=00000001") == true)
        }
    }

    @Test("a stream that is sent once more gets a new Digest field (fault 75)")
    func newStream() async throws {
        let rig = StubRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        rig.manager.taskNeedsNewBodyStream = { _ in { InputStream(data: Data("body".utf8)) } }
        rig.answer(.unauthorized(Self.digest), .failure(.bodyStreamIsUsedUp), .good)
        try rig.start {
            $0.httpMethod = "POST"
            $0.httpBodyStream = InputStream(data: Data("body".utf8))
        }
        await rig.expectOneCompletion()
        let counts = rig.stub.requests.map {
            $0.headers["Authorization"]?.digestParameters["nc"]
        }
        #expect(counts == [nil, "00000001", "00000002"])
    }

    @Test("an accepted credential is sent in advance, and forgotten after a refusal or a reset")
    func remembered() async throws {
        let rig = StubRig()
        let asked = Recorder<Int>()
        rig.manager.didReceiveChallenge = { _, challenge in
            asked.add(challenge.previousFailureCount)
            return .useCredential(.test("user", "hunter2-\(asked.count)"))
        }
        let basic = StubResponse.unauthorized("Basic realm=r")
        let askedBefore = Recorder<Int>()
        rig.stub.on("/**") { request in
            askedBefore.add(asked.count)
            return [1, 3].contains(request.number) ? basic : .good
        }
        for number in 1...2 {
            try rig.start()
            await rig.responses.wait(for: number)
        }
        #expect(asked.all == [0, 1] && askedBefore.all == [0, 1, 1, 2])
        rig.manager.invalidate(cancelingTasks: true, resetSession: true)
        try rig.start()
        await rig.responses.wait(for: 3)
        let sent = rig.stub.requests.map { $0.headers["Authorization"] != nil }
        #expect(sent == [false, true, true, true, false])
    }

    @Test("a credential accepted after a redirect is remembered, and its proof checked (fault 75)")
    func redirected() async throws {
        let rig = StubRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        rig.answer(
            .unauthorized(Self.digest),
            .moved(to: "/b", [("Authentication-Info", #"nextnonce="n2""#)]), .good,
            .moved(
                to: "/c",
                [("Authentication-Info", #"qop=auth, rspauth="00", cnonce="x", nc=00000002"#)]))
        try rig.start()
        await rig.responses.wait(for: 1)
        try rig.start()
        guard case .authentication = try #require(await rig.responses.wait(for: 2)[1].error) else {
            Issue.record("the redirect of an impostor was followed")
            return
        }
        let sent = rig.stub.requests.map { $0.headers["Authorization"]?.digestParameters ?? [:] }
        try #require(sent.count == 4)
        #expect(sent[2]["nonce"] == "n2" && sent[3]["nc"] == "00000002")
    }

    @Test("a server with a wrong proof fails the task")
    func impostor() async throws {
        let rig = StubRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        rig.answer(
            .unauthorized(Self.digest),
            StubResponse.good.header(
                "Authentication-Info", #"qop=auth, rspauth="00", cnonce="x", nc=00000001"#))
        try rig.start()
        guard case .authentication = try #require(await rig.response.error) else {
            Issue.record("an impostor was believed")
            return
        }
        await rig.expectOneCompletion()
    }

    @Test("a caller's own Authorization is not replaced by a remembered credential")
    func own() async throws {
        let rig = StubRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        let basic = StubResponse.unauthorized("Basic realm=r")
        rig.answer(basic, .good, basic)
        try rig.start()
        await rig.responses.wait(for: 1)
        rig.manager.didReceiveChallenge = nil
        try rig.start { $0.setValue("Bearer own", forHTTPHeaderField: "authorization") }
        #expect(await rig.responses.wait(for: 2)[1].head?.statusCode == 401)
        #expect(rig.stub.requests.count == 3)
        #expect(rig.stub.requests.last?.headers["Authorization"] == "Bearer own")
    }

    @Test("a manager's own Authorization is not replaced by a remembered credential")
    func additional() async throws {
        let rig = StubRig { $0.additionalHeaders["Authorization"] = "Bearer own" }
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        rig.answer(.unauthorized("Basic realm=r"), .good, .good)
        try rig.start()
        await rig.responses.wait(for: 1)
        try rig.start()
        await rig.responses.wait(for: 2)
        let sent = rig.stub.requests.map { $0.headers["Authorization"] }
        try #require(sent.count == 3)
        #expect(sent[1]?.hasPrefix("Basic ") == true)
        #expect(sent[2] == "Bearer own")
    }

    @Test("a hook that never answers delays only its task, which can be canceled")
    func neverAnswers() async throws {
        let rig = StubRig()
        let (asked, answer) = (Recorder<Void>(), Recorder<Void>())
        rig.manager.didReceiveChallenge = { _, _ in
            asked.add(())
            await answer.wait(for: 1)
            return .useCredential(.test())
        }
        rig.stub.on("http://a.test/**", .unauthorized("Basic realm=r"))
        try rig.start()
        await asked.wait(for: 1)
        rig.manager.invalidate(cancelingTasks: true, resetSession: false)
        #expect(await rig.response.error?.isCancelled == true)
        answer.add(())
        await rig.expectOneCompletion()
        #expect(rig.stub.requests.count == 1)
    }
}
