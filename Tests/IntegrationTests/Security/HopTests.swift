import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Testing

/// Redirects, credentials and cookies at independent servers.
@Suite("Redirect hops over sockets", .timeLimit(.minutes(5)))
struct HopTests {
    static func json(_ data: Data) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    static func request(
        _ url: String, _ change: (inout URLRequest) -> Void = { _ in }
    ) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        change(&request)
        return request
    }

    @Test(
        "httpbin gets cookies over hops and tasks, a body after 307, no secret at another host"
    )
    func httpbin() async throws {
        let server = try await HTTPBinServer()
        let manager = HTTPSessionManager()
        func send(
            _ path: String, _ change: (inout URLRequest) -> Void = { _ in }
        ) async throws -> [String: Any] {
            try Self.json(await manager.data(for: Self.request(server.url(path), change)))
        }
        let set = try await send("cookies/set?petal=five&leaf=one")
        #expect(set["cookies"] as? [String: String] == ["petal": "five", "leaf": "one"])
        let removed = try await send("cookies/delete?leaf")
        #expect(removed["cookies"] as? [String: String] == ["petal": "five"])
        #expect(try await send("cookies")["cookies"] as? [String: String] == ["petal": "five"])
        let other = try await HTTPSessionManager().data(
            for: Self.request(server.url("cookies")))
        #expect(try Self.json(other)["cookies"] as? [String: String] == [:])

        let form = try await send("redirect-to?url=/anything&status_code=307") {
            $0.httpMethod = "POST"
            $0.httpBody = Data("a=1".utf8)
            $0.setValue(
                "application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        #expect(
            form["form"] as? [String: String] == ["a": "1"] && form["method"] as? String == "POST")
        let got = try await send("redirect-to?url=/anything%23part&status_code=302") {
            $0.httpMethod = "POST"
            $0.httpBody = Data("a=1".utf8)
        }
        #expect(got["method"] as? String == "GET" && got["data"] as? String == "")

        // The same server with another name is another origin.
        let place = "http%3A//localhost%3A\(server.port)/anything"
        let foreign = try await send("redirect-to?url=\(place)&status_code=302") {
            $0.setValue("Bearer hunter2", forHTTPHeaderField: "Authorization")
            $0.setValue("own=hunter2", forHTTPHeaderField: "Cookie")
            $0.setValue("vhost.test", forHTTPHeaderField: "Host")
        }
        let headers = try #require(foreign["headers"] as? [String: String])
        #expect(headers["Host"] == "localhost:\(server.port)")
        #expect(!"\(headers)".contains("hunter2"))

        let limit = await manager.response(
            for: try Self.request(server.url("redirect/21")), serializer: HTTPResponseSerializer())
        #expect(limit.error?.description.contains("more than 20 redirects") == true)
        #expect(limit.metrics?.exchanges.count == 21)
        server.stop()
    }

    @Test(
        "httpbin accepts Basic, every Digest, and one credential in fifty tasks (fault 75)"
    )
    func credentials() async throws {
        let server = try await HTTPBinServer()
        let manager = HTTPSessionManager()
        manager.didReceiveChallenge = { _, challenge in
            challenge.previousFailureCount == 0
                ? .useCredential(
                    URLCredential(user: "user", password: "hunter2", persistence: .forSession))
                : .cancel
        }
        for path in [
            "basic-auth/user/hunter2", "digest-auth/auth/user/hunter2/MD5",
            "digest-auth/auth/user/hunter2/SHA-256", "digest-auth/auth-int/user/hunter2/MD5",
        ] {
            manager.invalidate(cancelingTasks: false, resetSession: true)
            for exchanges in [2, 1] {
                let response = await manager.response(
                    for: try Self.request(server.url(path)), serializer: HTTPResponseSerializer())
                #expect(response.head?.statusCode == 200, "\(path): \(response)")
                #expect(response.metrics?.exchanges.count == exchanges, "\(path)")
            }
        }
        manager.invalidate(cancelingTasks: false, resetSession: true)
        let url = server.url("digest-auth/auth/user/hunter2/SHA-256")
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await manager.response(
                        for: try Self.request(url), serializer: HTTPResponseSerializer()
                    ).head?.statusCode
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count == 50 && statuses.allSatisfy { $0 == 200 })
        let wrong = await manager.response(
            for: try Self.request(server.url("basic-auth/user/other")),
            serializer: HTTPResponseSerializer())
        #expect(wrong.error?.isCancelled == true)
        server.stop()
    }

    @Test("nginx redirects to a password-protected path, also over TLS")
    func nginx() async throws {
        let server = try await NginxServer(files: ["a.txt": Data("bluebonnet".utf8)])
        let manager = HTTPSessionManager()
        manager.securityPolicy.certificateAuthorities = URL(fileURLWithPath: server.authorityFile)
        let credentials = server.credentials
        manager.didReceiveChallenge = { _, challenge in
            .useCredential(
                URLCredential(
                    user: credentials.user, password: credentials.password,
                    persistence: .forSession))
        }
        for base in [server.url(""), server.tlsURL("")] {
            for exchanges in [3, 2] {
                let response = await manager.response(
                    for: try Self.request(base + "redirect/302/private/a.txt"),
                    serializer: HTTPResponseSerializer())
                #expect(response.value == Data("bluebonnet".utf8), "\(response)")
                #expect(response.metrics?.exchanges.count == exchanges)
                #expect(response.metrics?.redirectCount == 1)
            }
        }
        let twice = await manager.response(
            for: try Self.request(server.url("redirect/307/redirect/307/files/a.txt")),
            serializer: HTTPResponseSerializer())
        #expect(twice.value == Data("bluebonnet".utf8))
        server.stop()
    }
}
