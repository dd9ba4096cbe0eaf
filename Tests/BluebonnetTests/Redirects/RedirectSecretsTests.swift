import BluebonnetTesting
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

import Bluebonnet

@Suite("Secrets stay with their origin", .timeLimit(.minutes(5)))
struct RedirectSecretsTests {
    static let names = ["Authorization", "Cookie", "Proxy-Authorization", "Cookie2"]
    /// Servers never get proxy fields.
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

    /// Returns the names of the header fields with secrets that a request sends.
    static func secrets(of request: StubRequest) -> [String] {
        request.headers.fields.filter { $0.value.contains("hunter2") }.map(\.name).sorted()
    }

    /// Returns the received requests, whose number must be as expected.
    static func requests(to rig: StubRig, _ count: Int) throws -> [StubRequest] {
        let requests = rig.stub.requests
        try #require(requests.count == count, "\(requests)")
        return requests
    }

    @Test("secrets are sent to the same port only")
    func ports() async throws {
        let rig = StubRig()
        rig.stub.on("http://a.test/same", .redirect(to: "/echo", status: 307))
        rig.stub.on("http://a.test/other", .redirect(to: "http://a.test:81/echo", status: 307))
        rig.stub.on("/echo", .good)
        for path in ["same", "other"] {
            let headers: HTTPHeaders = ["Authorization": "Bearer secret", "Cookie": "a=b"]
            try await rig.manager.post(
                "http://a.test/\(path)", parameters: ["k": "v"], headers: headers)
        }
        let requests = try Self.requests(to: rig, 4)
        #expect(requests.map { $0.url.port ?? 80 } == [80, 80, 80, 81])
        let own = "Bearer secret"
        #expect(requests.map { $0.headers["Authorization"] } == [own, own, own, nil])
        #expect(requests.map { $0.headers["Cookie"] } == ["a=b", "a=b", "a=b", nil])
    }

    @Test(
        "secrets and Host of a request stay within the origin (fault 39)", arguments: others)
    func request(location: String) async throws {
        let rig = StubRig { $0.followsRedirectsToPlainHTTP = true }
        rig.answer(
            .moved(to: "/b"), .moved(to: location), .moved(to: "http://a.test/back"), .good)
        try rig.start { Self.setSecrets(&$0) }
        await rig.expectOneCompletion()
        let requests = try Self.requests(to: rig, 4)
        #expect(Self.secrets(of: requests[1]) == Self.sent)
        #expect(requests[1].headers["Host"] == "vhost.test")
        #expect(Self.secrets(of: requests[2]) == [] && requests[2].headers["Host"] == nil)
        #expect(requests[2].headers["X-Own"] == "kept")
        // They are not sent after the return either.
        #expect(Self.secrets(of: requests[3]) == [])
    }

    @Test("a manager's secrets follow requests to any origin, but no redirects (fault 74)")
    func additional() async throws {
        let rig = StubRig {
            for name in Self.names { $0.additionalHeaders[name] = "hunter2" }
            $0.additionalHeaders["Host"] = "vhost.test"
            $0.additionalHeaders["X-Own"] = "kept"
        }
        rig.answer(
            .moved(to: "/b"), .moved(to: "http://b.test/"), .moved(to: "http://a.test/back"),
            .good, .good)
        try rig.start()
        await rig.responses.wait(for: 1)
        // Another task of the same manager sends them again.
        try rig.start("http://b.test/")
        await rig.responses.wait(for: 2)
        let requests = try Self.requests(to: rig, 5)
        #expect(Self.secrets(of: requests[1]) == Self.sent)
        #expect(Self.secrets(of: requests[2]) == [] && requests[2].headers["Host"] == nil)
        #expect(requests[2].headers["X-Own"] == "kept")
        #expect(requests[2].headers["User-Agent"] != nil)
        #expect(Self.secrets(of: requests[3]) == [])
        #expect(Self.secrets(of: requests[4]) == Self.sent)
    }

    @Test("fields with secret names, and those that a manager lists, stay too (fault 39)")
    func named() async throws {
        let rig = StubRig {
            $0.headersBoundToOrigin = ["x-customer"]
            $0.additionalHeaders["X-Vault-Token"] = "hunter2"
            $0.additionalHeaders["X-Customer"] = "hunter2"
        }
        rig.answer(.moved(307, to: "/b"), .moved(307, to: "http://b.test/"), .good)
        try rig.start {
            for name in ["X-Api-Key", "X-Session-Id", "Referer", "Dpop"] {
                $0.setValue("hunter2", forHTTPHeaderField: name)
            }
            $0.setValue("once", forHTTPHeaderField: "Idempotency-Key")
        }
        await rig.expectOneCompletion()
        let requests = try Self.requests(to: rig, 3)
        let sent = ["Dpop", "Referer", "X-Api-Key", "X-Customer", "X-Session-Id", "X-Vault-Token"]
        #expect(requests.map(Self.secrets) == [sent, sent, []])
        #expect(requests[2].headers["Idempotency-Key"] == "once")
    }

    @Test("fields that a manager lists never leave the origin, even when credentials do")
    func bound() async throws {
        let rig = StubRig {
            $0.keepsCredentialsAcrossOrigins = true
            $0.headersBoundToOrigin = ["X-Customer"]
        }
        rig.answer(.moved(to: "http://b.test/"), .good)
        try rig.start {
            $0.setValue("hunter2", forHTTPHeaderField: "x-customer")
            $0.setValue("hunter2", forHTTPHeaderField: "X-Api-Key")
        }
        await rig.expectOneCompletion()
        let requests = try Self.requests(to: rig, 2)
        #expect(Self.secrets(of: requests[1]).map { $0.lowercased() } == ["x-api-key"])
    }

    @Test("a manager that keeps credentials sends them on, but not the Host")
    func kept() async throws {
        let rig = StubRig {
            $0.keepsCredentialsAcrossOrigins = true
            $0.additionalHeaders["Proxy-Authorization"] = "hunter2"
        }
        rig.answer(.moved(to: "http://b.test/"), .good)
        try rig.start {
            $0.setValue("hunter2", forHTTPHeaderField: "authorization")
            $0.setValue("vhost.test", forHTTPHeaderField: "Host")
        }
        await rig.expectOneCompletion()
        let requests = try Self.requests(to: rig, 2)
        #expect(Self.secrets(of: requests[1]) == ["Authorization"])
        #expect(requests[1].headers["Host"] == nil)
    }

    @Test(
        "a hook that changes the origin sends no secrets unless it sets them (fault 39)")
    func hook() async throws {
        let rig = StubRig { $0.additionalHeaders["Cookie2"] = "hunter2" }
        rig.manager.taskWillPerformHTTPRedirection = { _, head, request in
            var request = request
            switch head.url.path {
            case "/one/two": request.url = URL(string: "http://b.test/elsewhere")
            case "/elsewhere": request.url = URL(string: "http://a.test/back")
            default: request.setValue("chosen", forHTTPHeaderField: "Authorization")
            }
            return request
        }
        rig.answer(.moved(to: "/b"), .moved(to: "/c"), .moved(to: "http://c.test/"), .good)
        try rig.start { Self.setSecrets(&$0) }
        await rig.expectOneCompletion()
        let requests = try Self.requests(to: rig, 4)
        #expect(
            requests.dropFirst().map(\.url.absoluteString) == [
                "http://b.test/elsewhere", "http://a.test/back", "http://c.test/",
            ])
        #expect(requests.dropFirst().allSatisfy { Self.secrets(of: $0).isEmpty })
        #expect(requests[1].headers["Host"] == nil)
        #expect(requests[3].headers["Authorization"] == "chosen")
    }

    @Test(
        "challenge credentials and the jar's cookies never reach another origin (fault 74)")
    func challenge() async throws {
        let rig = StubRig { $0.followsRedirectsToPlainHTTP = true }
        rig.manager.didReceiveChallenge = { _, challenge in
            challenge.host == "a.test"
                ? .useCredential(.test("user", "hunter2")) : .performDefaultHandling
        }
        rig.answer(
            .unauthorized("Basic realm=r"),
            .moved(to: "http://a.test:81/", [("Set-Cookie", "jar=1; Path=/")]),
            .moved(to: "https://a.test/"), .moved(to: "http://b.test/"),
            .moved(to: "http://a.test/one/b"), .good)
        try rig.start()
        await rig.expectOneCompletion()
        let requests = try Self.requests(to: rig, 6)
        let authorization = try #require(requests[1].headers["Authorization"])
        #expect(authorization.hasPrefix("Basic "))
        #expect(requests[2...4].allSatisfy { $0.headers["Authorization"] == nil })
        #expect(requests[2...4].map { $0.headers["Cookie"] } == ["jar=1", "jar=1", nil])
        #expect(requests[4].url.host == "b.test")
        // The origin that accepted it gets it again.
        #expect(requests[5].headers["Authorization"] == authorization)
    }
}
