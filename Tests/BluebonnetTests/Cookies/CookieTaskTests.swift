import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Cookies of tasks", .timeLimit(.minutes(5)))
struct CookieTaskTests {
    /// Runs a task with one response and returns the cookies that it sent.
    @discardableResult
    private static func run(
        _ rig: StubRig,
        _ url: String = "http://a.test/",
        setting cookies: [String] = [],
        _ change: (inout URLRequest) -> Void = { _ in }
    ) async throws -> String? {
        let (requests, responses) = (rig.stub.requests.count, rig.responses.count)
        let route = rig.stub.on(
            "/**", cookies.reduce(.good) { $0.header("Set-Cookie", $1) })
        try rig.start(url, change)
        await rig.responses.wait(for: responses + 1)
        rig.stub.remove(route)
        #expect(rig.stub.requests.count == requests + 1)
        return route.requests.last?.headers["Cookie"]
    }

    @Test("a hop's cookies are sent with the next, only to their host, path and scheme (fault 77)")
    func hops() async throws {
        let rig = StubRig()
        rig.answer(
            .moved(
                to: "/in/here",
                [
                    ("Set-Cookie", "all=1; Path=/"), ("Set-Cookie", "in=2; Path=/in"),
                    ("Set-Cookie", "out=3; Path=/out"), ("Set-Cookie", "safe=4; Secure; Path=/"),
                    ("Set-Cookie", "other=5; Domain=b.test"),
                ]),
            .moved(to: "http://b.test/", [("Set-Cookie", "in=; Max-Age=0; Path=/in")]),
            .moved(to: "http://a.test/in/here"), .good)
        try rig.start("http://a.test/login")
        await rig.expectOneCompletion()
        #expect(
            rig.stub.requests.map { $0.headers["Cookie"] } == [nil, "in=2; all=1", nil, "all=1"])
    }

    @Test("cookies of challenges and of failed responses are kept")
    func challenge() async throws {
        let rig = StubRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        rig.answer(
            .challenge("Basic realm=r").header("Set-Cookie", "c=1; Path=/"),
            .status(500).header("Set-Cookie", "d=2; Path=/"), .good)
        try rig.start()
        await rig.responses.wait(for: 1)
        try rig.start("http://a.test/")
        await rig.responses.wait(for: 2)
        #expect(rig.stub.requests.map { $0.headers["Cookie"] } == [nil, "c=1", "c=1; d=2"])
    }

    @Test("a request's own Cookie field wins, and the response's cookies are kept")
    func own() async throws {
        let rig = StubRig()
        try await Self.run(rig, setting: ["a=1"])
        let own = try await Self.run(rig, setting: ["b=2"]) {
            $0.setValue("mine=1", forHTTPHeaderField: "cookie")
        }
        #expect(own == "mine=1")
        #expect(try await Self.run(rig) == "a=1; b=2")
    }

    @Test("a request without cookie handling neither sends nor keeps any, over all its hops")
    func notHandled() async throws {
        let rig = StubRig()
        try await Self.run(rig, setting: ["a=1"])
        let route = rig.stub.on(
            "/**", .moved(to: "/b", [("Set-Cookie", "b=2; Path=/")]), .good)
        try rig.start("http://a.test/") { $0.httpShouldHandleCookies = false }
        await rig.responses.wait(for: 2)
        rig.stub.remove(route)
        #expect(route.requests.map { $0.headers["Cookie"] } == [nil, nil])
        #expect(try await Self.run(rig) == "a=1")
    }

    @Test("cookies expire on the session's clock")
    func expiry() async throws {
        let clock = ManualClock()
        let rig = StubRig(clock: clock)
        try await Self.run(rig, setting: ["a=1; Max-Age=60", "b=2; Max-Age=61", "c=3"])
        await clock.advance(by: .milliseconds(59_999))
        #expect(try await Self.run(rig) == "a=1; b=2; c=3")
        await clock.advance(by: .milliseconds(1))
        #expect(try await Self.run(rig) == "b=2; c=3")
        await clock.advance(by: .seconds(1))
        #expect(try await Self.run(rig) == "c=3")
    }

    @Test("managers share a jar only on request, also through a file")
    func sharing() async throws {
        let storage = CookieStorage()
        // Cookies from a file expire by the system's date.
        let clock = ManualClock(startingAt: Date())
        func rig(_ cookies: CookieHandling) -> StubRig {
            StubRig(clock: clock) { $0.cookies = cookies }
        }
        let shared = [rig(.shared(storage)), rig(.shared(storage))]
        let alone = [StubRig(clock: clock), StubRig(clock: clock)]
        let off = rig(.off)
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
        let other = rig(.shared(loaded))
        #expect(try await Self.run(other) == "a=1")
        #expect(try await Self.run(other, "http://b.test/") == nil)
    }
}
