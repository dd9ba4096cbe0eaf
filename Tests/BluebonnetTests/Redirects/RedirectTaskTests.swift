import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Redirected tasks", .timeLimit(.minutes(5)))
struct RedirectTaskTests {
    @Test(
        "RFC 9110 section 15.4 determines method, body and body fields",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
            (303, "DELETE", "GET"), (303, "HEAD", "HEAD"), (302, "PUT", "PUT"),
            (307, "POST", "POST"), (308, "POST", "POST"), (307, "PATCH", "PATCH"),
        ]
    )
    func methods(status: Int, method: String, expected: String) async throws {
        let rig = StubRig()
        rig.answer(.moved(status, to: "/b"), .good)
        try rig.start {
            $0.httpMethod = method
            if method != "HEAD" { $0.httpBody = Data("body".utf8) }
            $0.setValue("text/plain", forHTTPHeaderField: "Content-Type")
            $0.setValue("x", forHTTPHeaderField: "content-md5")
        }
        await rig.expectOneCompletion()
        let next = try #require(rig.stub.requests.last)
        #expect(next.method.rawValue == expected)
        let keeps = method == expected
        let body = keeps && method != "HEAD" ? Data("body".utf8) : nil
        #expect(next.body == body ?? Data())
        #expect(await rig.response.request?.httpBody == body)
        #expect((next.headers["Content-Type"] != nil) == keeps)
        #expect((next.headers["Content-MD5"] != nil) == keeps)
    }

    @Test(
        "locations in every form are followed, or the task fails with the reason (fault 37)",
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
        let rig = StubRig()
        // Without a cookie, the request to the same URL would be a repetition.
        rig.answer(.moved(to: location, [("Set-Cookie", "a=1")]), .good)
        try rig.start()
        let response = await rig.response
        #expect(rig.stub.requests.dropFirst().map(\.url.absoluteString) == [url])
        #expect(response.error == nil && response.head?.url.absoluteString == url)
        await rig.expectOneCompletion()
    }

    @Test(
        "invalid locations fail the task with the redirect response (fault 37)",
        arguments: [
            ("http:///x", "no host"), ("http:x", "no host"), ("//", "no host"),
            ("http://[::1", "not a URL"), ("http://a b/", "not a URL"),
            ("http://u:hunter2@b.test/", "user name"), ("//u:hunter2@b.test/", "user name"),
            ("ftp://a.test/", "ftp"), ("file:///etc/passwd", "file"), ("a:b", "scheme"),
        ]
    )
    func refused(location: String, part: String) async throws {
        let rig = StubRig()
        rig.answer(.moved(to: location))
        try rig.start()
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
        #expect(rig.stub.requests.count == 1)
    }

    @Test("a redirect with an empty Location or without one is the response (fault 37)")
    func noPlace() async throws {
        for location in [nil, ""] {
            let rig = StubRig()
            rig.answer(.moved(to: location))
            try rig.start()
            let response = await rig.response
            guard case .unacceptableStatus(302, _) = try #require(response.error) else {
                Issue.record("\(response)")
                continue
            }
            #expect(response.data == Data("moved".utf8))
            await rig.expectOneCompletion()
        }
    }

    @Test("a fragment is inherited over several hops until a Location has one")
    func fragments() async throws {
        let places = [
            ("/b", "http://a.test/b#%C3%A4%20b"), ("//b.test?x", "http://b.test?x#%C3%A4%20b"),
            ("/c#own", "http://b.test/c#own"), ("/d", "http://b.test/d#own"),
            ("/e#", "http://b.test/e#"),
        ]
        let rig = StubRig()
        let currentURLs = Recorder<String?>()
        rig.stub.on("/**") { [weak manager = rig.manager] request in
            currentURLs.add(manager?.tasks.first?.currentRequest?.url?.absoluteString)
            let number = request.number - 1
            return number < places.count ? .moved(to: places[number].0) : .good
        }
        let first = "http://a.test/a#%C3%A4%20b"
        try rig.start(first)
        await rig.expectOneCompletion()
        let urls = [first] + places.map(\.1)
        #expect(rig.stub.requests.map(\.url.absoluteString) == urls)
        #expect(currentURLs.all == urls)
    }

    @Test(
        "a POST is redirected as GET or POST, depending on the status code",
        arguments: [
            (301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST"),
        ])
    func posts(status: Int, method: String) async throws {
        let rig = StubRig()
        rig.stub.on(.post, "/from", .redirect(to: "/echo", status: status))
        rig.stub.on("/echo") { .json(["method": $0.method.rawValue, "body": $0.text]) }
        let seen = try await rig.manager.post(
            "from", parameters: ["k": "v"], as: [String: String].self)
        #expect(seen == ["method": method, "body": method == "POST" ? "k=v" : ""])
    }

    @Test("redirects are followed to the end")
    func followed() async throws {
        let rig = StubRig()
        rig.answer(.moved(to: "/2"), .moved(to: "/1"), .moved(to: "/0"), .text("the end"))
        let data = try await rig.manager.data(
            for: URLRequest(url: #require(rig.manager.url(for: "3"))))
        #expect(data == Data("the end".utf8))
        #expect(rig.stub.requests.map(\.path) == ["/3", "/2", "/1", "/0"])
    }

    @Test("twenty redirects are followed, and twenty-one are not")
    func twenty() async throws {
        let rig = StubRig()
        rig.stub.on("/redirect/:count") { request in
            let count = request.parameters["count"].flatMap { Int($0) } ?? 0
            return count == 0 ? .good : .redirect(to: "/redirect/\(count - 1)")
        }
        let url = { (count: Int) in
            try #require(rig.manager.url(for: "redirect/\(count)"))
        }
        #expect(try await !rig.manager.data(for: URLRequest(url: url(20))).isEmpty)
        let error = await #expect(throws: BluebonnetError.self) {
            try await rig.manager.data(for: URLRequest(url: url(21)))
        }
        guard case .redirect? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("the twenty-first redirect fails with the reason (fault 38)")
    func limit() async throws {
        let rig = StubRig()
        rig.stub.on("/**") { .moved(to: "/\($0.number - 1)") }
        let task = try rig.start()
        let response = await rig.response
        let error = try #require(response.error)
        #expect(error.description.contains("more than 20 redirects"), "\(error)")
        #expect(response.metrics?.redirectCount == 20)
        #expect(response.metrics?.exchanges.count == 21)
        #expect(response.request?.url?.path == "/19" && task.currentRequest?.url?.path == "/19")
        #expect(task.originalRequest?.url?.path == "/one/two")
        await rig.expectOneCompletion()
        #expect(rig.stub.requests.count == 21)
    }

    @Test(
        "a loop is detected at its first repetition, wherever it starts (fault 38)",
        arguments: [
            (["/one/two?q"], 1), (["#f"], 1), (["/b", "/one/two?q"], 2), (["/b", "/c", "/b"], 3),
            (["/b", "/c", "/d", "/c#g"], 4),
        ]
    )
    func circles(locations: [String], exchanges: Int) async throws {
        let rig = StubRig()
        rig.answer(locations.map { .moved(to: $0) })
        try rig.start()
        let response = await rig.response
        guard case .redirect(let reason, _) = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        #expect(reason.contains("circle") && reason.contains("followsRepeatedRedirects"))
        #expect(response.head?.statusCode == 302)
        #expect(response.metrics?.redirectCount == exchanges - 1)
        await rig.expectOneCompletion()
        #expect(rig.stub.requests.count == exchanges)
    }

    @Test("with repeated redirects allowed, a loop is followed to its end or the limit")
    func configuredCircle() async throws {
        func rig() -> StubRig {
            StubRig {
                $0.followsRepeatedRedirects = true
                $0.maximumRedirects = 5
            }
        }
        let ending = rig()
        ending.stub.on("/b", .good)
        ending.stub.on("/one/two") { .moved(to: $0.number == 5 ? "/b" : "/one/two?q") }
        try ending.start()
        let response = await ending.response
        #expect(response.error == nil && response.metrics?.redirectCount == 5)
        await ending.expectOneCompletion()

        let endless = rig()
        endless.stub.on("/one/two", .moved(to: "/one/two?q"))
        try endless.start()
        let error = try #require(await endless.response.error)
        #expect(error.description.contains("more than 5 redirects"), "\(error)")
        #expect(endless.stub.requests.count == 6)
    }

    @Test("a redirect to the same URL with another method, cookie or credential is no loop")
    func noCircles() async throws {
        let rig = StubRig()
        rig.manager.didReceiveChallenge = { _, _ in .useCredential(.test()) }
        rig.answer(
            .moved(to: "/one/two?q"),
            .moved(to: "/one/two?q", [("Set-Cookie", "n=1; Path=/")]),
            .moved(to: "/one/two?q", [("Set-Cookie", "n=2; Path=/")]),
            .moved(to: "/login"), .unauthorized("Basic realm=r"), .moved(to: "/one/two?q"), .good)
        try rig.start { $0.httpMethod = "POST" }
        #expect(await rig.response.metrics?.redirectCount == 5)
        await rig.expectOneCompletion()
        let last = try #require(rig.stub.requests.last)
        #expect(last.number == 7)
        #expect(last.method == .get && last.headers["Cookie"] == "n=2")
        #expect(last.headers["Authorization"] != nil)
    }

    @Test("https leads to http only if configured, without Secure cookies")
    func downgrade() async throws {
        let refusing = StubRig()
        refusing.answer(.moved(to: "http://a.test/"))
        try refusing.start("https://a.test/")
        let error = try #require(await refusing.response.error)
        #expect(error.description.contains("followsRedirectsToPlainHTTP"), "\(error)")
        await refusing.expectOneCompletion()
        #expect(refusing.stub.requests.count == 1)

        let following = StubRig { $0.followsRedirectsToPlainHTTP = true }
        following.answer(
            .moved(
                to: "http://a.test/", [("Set-Cookie", "s=1; Secure"), ("Set-Cookie", "p=1")]),
            .good)
        try following.start("https://a.test/") {
            $0.setValue("Bearer hunter2", forHTTPHeaderField: "Authorization")
        }
        await following.expectOneCompletion()
        let requests = following.stub.requests
        #expect(requests.map(\.url.scheme) == ["https", "http"])
        #expect(requests.map { $0.headers["Authorization"] } == ["Bearer hunter2", nil])
        #expect(requests.map { $0.headers["Cookie"] } == [nil, "p=1"])
    }

    @Test("a redirect whose body exceeds the limit is still followed, with or without a hook")
    func tooLarge() async throws {
        let rig = StubRig { $0.maximumResponseBodySize = 3 }
        let asked = Recorder<Void>()
        rig.manager.taskWillPerformHTTPRedirection = { _, _, request in
            asked.add(())
            return request
        }
        rig.answer(.moved(to: "/b"), .text("[]", type: "application/json"))
        try rig.start()
        #expect(await rig.response.error == nil)
        await rig.expectOneCompletion()
        #expect(asked.count == 1 && rig.stub.requests.count == 2)
    }

    @Test("the limit applies to a declined redirect as to any response")
    func tooLargeDeclined() async throws {
        let rig = StubRig { $0.maximumResponseBodySize = 3 }
        rig.manager.taskWillPerformHTTPRedirection = { _, _, _ in nil }
        rig.answer(.moved(to: "/b"))
        try rig.start()
        #expect(await rig.response.error?.limit == .bodySize)
        await rig.expectOneCompletion()
    }
}
