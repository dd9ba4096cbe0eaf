import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Tasks that a proxy challenges", .timeLimit(.minutes(5)))
struct ProxyChallengeTests {
    static let forwarding = Exchange.Route.Proxy(.http, host: "proxy.test", port: 3128)
    static var tunneling: Exchange.Route.Proxy {
        var proxy = forwarding
        proxy.tunnelsPlainHTTP = true
        return proxy
    }

    private let asked = Recorder<AuthenticationChallenge>()

    private func rig(
        _ route: Exchange.Route,
        answer: ChallengeDisposition = .useCredential(.test("user", "hunter2"))
    ) -> SessionRig {
        let rig = SessionRig.configured { $0.route = route }
        rig.manager.didReceiveChallenge = { [asked] _, challenge in
            asked.add(challenge)
            return answer
        }
        return rig
    }

    private func refuse(_ exchange: ManualTransfer, _ challenge: String = "Basic realm=p") {
        exchange.replyAtOnce(407, [("Proxy-Authenticate", challenge)], "who?")
    }

    @Test("the hook answers a 407 from a forwarding proxy, with Basic and Digest")
    func answered() async throws {
        for (challenge, scheme) in [
            ("Basic realm=p", "Basic "), (#"Digest realm="p", nonce="n", qop="auth""#, "Digest "),
        ] {
            let rig = rig(.init(proxy: Self.forwarding, noProxy: ["b.test"]))
            try rig.start()
            let first = await rig.stub.exchange()
            #expect(first.value(of: "Proxy-Authorization") == nil)
            refuse(first, challenge)
            let next = await rig.stub.exchange(1)
            let sent = try #require(next.value(of: "Proxy-Authorization"))
            #expect(sent.hasPrefix(scheme))
            #expect(next.value(of: "Authorization") == nil)
            if scheme == "Digest " {
                #expect(sent.digestParameters["uri"] == "http://a.test/one/two?q")
            }
            let question = try #require(asked.all.last)
            #expect(question.isProxy)
            #expect(question.host == "proxy.test")
            #expect(question.port == 3128)
            next.reply()
            await rig.expectOneCompletion()
            #expect(await rig.response.error == nil)
        }
    }

    @Test("a proxy's 407 and a server's 401 are answered one after the other")
    func both() async throws {
        let rig = rig(.init(proxy: Self.forwarding))
        try rig.start()
        refuse(await rig.stub.exchange())
        await rig.stub.exchange(1).challenge("Basic realm=s")
        let last = await rig.stub.exchange(2)
        #expect(last.value(of: "Proxy-Authorization") != nil)
        #expect(last.value(of: "Authorization") != nil)
        #expect(asked.all.map(\.isProxy) == [true, false])
        last.reply()
        await rig.expectOneCompletion()
    }

    @Test(
        "a host that is reached directly gets no proxy credentials (fault 74)",
        arguments: [
            ("http://a.test/", .init(proxy: forwarding, noProxy: ["a.test"])),
            ("https://b.test/", .init(proxy: forwarding)),
            ("http://b.test/", .init(proxy: tunneling)),
            ("http://b.test/", .init()),
        ] as [(String, Exchange.Route)]
    )
    func direct(url: String, route: Exchange.Route) async throws {
        let rig = rig(route, answer: .cancel)
        try rig.start(url)
        refuse(await rig.stub.exchange())
        #expect(await rig.response.head?.statusCode == 407)
        await rig.expectOneCompletion()
        #expect(asked.count == 0)
        #expect(rig.stub.exchanges.count == 1)
    }

    @Test("a proxy's credential is sent to it in advance, and to no host behind a redirect")
    func remembered() async throws {
        let rig = rig(.init(proxy: Self.forwarding, noProxy: ["direct.test"]))
        try rig.start()
        refuse(await rig.stub.exchange())
        await rig.stub.exchange(1).redirect(to: "http://www.direct.test/")
        let direct = await rig.stub.exchange(2)
        #expect(direct.value(of: "Proxy-Authorization") == nil)
        direct.redirect(to: "http://other.test/")
        let proxied = await rig.stub.exchange(3)
        #expect(proxied.value(of: "Proxy-Authorization") != nil)
        #expect(proxied.value(of: "Authorization") == nil)
        proxied.reply()
        await rig.expectOneCompletion()
        #expect(asked.count == 1)
    }

    @Test(
        "a Proxy-Authorization field is sent to a forwarding proxy, and to no server (fault 74)",
        arguments: [
            ("http://a.test/", .init(proxy: forwarding), true),
            ("https://a.test/", .init(proxy: forwarding), false),
            ("http://a.test/", .init(proxy: forwarding, noProxy: ["b.test"]), true),
            ("http://a.test/", .init(proxy: forwarding, noProxy: ["test"]), false),
            ("http://a.test/", .init(proxy: tunneling), false),
            ("http://a.test/", .init(), false),
        ] as [(String, Exchange.Route, Bool)]
    )
    func field(url: String, route: Exchange.Route, isSent: Bool) async throws {
        let rig = SessionRig.configured {
            $0.route = route
            $0.additionalHeaders["Proxy-Authorization"] = "Basic configured"
        }
        for value in [nil, "Basic own"] {
            try rig.start(url) { $0.setValue(value, forHTTPHeaderField: "proxy-authorization") }
            let exchange = await rig.stub.exchange(value == nil ? 0 : 1)
            let sent = isSent ? value ?? "Basic configured" : nil
            #expect(exchange.value(of: "Proxy-Authorization") == sent)
            exchange.fail(.cancelled)
        }
    }
}
