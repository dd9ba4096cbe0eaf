import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Secrets stay with their origin", .timeLimit(.minutes(5)))
struct RedirectSecretsTests {
    static let names = ["Authorization", "Cookie", "Proxy-Authorization", "Cookie2"]
    /// No server gets what is meant for a proxy.
    static let sent = ["Authorization", "Cookie", "Cookie2"]
    static let others = [
        "http://b.test/", "http://a.test:81/", "https://a.test/", "http://b.a.test/",
        "http://a.test.b.test/", "//b.test:80/x",
    ]

    static func setSecrets(_ request: inout URLRequest) {
        for name in names { request.setValue("hunter2", forHTTPHeaderField: name) }
        request.setValue("vhost.test", forHTTPHeaderField: "Host")
        request.setValue("kept", forHTTPHeaderField: "X-Own")
    }

    /// The secrets that an exchange sends, whatever field they are in.
    static func secrets(of transfer: ManualTransfer) -> [String] {
        transfer.exchange.fields.filter { $0.value.contains("hunter2") }.map(\.name).sorted()
    }

    @Test(
        "a request's secrets and Host follow within the origin alone (fault 39)", arguments: others)
    func request(location: String) async throws {
        let rig = SessionRig.configured { $0.followsRedirectsToPlainHTTP = true }
        try rig.start { Self.setSecrets(&$0) }
        await rig.stub.exchange().redirect(to: "/b")
        let same = await rig.stub.exchange(1)
        #expect(Self.secrets(of: same) == Self.sent)
        #expect(same.value(of: "Host") == "vhost.test")
        same.redirect(to: location)
        let other = await rig.stub.exchange(2)
        #expect(Self.secrets(of: other) == [] && other.value(of: "Host") == nil)
        #expect(other.value(of: "X-Own") == "kept")
        // They do not come back either.
        other.redirect(to: "http://a.test/back")
        let back = await rig.stub.exchange(3)
        #expect(Self.secrets(of: back) == [])
        back.reply()
        await rig.expectOneCompletion()
    }

    @Test("a manager's secrets go where requests lead, and not where redirects do (fault 74)")
    func additional() async throws {
        let rig = SessionRig.configured {
            for name in Self.names { $0.additionalHeaders[name] = "hunter2" }
            $0.additionalHeaders["Host"] = "vhost.test"
            $0.additionalHeaders["X-Own"] = "kept"
        }
        try rig.start()
        await rig.stub.exchange().redirect(to: "/b")
        let same = await rig.stub.exchange(1)
        #expect(Self.secrets(of: same) == Self.sent)
        same.redirect(to: "http://b.test/")
        let other = await rig.stub.exchange(2)
        #expect(Self.secrets(of: other) == [] && other.value(of: "Host") == nil)
        #expect(other.value(of: "X-Own") == "kept" && other.value(of: "User-Agent") != nil)
        other.redirect(to: "http://a.test/back")
        let back = await rig.stub.exchange(3)
        #expect(Self.secrets(of: back) == [])
        back.reply()
        // Another task of the same manager begins with them anew.
        try rig.start("http://b.test/")
        #expect(Self.secrets(of: await rig.stub.exchange(4)) == Self.sent)
        await rig.stub.exchange(4).reply()
        await rig.responses.wait(for: 2)
    }

    @Test("fields that are named like secrets, and those that a manager names, stay too (fault 39)")
    func named() async throws {
        let rig = SessionRig.configured {
            $0.headersBoundToOrigin = ["x-customer"]
            $0.additionalHeaders["X-Vault-Token"] = "hunter2"
            $0.additionalHeaders["X-Customer"] = "hunter2"
        }
        try rig.start {
            for name in ["X-Api-Key", "X-Session-Id", "Referer", "Dpop"] {
                $0.setValue("hunter2", forHTTPHeaderField: name)
            }
            $0.setValue("once", forHTTPHeaderField: "Idempotency-Key")
        }
        let first = await rig.stub.exchange()
        let sent = ["Dpop", "Referer", "X-Api-Key", "X-Customer", "X-Session-Id", "X-Vault-Token"]
        #expect(Self.secrets(of: first) == sent)
        first.redirect(307, to: "/b")
        #expect(Self.secrets(of: await rig.stub.exchange(1)) == sent)
        await rig.stub.exchange(1).redirect(307, to: "http://b.test/")
        let other = await rig.stub.exchange(2)
        #expect(Self.secrets(of: other) == [])
        #expect(other.value(of: "Idempotency-Key") == "once")
        other.reply()
        await rig.expectOneCompletion()
    }

    @Test("what a manager names never follows, also where credentials do")
    func bound() async throws {
        let rig = SessionRig.configured {
            $0.keepsCredentialsAcrossOrigins = true
            $0.headersBoundToOrigin = ["X-Customer"]
        }
        try rig.start {
            $0.setValue("hunter2", forHTTPHeaderField: "x-customer")
            $0.setValue("hunter2", forHTTPHeaderField: "X-Api-Key")
        }
        await rig.stub.exchange().redirect(to: "http://b.test/")
        let other = await rig.stub.exchange(1)
        #expect(Self.secrets(of: other).map { $0.lowercased() } == ["x-api-key"])
        other.reply()
        await rig.expectOneCompletion()
    }

    @Test("a manager that keeps credentials sends them on, but never another's Host")
    func kept() async throws {
        let rig = SessionRig.configured {
            $0.keepsCredentialsAcrossOrigins = true
            $0.additionalHeaders["Proxy-Authorization"] = "hunter2"
        }
        try rig.start {
            $0.setValue("hunter2", forHTTPHeaderField: "authorization")
            $0.setValue("vhost.test", forHTTPHeaderField: "Host")
        }
        await rig.stub.exchange().redirect(to: "http://b.test/")
        let other = await rig.stub.exchange(1)
        #expect(Self.secrets(of: other) == ["Authorization"])
        #expect(other.value(of: "Host") == nil)
        other.reply()
        await rig.expectOneCompletion()
    }

    @Test(
        "a hook that goes elsewhere takes no secrets along, except what it sets itself (fault 39)")
    func hook() async throws {
        let rig = SessionRig.configured { $0.additionalHeaders["Cookie2"] = "hunter2" }
        rig.manager.taskWillPerformHTTPRedirection = { _, head, request in
            var request = request
            switch head.url.path {
            case "/one/two": request.url = URL(string: "http://b.test/elsewhere")
            case "/elsewhere": request.url = URL(string: "http://a.test/back")
            default: request.setValue("chosen", forHTTPHeaderField: "Authorization")
            }
            return request
        }
        try rig.start { Self.setSecrets(&$0) }
        await rig.stub.exchange().redirect(to: "/b")
        let other = await rig.stub.exchange(1)
        #expect(other.exchange.url == "http://b.test/elsewhere")
        #expect(Self.secrets(of: other) == [] && other.value(of: "Host") == nil)
        other.redirect(to: "/c")
        let back = await rig.stub.exchange(2)
        #expect(back.exchange.url == "http://a.test/back" && Self.secrets(of: back) == [])
        back.redirect(to: "http://c.test/")
        let last = await rig.stub.exchange(3)
        #expect(last.value(of: "Authorization") == "chosen" && Self.secrets(of: last) == [])
        last.reply()
        await rig.expectOneCompletion()
    }

    @Test(
        "credentials from a challenge and cookies of the jar never reach another origin (fault 74)")
    func challenge() async throws {
        let rig = SessionRig.configured { $0.followsRedirectsToPlainHTTP = true }
        rig.manager.didReceiveChallenge = { _, challenge in
            challenge.host == "a.test"
                ? .useCredential(.test("user", "hunter2")) : .performDefaultHandling
        }
        try rig.start()
        await rig.stub.exchange().challenge("Basic realm=r")
        let answered = await rig.stub.exchange(1)
        #expect(answered.value(of: "Authorization")?.hasPrefix("Basic ") == true)
        answered.redirect(to: "http://a.test:81/", [("Set-Cookie", "jar=1; Path=/")])
        for (number, location) in ["https://a.test/", "http://b.test/", "http://a.test/one/b"]
            .enumerated()
        {
            let other = await rig.stub.exchange(2 + number)
            #expect(other.value(of: "Authorization") == nil)
            #expect((other.value(of: "Cookie") == nil) == other.exchange.url.contains("b.test"))
            other.redirect(to: location)
        }
        // Back at the origin that accepted it, it is known again.
        let back = await rig.stub.exchange(5)
        #expect(back.value(of: "Authorization") == answered.value(of: "Authorization"))
        back.reply()
        await rig.expectOneCompletion()
    }
}
