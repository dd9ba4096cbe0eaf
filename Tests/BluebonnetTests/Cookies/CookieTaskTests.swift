import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Cookies of tasks", .timeLimit(.minutes(5)))
struct CookieTaskTests {
    /// Runs a task that one response answers, and returns the cookies that it sent.
    @discardableResult
    static func run(
        _ rig: SessionRig,
        _ url: String = "http://a.test/",
        setting cookies: [String] = [],
        _ change: (inout URLRequest) -> Void = { _ in }
    ) async throws -> String? {
        let (exchanges, responses) = (rig.stub.exchanges.count, rig.responses.count)
        try rig.start(url, change)
        let exchange = await rig.stub.exchange(exchanges)
        exchange.replyAtOnce(200, cookies.map { ("Set-Cookie", $0) }, "{}")
        await rig.responses.wait(for: responses + 1)
        return exchange.value(of: "Cookie")
    }

    @Test("what a hop sets is sent with the next, and only to its host, path and scheme (fault 77)")
    func hops() async throws {
        let rig = SessionRig()
        try rig.start("http://a.test/login")
        await rig.stub.exchange().redirect(
            to: "/in/here",
            [
                ("Set-Cookie", "all=1; Path=/"), ("Set-Cookie", "in=2; Path=/in"),
                ("Set-Cookie", "out=3; Path=/out"), ("Set-Cookie", "safe=4; Secure; Path=/"),
                ("Set-Cookie", "other=5; Domain=b.test"),
            ])
        let second = await rig.stub.exchange(1)
        #expect(second.value(of: "Cookie") == "in=2; all=1")
        second.redirect(to: "http://b.test/", [("Set-Cookie", "in=; Max-Age=0; Path=/in")])
        let third = await rig.stub.exchange(2)
        #expect(third.value(of: "Cookie") == nil)
        third.redirect(to: "http://a.test/in/here")
        let last = await rig.stub.exchange(3)
        #expect(last.value(of: "Cookie") == "all=1")
        last.reply()
        await rig.expectOneCompletion()
    }

    @Test("a challenge's and a failed response's cookies are kept too")
    func challenge() async throws {
        let rig = SessionRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        try rig.start()
        await rig.stub.exchange().replyAtOnce(
            401, [("WWW-Authenticate", "Basic realm=r"), ("Set-Cookie", "c=1; Path=/")])
        let next = await rig.stub.exchange(1)
        #expect(next.value(of: "Cookie") == "c=1")
        next.replyAtOnce(500, [("Set-Cookie", "d=2; Path=/")])
        await rig.responses.wait(for: 1)
        #expect(try await Self.run(rig) == "c=1; d=2")
    }

    @Test("a request's own Cookie field wins, and the answer's cookies are kept")
    func own() async throws {
        let rig = SessionRig()
        try await Self.run(rig, setting: ["a=1"])
        let own = try await Self.run(rig, setting: ["b=2"]) {
            $0.setValue("mine=1", forHTTPHeaderField: "cookie")
        }
        #expect(own == "mine=1")
        #expect(try await Self.run(rig) == "a=1; b=2")
    }

    @Test("a request that handles no cookies neither sends nor keeps any, over its hops too")
    func notHandled() async throws {
        let rig = SessionRig()
        try await Self.run(rig, setting: ["a=1"])
        try rig.start("http://a.test/") { $0.httpShouldHandleCookies = false }
        let first = await rig.stub.exchange(1)
        #expect(first.value(of: "Cookie") == nil)
        first.redirect(to: "/b", [("Set-Cookie", "b=2; Path=/")])
        let second = await rig.stub.exchange(2)
        #expect(second.value(of: "Cookie") == nil)
        second.reply()
        await rig.responses.wait(for: 2)
        #expect(try await Self.run(rig) == "a=1")
    }

    @Test("managers share a jar only where they are told to, also through a file")
    func sharing() async throws {
        let storage = CookieStorage()
        let shared = [0, 1].map { _ in SessionRig.configured { $0.cookies = .shared(storage) } }
        let alone = [0, 1].map { _ in SessionRig() }
        let off = SessionRig.configured { $0.cookies = .off }
        for rigs in [shared, alone, [off, off]] {
            try await Self.run(rigs[0], setting: ["a=1; Max-Age=1000"])
            let sent = try await Self.run(rigs[1])
            #expect(sent == (rigs[0] === shared[0] ? "a=1" : nil))
        }
        #expect(shared[0].manager.cookieStorage === storage && off.manager.cookieStorage == nil)
        #expect(alone[0].manager.cookieStorage?.count == 1)

        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("cookies-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try alone[0].manager.cookieStorage?.save(to: file)
        let loaded = try CookieStorage(contentsOf: file)
        let other = SessionRig.configured { $0.cookies = .shared(loaded) }
        #expect(try await Self.run(other) == "a=1")
        #expect(try await Self.run(other, "http://b.test/") == nil)
    }
}
