import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Tasks with challenges that cannot be answered", .timeLimit(.minutes(5)))
struct UnsupportedChallengeTests {
    @Test(
        "a 401 with only Negotiate, NTLM or an unknown form of Digest is delivered",
        arguments: [
            "Negotiate", "NTLM", #"Digest realm="r", nonce="n", algorithm=SHA-3"#,
        ], [true, false])
    func delivered(challenge: String, hasHook: Bool) async throws {
        let rig = SessionRig()
        let asked = Recorder<Void>()
        if hasHook {
            rig.manager.didReceiveChallenge = { _, _ in
                asked.add(())
                return .useCredential(.test())
            }
        }
        try rig.start()
        await rig.stub.exchange().challenge(challenge)
        let response = await rig.response
        guard case .unacceptableStatus(401, _)? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(response.data == Data("who?".utf8))
        await rig.expectOneCompletion()
        #expect(asked.count == 0 && rig.stub.exchanges.count == 1)
    }

    @Test(
        "Digest with only auth-int sends a body in memory, and fails a streamed body",
        arguments: [true, false])
    func bodyHash(isInMemory: Bool) async throws {
        let rig = SessionRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        var request = URLRequest(url: try #require(URL(string: "http://stub.test/a")))
        request.httpMethod = "POST"
        let handler: @Sendable (Response<any Sendable>) -> Void = {
            [log = rig.log, responses = rig.responses] in
            log.add("handler")
            responses.add($0)
        }
        let task =
            isInMemory
            ? rig.manager.uploadTask(with: request, from: Data([1]), completionHandler: handler)
            : rig.manager.uploadTask(
                withStreamedRequest: request, body: { InputStream(data: Data([1])) },
                completionHandler: handler)
        task.resume()
        await rig.stub.exchange().challenge(#"Digest realm="r", nonce="n", qop="auth-int""#)
        if isInMemory { await rig.stub.exchange(1).reply() }
        let error = await rig.response.error
        #expect((error == nil) == isInMemory)
        let reason = (error?.context.underlying as? AuthenticationError)?.reason
        #expect(reason == (isInMemory ? nil : .bodyNotInMemory))
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == (isInMemory ? 2 : 1))
    }
}
