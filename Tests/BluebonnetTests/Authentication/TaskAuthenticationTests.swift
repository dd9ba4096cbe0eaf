import Foundation
import FoundationNetworking
import Testing
import BluebonnetTestSupport

@testable import Bluebonnet

@Suite("Steps after a response", .timeLimit(.minutes(5)))
struct TaskAuthenticationTests {
    let cache = AuthenticationCache()

    func makeTask() -> TaskAuthentication {
        TaskAuthentication(cache: cache)
    }

    static let digest = "Digest realm=r, nonce=n1, qop=auth, algorithm=SHA-256"

    /// Takes a task through a challenge to a response with status code 200.
    func authenticate(
        _ challenge: String,
        _ request: AuthenticatedRequest,
        info: [(String, String)] = []
    ) throws {
        var task = makeTask()
        #expect(task.fields(for: request).isEmpty)
        _ = try task.next(after: .unauthorized(challenge), to: request).asked()
        _ = try task.answer(.useCredential(.test())).retried()
        #expect(task.next(after: try .test(200, info), to: request).isDelivery)
    }

    @Test("a response without a readable challenge is delivered")
    func delivery() throws {
        var task = makeTask()
        for head in try [
            ResponseHead.test(200), .test(200, [("WWW-Authenticate", "Basic realm=a")]),
            .test(401), .unauthorized("Basic realm=\"a"), .unauthorized("Bearer realm=a"),
            .unauthorized("Digest realm=a"), .test(403),
            .test(401, [("Proxy-Authenticate", "Basic realm=a")]),
        ] {
            #expect(task.next(after: head, to: try .test()).isDelivery)
        }
    }

    @Test("the strongest supported scheme is asked for, in any order")
    func strength() throws {
        let offers = [
            "Basic realm=a", "Digest realm=a, nonce=m",
            "Digest realm=a, nonce=n, algorithm=sha-256",
            "Negotiate", "Digest realm=a, nonce=o, algorithm=SHA-512-256", "Bearer",
            "Digest realm=a, nonce=p, algorithm=unknown",
        ]
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            let head = try ResponseHead.test(
                401, offers.shuffled(using: &generator).map { ("WWW-Authenticate", $0) }
            )
            var task = makeTask()
            let challenge = try task.next(after: head, to: .test()).asked()
            #expect(challenge.scheme == .digest)
            #expect(Set(challenge.offeredSchemes) == [.basic, .digest, .negotiate, .bearer])
            let value = try task.answer(.useCredential(.test())).retried()["Authorization"]
            #expect(value?.digestParameters["algorithm"] == "sha-256")
        }
    }

    @Test("a challenge names its scheme, realm and host")
    func challenge() throws {
        var task = makeTask()
        let url = "https://A.test:8443/x"
        let head = try ResponseHead.test(401, [("www-authenticate", "basic realm=\"r s\"")], url)
        let challenge = try task.next(after: head, to: .test(url)).asked()
        #expect(challenge.scheme == .basic)
        #expect(challenge.realm == "r s")
        #expect(challenge.host == "a.test")
        #expect(challenge.port == 8443)
        #expect(challenge.url.absoluteString == url)
        #expect(challenge.previousFailureCount == 0)
        #expect(challenge.proposedCredential == nil)
        #expect(!challenge.isProxy)
        #expect(challenge.head?.statusCode == 401)
        let space = challenge.protectionSpace
        #expect(space.host == "a.test")
        #expect(space.port == 8443)
        #expect(space.protocol == "https")
        #expect(space.realm == "r s")
        #expect(space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic)
        #expect(!space.isProxy())
    }

    @Test("each disposition leads to its step")
    func dispositions() throws {
        struct Own: Error {}
        func step(_ disposition: ChallengeDisposition) throws -> TaskAuthentication.Step {
            var task = makeTask()
            _ = try task.next(after: .unauthorized("Basic realm=a"), to: .test()).asked()
            return task.answer(disposition)
        }
        #expect(try step(.performDefaultHandling).isDelivery)
        #expect(try step(.rejectProtectionSpace).isDelivery)
        #expect(
            try step(.useCredential(.test("Aladdin", "open sesame"))).retried()
                == ["Authorization": "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
        guard case .cancel = try step(.cancel) else { throw Own() }
        guard case .fail(let error) = try step(.fail(Own())), error is Own else { throw Own() }
        var unasked = makeTask()
        #expect(unasked.answer(.useCredential(.test())).isDelivery)
    }

    @Test("a rejected scheme is followed by the next weaker one, and not asked for again")
    func rejection() throws {
        var task = makeTask()
        let head = try ResponseHead.unauthorized("Basic realm=r", Self.digest)
        #expect(try task.next(after: head, to: .test()).asked().scheme == .digest)
        #expect(try task.answer(.rejectProtectionSpace).asked().scheme == .basic)
        _ = try task.answer(.useCredential(.test())).retried()
        let again = try task.next(after: head, to: .test()).asked()
        #expect(again.scheme == .basic)
        #expect(again.previousFailureCount == 1)
        #expect(task.answer(.rejectProtectionSpace).isDelivery)
    }

    @Test("a response that offers only unsupported schemes and algorithms is delivered")
    func unsupported() throws {
        for challenges in [["Negotiate", "NTLM"], ["Digest realm=a, nonce=b, algorithm=x"]] {
            var task = makeTask()
            let fields = challenges.map { ("WWW-Authenticate", $0) }
            #expect(try task.next(after: .test(401, fields), to: .test()).isDelivery)
        }
        var task = makeTask()
        _ = try task.next(after: .unauthorized("Negotiate, Basic realm=a"), to: .test()).asked()
    }

    @Test("a stale nonce is replaced without asking or counting (fault 75)")
    func stale() throws {
        var task = makeTask()
        let request = try AuthenticatedRequest.test()
        _ = try task.next(after: .unauthorized(Self.digest), to: request).asked()
        _ = try task.answer(.useCredential(.test())).retried()
        let stale = "Digest realm=r, nonce=n2, qop=auth, stale=TRUE"
        let value = try task.next(after: .unauthorized(stale), to: request)
            .retried()["Authorization"]
        #expect(value?.digestParameters["nonce"] == "n2")
        #expect(value?.digestParameters["nc"] == "00000001")
        let asked = try task.next(
            after: .unauthorized("Digest realm=r, nonce=n3, qop=auth, stale=false"), to: request
        ).asked()
        #expect(asked.previousFailureCount == 1)
        #expect(asked.proposedCredential?.user == "user")
    }

    @Test("an accepted credential is sent in advance, with a growing count")
    func unasked() throws {
        let request = try AuthenticatedRequest.test()
        try authenticate(Self.digest, request)
        for count in 2...4 {
            var task = makeTask()
            let field = try #require(task.fields(for: request).first)
            #expect(field.name == "Authorization")
            #expect(field.value.digestParameters["nc"] == "0000000\(count)")
            #expect(field.value.digestParameters["nonce"] == "n1")
            #expect(task.next(after: try .test(200), to: request).isDelivery)
        }
        var other = makeTask()
        #expect(other.fields(for: try .test("https://a.test/dir/page")).isEmpty)
        #expect(other.fields(for: try .test(hasOwnAuthorization: true)).isEmpty)
    }

    @Test("a remembered nonce that the server rejects as stale is replaced once without asking")
    func forgottenNonce() throws {
        let request = try AuthenticatedRequest.test()
        try authenticate(Self.digest, request)
        var task = makeTask()
        #expect(task.fields(for: request).count == 1)
        let value = try task.next(
            after: .unauthorized("Digest realm=r, nonce=n2, qop=auth"), to: request
        ).retried()["Authorization"]
        #expect(value?.digestParameters["nonce"] == "n2")
        let asked = try task.next(
            after: .unauthorized("Digest realm=r, nonce=n3, qop=auth"), to: request
        ).asked()
        #expect(asked.previousFailureCount == 1)
        #expect(cache.isEmpty)
    }

    @Test("a remembered Basic credential is forgotten when refused, and the hook is asked")
    func refusedBasic() throws {
        let request = try AuthenticatedRequest.test()
        try authenticate("Basic realm=r", request)
        var task = makeTask()
        #expect(task.fields(for: request).count == 1)
        let asked = try task.next(after: .unauthorized("Basic realm=r"), to: request).asked()
        #expect(asked.previousFailureCount == 1)
        #expect(asked.proposedCredential?.user == "user")
        #expect(cache.isEmpty)
    }

    @Test("a credential accepted for another task is used without asking, unless weaker")
    func otherTasks() throws {
        let request = try AuthenticatedRequest.test()
        var early = makeTask()
        var attacked = makeTask()
        #expect(early.fields(for: request).isEmpty)
        try authenticate(Self.digest, request)
        let fields = try early.next(after: .unauthorized(Self.digest), to: request).retried()
        #expect(fields["Authorization"]?.digestParameters["nc"] == "00000002")
        #expect(
            try early.next(after: .unauthorized(Self.digest), to: request).asked()
                .previousFailureCount == 1)
        try authenticate(Self.digest, .test("http://a.test/"))
        let weaker = try ResponseHead.unauthorized("Basic realm=r")
        #expect(try attacked.next(after: weaker, to: request).asked().scheme == .basic)
    }

    @Test("a nonce that the server gives in advance is used next (nextnonce)")
    func nextNonce() throws {
        let request = try AuthenticatedRequest.test()
        try authenticate(
            Self.digest, request, info: [("Authentication-Info", "nextnonce=\"n2\"")])
        var task = makeTask()
        let value = task.fields(for: request).first?.value.digestParameters
        #expect(value?["nonce"] == "n2")
        #expect(value?["nc"] == "00000001")
    }

    @Test("a wrong proof from the server fails the task")
    func wrongProof() throws {
        var task = makeTask()
        _ = try task.next(after: .unauthorized(Self.digest), to: .test()).asked()
        _ = try task.answer(.useCredential(.test())).retried()
        let head = try ResponseHead.test(
            200, [("Authentication-Info", "rspauth=\"0123\", qop=auth")])
        let reason = try task.next(after: head, to: .test()).failed()
        #expect(reason == .mutualAuthenticationFailed("rspauth does not match"))
        #expect(cache.isEmpty)
    }

    @Test("a challenge for another realm does not count against the credential that was sent")
    func otherRealm() throws {
        let request = try AuthenticatedRequest.test()
        try authenticate("Basic realm=r", request)
        var task = makeTask()
        #expect(task.fields(for: request).count == 1)
        let asked = try task.next(after: .unauthorized("Basic realm=s"), to: request).asked()
        #expect(asked.previousFailureCount == 0)
        #expect(!cache.isEmpty)
    }

    @Test("within a task, a credential is sent after redirects to the same origin only")
    func redirects() throws {
        var task = makeTask()
        _ = try task.next(after: .unauthorized("Basic realm=r"), to: .test()).asked()
        _ = try task.answer(.useCredential(.test("a", "b", .none))).retried()
        #expect(task.next(after: try .test(302), to: try .test()).isDelivery)
        #expect(cache.isEmpty)
        #expect(task.fields(for: try .test("http://a.test/other")).count == 1)
        #expect(task.fields(for: try .test("http://b.test/dir/page")).isEmpty)
        #expect(task.fields(for: try .test()).isEmpty)
    }

    @Test("a credential that cannot be encoded fails the task")
    func invalidCredential() throws {
        var task = makeTask()
        _ = try task.next(after: .unauthorized("Basic realm=r"), to: .test()).asked()
        let step = task.answer(.useCredential(.test("a:b", "hidden")))
        guard case .invalidCredential = try step.failed() else {
            Issue.record("\(step)")
            return
        }
        #expect(!"\(step)".contains("hidden"))
    }

    @Test("descriptions contain neither the password nor the field's value")
    func descriptions() throws {
        var task = makeTask()
        let head = try ResponseHead.unauthorized("Basic realm=r")
        _ = task.next(after: head, to: try .test())
        let retry = task.answer(.useCredential(.test("user", "hidden")))
        let encoded = try #require(try retry.retried()["Authorization"]?.dropFirst(6))
        let ask = task.next(after: head, to: try .test())
        let challenge = try ask.asked()
        #expect(challenge.proposedCredential?.password == "hidden")
        var dumped = ""
        dump(challenge, to: &dumped)
        for text in ["\(retry)", "\(ask)", "\(challenge)", String(reflecting: challenge), dumped] {
            #expect(!text.contains("hidden"))
            #expect(!text.contains(encoded))
        }
    }
}
