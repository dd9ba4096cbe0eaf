import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Tasks whose tunnel a proxy refuses", .timeLimit(.minutes(5)))
struct TunnelChallengeTests {
    private static let proxy = Exchange.Route.Proxy(.http, host: "proxy.test", port: 3128)
    private static let digest = #"Digest realm="p", nonce="n", qop="auth""#

    private let asked = Recorder<AuthenticationChallenge>()

    private func rig(
        noProxy: [String] = [],
        answer: @escaping @Sendable (AuthenticationChallenge) -> ChallengeDisposition = { _ in
            .useCredential(.test("user", "hunter2"))
        }
    ) -> SessionRig {
        let rig = SessionRig.configured {
            $0.route = Exchange.Route(proxy: Self.proxy, noProxy: noProxy)
        }
        rig.manager.didReceiveChallenge = { [asked] _, challenge in
            asked.add(challenge)
            return answer(challenge)
        }
        return rig
    }

    private func refuse(_ exchange: ManualTransfer, _ challenges: String..., status: Int = 407) {
        var failure = Exchange.Failure(
            status == 407 ? .userAuthenticationRequired : .cannotConnectToHost,
            message: "no tunnel", proxyStatus: status)
        failure.proxyFields = challenges.map { .init(name: "Proxy-Authenticate", value: $0) }
        exchange.fail(failure)
    }

    @Test("the hook answers a 407 to CONNECT with Basic and Digest, for the proxy only")
    func answered() async throws {
        for (challenge, scheme) in [("Basic realm=p", "Basic "), (Self.digest, "Digest ")] {
            let rig = rig()
            try rig.start("https://a.test/one?q") { $0.httpMethod = "DELETE" }
            let first = await rig.stub.exchange()
            #expect(first.exchange.tunnelAuthorization == nil)
            refuse(first, "Negotiate", challenge)
            let next = await rig.stub.exchange(1)
            let sent = try #require(next.exchange.tunnelAuthorization)
            #expect(sent.hasPrefix(scheme))
            #expect(next.value(of: "Proxy-Authorization") == nil)
            #expect(next.value(of: "Authorization") == nil)
            if scheme == "Digest " {
                // RFC 7616 section 3.4.2, for the CONNECT request.
                let parameters = sent.digestParameters
                let md5 = try #require(DigestAlgorithm(name: "MD5"))
                #expect(parameters["uri"] == "a.test:443")
                let key = try md5.hash("user:p:hunter2")
                let action = try md5.hash("CONNECT:a.test:443")
                let nonces = "n:\(parameters["nc"] ?? ""):\(parameters["cnonce"] ?? "")"
                let proof = try md5.hash("\(key):\(nonces):auth:\(action)")
                #expect(parameters["response"] == proof)
            }
            let question = try #require(asked.all.last)
            #expect(question.isProxy)
            #expect(question.host == "proxy.test" && question.port == 3128)
            #expect(question.url.absoluteString == "https://a.test/one?q")
            #expect(question.head?.statusCode == 407)
            #expect(question.head?.requestMethod == "CONNECT")
            #expect(question.offeredSchemes.count == 2)
            next.reply()
            await rig.expectOneCompletion()
            #expect(await rig.response.error == nil)
        }
    }

    @Test("a proxy's 407 and then the 401 of the server behind it are both answered")
    func both() async throws {
        let rig = rig()
        try rig.start("https://a.test/")
        refuse(await rig.stub.exchange(), Self.digest)
        await rig.stub.exchange(1).challenge("Basic realm=s")
        let last = await rig.stub.exchange(2)
        #expect(last.exchange.tunnelAuthorization?.digestParameters["nc"] == "00000002")
        #expect(last.value(of: "Proxy-Authorization") == nil)
        #expect(last.value(of: "Authorization")?.hasPrefix("Basic ") == true)
        #expect(asked.all.map(\.isProxy) == [true, false])
        last.reply()
        await rig.expectOneCompletion()
    }

    @Test("without an answer, the failure says that the tunnel was not opened")
    func unanswered() async throws {
        let hookless = SessionRig.configured { $0.route = Exchange.Route(proxy: Self.proxy) }
        for (rig, challenge, status) in [
            (hookless, Self.digest, 407),
            (rig { _ in .performDefaultHandling }, Self.digest, 407),
            (rig { _ in .rejectProtectionSpace }, Self.digest, 407),
            (rig(), "Negotiate", 407), (rig(), #"Digest realm="p""#, 407),
            (rig(), Self.digest, 502),
        ] {
            try rig.start("https://a.test/")
            refuse(await rig.stub.exchange(), challenge, status: status)
            guard case .transport(let failure, _) = await rig.response.error else {
                Issue.record("\(challenge): \(await rig.response.result)")
                continue
            }
            #expect(failure.proxyStatus == status)
            await rig.expectOneCompletion()
            #expect(rig.stub.exchanges.count == 1)
        }
        #expect(asked.count == 2)
    }

    @Test("after a refusal the hook is asked again, and three refusals are an error")
    func refusedLogins() async throws {
        let rig = rig()
        try rig.start("https://a.test/")
        for number in 0...3 { refuse(await rig.stub.exchange(number), "Basic realm=p") }
        let error = try #require(await rig.response.error)
        #expect(error.urlError.code == .userAuthenticationRequired)
        #expect("\(error)".contains(#"the proxy "proxy.test": it refused 3 credentials"#))
        #expect(asked.all.map(\.previousFailureCount) == [0, 1, 2])
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == 4)
    }

    @Test("a stale nonce is renewed without asking, also for a remembered credential")
    func stale() async throws {
        let rig = rig()
        try rig.start("https://a.test/")
        refuse(await rig.stub.exchange(), Self.digest)
        refuse(
            await rig.stub.exchange(1), #"Digest realm="p", nonce="m", qop="auth", stale=true"#)
        let renewed = await rig.stub.exchange(2)
        #expect(renewed.exchange.tunnelAuthorization?.digestParameters["nonce"] == "m")
        renewed.reply()
        await rig.expectOneCompletion()
        try rig.start("https://b.test/")
        let unasked = await rig.stub.exchange(3)
        #expect(unasked.exchange.tunnelAuthorization?.digestParameters["nc"] == "00000002")
        #expect(unasked.exchange.tunnelAuthorization?.digestParameters["uri"] == "b.test:443")
        refuse(unasked, #"Digest realm="p", nonce="o", qop="auth""#)
        let last = await rig.stub.exchange(4)
        #expect(last.exchange.tunnelAuthorization?.digestParameters["nonce"] == "o")
        last.reply()
        #expect(asked.count == 1)
    }

    @Test("a credential serves tunnels and forwarded requests, and never passes the proxy")
    func remembered() async throws {
        let rig = rig(noProxy: ["direct.test"])
        try rig.start("https://a.test/")
        refuse(await rig.stub.exchange(), "Basic realm=p")
        await rig.stub.exchange(1).redirect(to: "https://direct.test/")
        let direct = await rig.stub.exchange(2)
        #expect(direct.exchange.tunnelAuthorization == nil)
        #expect(direct.value(of: "Proxy-Authorization") == nil)
        direct.redirect(to: "https://b.test/")
        let tunneled = await rig.stub.exchange(3)
        #expect(tunneled.exchange.tunnelAuthorization != nil)
        #expect(tunneled.value(of: "Proxy-Authorization") == nil)
        tunneled.reply()
        await rig.expectOneCompletion()
        try rig.start("http://a.test/")
        let forwarded = await rig.stub.exchange(4)
        #expect(forwarded.exchange.tunnelAuthorization == nil)
        #expect(forwarded.value(of: "Proxy-Authorization") != nil)
        forwarded.reply()
        #expect(asked.count == 1)
    }

    @Test("each credential has its own connections, except for forwarded requests")
    func pools() async throws {
        let rig = rig { challenge in
            .useCredential(.test(challenge.url.host ?? "", "hunter2", .none))
        }
        var pools: [Exchange.Pool] = []
        for (number, url) in ["https://a.test/", "https://b.test/", "https://a.test/"].enumerated()
        {
            try rig.start(url)
            let first = await rig.stub.exchange(2 * number)
            refuse(first, "Basic realm=p")
            let second = await rig.stub.exchange(2 * number + 1)
            pools += [first.exchange.pool, second.exchange.pool]
            second.reply()
            #expect(await rig.responses.wait(for: number + 1).last?.error == nil)
        }
        #expect(pools[0] === pools[2] && pools[0] === pools[4])
        #expect(pools[1] !== pools[0] && pools[3] !== pools[0])
        #expect(pools[1] !== pools[3] && pools[1] === pools[5])
        #expect(pools[1].route == pools[0].route)
        try rig.start("http://a.test/")
        await rig.stub.exchange(6).replyAtOnce(407, [("Proxy-Authenticate", "Basic realm=p")])
        let forwarded = await rig.stub.exchange(7)
        #expect(forwarded.value(of: "Proxy-Authorization") != nil)
        #expect(forwarded.exchange.pool === pools[0])
        forwarded.reply()
    }

    @Test("a body that can be read only once is sent through the authenticated tunnel")
    func streamedBody() async throws {
        let rig = rig()
        let questions = Recorder<Int>()
        rig.manager.taskNeedsNewBodyStream = { _ in
            questions.add(1)
            return nil
        }
        try rig.start("https://a.test/") {
            $0.httpMethod = "POST"
            $0.httpBodyStream = InputStream(data: Data("once".utf8))
        }
        refuse(await rig.stub.exchange(), "Basic realm=p")
        let next = await rig.stub.exchange(1)
        #expect(next.bodyText == "once")
        next.reply()
        await rig.expectOneCompletion()
        #expect(await rig.response.error == nil)
        #expect(questions.count == 0)
    }

    @Test("proxy fields from the server behind a tunnel are ignored")
    func impostor() async throws {
        let rig = rig()
        try rig.start("https://a.test/")
        refuse(await rig.stub.exchange(), Self.digest)
        let info = ("Proxy-Authentication-Info", #"rspauth="0", nextnonce="theirs""#)
        await rig.stub.exchange(1).replyAtOnce(
            407, [("Proxy-Authenticate", "Basic realm=p"), info])
        #expect(await rig.response.head?.statusCode == 407)
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == 2)
        try rig.start("https://a.test/")
        let next = await rig.stub.exchange(2)
        #expect(next.exchange.tunnelAuthorization?.digestParameters["nonce"] == "n")
        next.reply()
    }
}
