import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@testable import Bluebonnet

@Suite("Tasks that are redirected", .timeLimit(.minutes(5)))
struct RedirectTaskTests {
    @Test(
        "the method rules of RFC 9110 section 15.4 decide about method, body and its fields",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
            (303, "DELETE", "GET"), (303, "HEAD", "HEAD"), (302, "PUT", "PUT"),
            (307, "POST", "POST"), (308, "POST", "POST"), (307, "PATCH", "PATCH"),
        ]
    )
    func methods(status: Int, method: String, expected: String) async throws {
        let rig = SessionRig()
        try rig.start {
            $0.httpMethod = method
            if method != "HEAD" { $0.httpBody = Data("body".utf8) }
            $0.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            $0.setValue("x", forHTTPHeaderField: "content-md5")
        }
        await rig.stub.exchange().redirect(status, to: "/b")
        let next = await rig.stub.exchange(1)
        #expect(next.exchange.method == expected)
        let keeps = method == expected
        #expect(next.bodyText == (keeps && method != "HEAD" ? "body" : nil))
        #expect((next.value(of: "Content-Type") != nil) == keeps)
        #expect((next.value(of: "Content-MD5") != nil) == keeps)
        next.reply()
        await rig.expectOneCompletion()
    }

    @Test(
        "places in every form are gone to, or the task says why not (fault 37)",
        arguments: [
            ("b", "http://a.test/one/b"), ("/b", "http://a.test/b"),
            ("?r", "http://a.test/one/two?r"),
            ("//b.test/x", "http://b.test/x"), ("#f", "http://a.test/one/two?q#f"),
            ("/a b", "http://a.test/a%20b"), ("/\u{E4}", "http://a.test/%C3%A4"),
            ("http://\u{E4}.test/", "http://xn--4ca.test/"), ("/%zz", "http://a.test/%25zz"),
            ("/cb?ids[]=1&next=%2Fhome", "http://a.test/cb?ids%5B%5D=1&next=%2Fhome"),
            ("/\u{E9}/a%20b%2", "http://a.test/%C3%A9/a%20b%252"),
            ("/a%23?b|c%20d#e#f%20[", "http://a.test/a%23?b%7Cc%20d#e%23f%20%5B"),
            ("/a%20b#x%20y#z", "http://a.test/a%20b#x%20y%23z"),
            ("//b.test?q=%7C|", "http://b.test?q=%7C%7C"),
            ("http://b.test:80/ %20", "http://b.test:80/%20%20"),
            ("\\\\b.test/", "http://a.test/one/%5C%5Cb.test/"), ("/../../c", "http://a.test/c"),
        ]
    )
    func places(location: String, url: String) async throws {
        let rig = SessionRig()
        try rig.start()
        // Only a cookie makes the request to the same place another one.
        await rig.stub.exchange().redirect(to: location, [("Set-Cookie", "a=1")])
        let next = await rig.stub.exchange(1)
        #expect(next.exchange.url == url)
        next.reply()
        let response = await rig.response
        #expect(response.error == nil && response.head?.url.absoluteString == url)
        await rig.expectOneCompletion()
    }

    @Test(
        "places that cannot be gone to fail the task with the redirect itself (fault 37)",
        arguments: [
            ("http:///x", "no host"), ("http:x", "no host"), ("//", "no host"),
            ("http://[::1", "not a URL"), ("http://a b/", "not a URL"),
            ("http://u:hunter2@b.test/", "user name"), ("//u:hunter2@b.test/", "user name"),
            ("ftp://a.test/", "ftp"), ("file:///etc/passwd", "file"), ("a:b", "scheme"),
        ]
    )
    func refused(location: String, part: String) async throws {
        let rig = SessionRig()
        try rig.start()
        await rig.stub.exchange().redirect(to: location)
        let response = await rig.response
        let error = try #require(response.error)
        guard case .redirect = error else {
            Issue.record("\(error)")
            return
        }
        #expect(error.description.contains(part), "\(error)")
        #expect(!error.description.contains("hunter2"))
        #expect(response.head?.statusCode == 302 && response.data == Data("moved".utf8))
        #expect(response.metrics?.redirectCount == 0)
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == 1)
    }

    @Test("a redirect without a place, or with an empty one, is the response (fault 37)")
    func noPlace() async throws {
        for headers in [[], [("Location", "")]] {
            let rig = SessionRig()
            try rig.start()
            await rig.stub.exchange().replyAtOnce(302, headers, "moved")
            let response = await rig.response
            guard case .unacceptableStatus(302, _) = try #require(response.error) else {
                Issue.record("\(response)")
                continue
            }
            #expect(response.data == Data("moved".utf8))
            await rig.expectOneCompletion()
        }
    }

    @Test("a fragment is inherited over several hops, until a place has its own")
    func fragments() async throws {
        let rig = SessionRig()
        let task = try rig.start("http://a.test/a#%C3%A4%20b")
        for (number, (location, url)) in [
            ("/b", "http://a.test/b#%C3%A4%20b"), ("//b.test?x", "http://b.test?x#%C3%A4%20b"),
            ("/c#own", "http://b.test/c#own"), ("/d", "http://b.test/d#own"),
            ("/e#", "http://b.test/e#"),
        ].enumerated() {
            await rig.stub.exchange(number).redirect(to: location)
            let next = await rig.stub.exchange(number + 1)
            #expect(next.exchange.url == url)
            #expect(task.currentRequest?.url?.absoluteString == url)
        }
        await rig.stub.exchange(5).reply()
        await rig.expectOneCompletion()
    }

    @Test("the twenty-first redirect fails and says so (fault 38)")
    func limit() async throws {
        let rig = SessionRig()
        let task = try rig.start()
        for number in 0..<21 { await rig.stub.exchange(number).redirect(to: "/\(number)") }
        let response = await rig.response
        let error = try #require(response.error)
        #expect(error.description.contains("more than 20 redirects"), "\(error)")
        #expect(response.metrics?.redirectCount == 20)
        #expect(response.metrics?.exchanges.count == 21)
        #expect(response.request?.url?.path == "/19" && task.currentRequest?.url?.path == "/19")
        #expect(task.originalRequest?.url?.path == "/one/two")
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == 21)
    }

    @Test(
        "a circle is noticed at its first repetition, wherever it begins (fault 38)",
        arguments: [
            (["/one/two?q"], 1), (["#f"], 1), (["/b", "/one/two?q"], 2), (["/b", "/c", "/b"], 3),
            (["/b", "/c", "/d", "/c#g"], 4),
        ]
    )
    func circles(locations: [String], exchanges: Int) async throws {
        let rig = SessionRig()
        try rig.start()
        for (number, location) in locations.enumerated() {
            await rig.stub.exchange(number).redirect(to: location)
        }
        let response = await rig.response
        guard case .redirect(let reason, _) = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        #expect(reason.contains("circle") && reason.contains("followsRepeatedRedirects"))
        #expect(response.head?.statusCode == 302)
        #expect(response.metrics?.redirectCount == exchanges - 1)
        await rig.expectOneCompletion()
        #expect(rig.stub.exchanges.count == exchanges)
    }

    @Test("a circle that is configured is followed, to its end or to the most redirects")
    func configuredCircle() async throws {
        let rig = SessionRig.configured {
            $0.followsRepeatedRedirects = true
            $0.maximumRedirects = 5
        }
        try rig.start()
        for number in 0..<5 {
            await rig.stub.exchange(number).redirect(to: number == 4 ? "/b" : "/one/two?q")
        }
        await rig.stub.exchange(5).reply()
        let response = await rig.response
        #expect(response.error == nil && response.metrics?.redirectCount == 5)
        await rig.expectOneCompletion()

        let endless = SessionRig(
            manager: { url, stub in
                var configuration = SessionConfiguration()
                configuration.followsRepeatedRedirects = true
                configuration.maximumRedirects = 5
                return HTTPSessionManager(
                    baseURL: url, configuration: configuration, transport: stub)
            },
            answer: { $0.redirect(to: "/one/two?q") })
        try endless.start()
        let error = try #require(await endless.response.error)
        #expect(error.description.contains("more than 5 redirects"), "\(error)")
        #expect(endless.stub.exchanges.count == 6)
    }

    @Test("a redirect back to the same place is no circle when method, cookie or credential differ")
    func noCircles() async throws {
        let rig = SessionRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        try rig.start { $0.httpMethod = "POST" }
        await rig.stub.exchange().redirect(to: "/one/two?q")
        await rig.stub.exchange(1).redirect(to: "/one/two?q", [("Set-Cookie", "n=1; Path=/")])
        await rig.stub.exchange(2).redirect(to: "/one/two?q", [("Set-Cookie", "n=2; Path=/")])
        await rig.stub.exchange(3).redirect(to: "/login")
        await rig.stub.exchange(4).challenge("Basic realm=r")
        await rig.stub.exchange(5).redirect(to: "/one/two?q")
        let last = await rig.stub.exchange(6)
        #expect(last.exchange.method == "GET" && last.value(of: "Cookie") == "n=2")
        #expect(last.value(of: "Authorization") != nil)
        last.reply()
        #expect(await rig.response.metrics?.redirectCount == 5)
        await rig.expectOneCompletion()
    }

    @Test("https leads to http only where that is configured, and without what is Secure")
    func downgrade() async throws {
        let refusing = SessionRig()
        try refusing.start("https://a.test/")
        await refusing.stub.exchange().redirect(to: "http://a.test/")
        let error = try #require(await refusing.response.error)
        #expect(error.description.contains("followsRedirectsToPlainHTTP"), "\(error)")
        await refusing.expectOneCompletion()
        #expect(refusing.stub.exchanges.count == 1)

        let following = SessionRig.configured { $0.followsRedirectsToPlainHTTP = true }
        try following.start("https://a.test/") {
            $0.setValue("Bearer hunter2", forHTTPHeaderField: "Authorization")
        }
        await following.stub.exchange()
            .redirect(
                to: "http://a.test/", [("Set-Cookie", "s=1; Secure"), ("Set-Cookie", "p=1")])
        let next = await following.stub.exchange(1)
        #expect(next.value(of: "Authorization") == nil && next.value(of: "Cookie") == "p=1")
        next.reply()
        await following.expectOneCompletion()
    }

    @Test("a body beyond the limit fails no redirect that is followed, with a hook or without")
    func tooLarge() async throws {
        let rig = SessionRig.configured { $0.maximumResponseBodySize = 3 }
        let asked = Recorder<Void>()
        rig.manager.taskWillPerformHTTPRedirection = { _, _, request in
            asked.add(())
            return request
        }
        try rig.start()
        await rig.stub.exchange().redirect(to: "/b")
        await rig.stub.exchange(1).reply(200, ["Content-Type": "application/json"], "[]")
        #expect(await rig.response.error == nil)
        await rig.expectOneCompletion()
        #expect(asked.count == 1 && rig.stub.exchanges.count == 2)
    }

    @Test("a redirect that is declined is held to the limit like any response")
    func tooLargeDeclined() async throws {
        let rig = SessionRig.configured { $0.maximumResponseBodySize = 3 }
        rig.manager.taskWillPerformHTTPRedirection = { _, _, _ in nil }
        try rig.start()
        await rig.stub.exchange().redirect(to: "/b")
        #expect(await rig.response.error?.limit == .bodySize)
        await rig.expectOneCompletion()
    }
}
