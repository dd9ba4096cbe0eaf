import Bluebonnet
import BluebonnetFixtureServer
import CBluebonnetTestResolver
import Testing

@Suite("A manager with an address guard", .timeLimit(.minutes(5)))
struct AddressGuardTests {
    private let server: FixtureServer

    init() throws {
        server = try FixtureServer()
        for (name, answers) in HostileURL.answers {
            #expect(bt_resolver_answer(name, answers) == 0)
        }
    }

    private func manager(
        _ change: (inout SessionConfiguration) throws -> Void = { _ in }
    ) throws -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.addressGuard = .publicInternetOnly
        try change(&configuration)
        return HTTPSessionManager(configuration: configuration)
    }

    /// Returns a manager for which this machine's first address is public.
    private func lenientManager() throws -> HTTPSessionManager {
        try manager { $0.addressGuard?.allowedRanges = [try AddressRange("127.0.0.1")] }
    }

    private func fetch(_ url: String, _ manager: HTTPSessionManager) async throws -> Response<Data>
    {
        let request = URLRequest(url: try #require(URL(string: url)))
        return await manager.response(for: request, serializer: HTTPResponseSerializer())
    }

    @Test("no hostile address or spelling reaches a server", arguments: HostileURL.all)
    func hostile(_ hostile: HostileURL) async throws {
        // Foundation does not create a URL, so it cannot be requested.
        guard let url = hostile.url(server.port) else {
            #expect(hostile.fate == .refused)
            return
        }
        for text in [url.absoluteString, url.absoluteString.replacing("http:", with: "https:")] {
            let error = try #require(try await fetch(text, manager()).error)
            switch hostile.fate {
            case .denied(let rule):
                #expect(error.addressDenial?.rule == rule, "\(error)")
                #expect(error.urlError.code == .cannotConnectToHost)
                #expect(error.description.contains("address guard"))
            case .refused:
                guard case .invalidRequest = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(error.addressDenial == nil)
            }
        }
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("there are at least sixty, and the refused ones are refused without a guard, too")
    func unguarded() async throws {
        let count = HostileURL.all.count { $0.url(server.port) != nil }
        #expect(count >= 60)
        let manager = HTTPSessionManager()
        for hostile in HostileURL.all where hostile.fate == .refused {
            guard let url = hostile.url(server.port) else { continue }
            let error = try await fetch(url.absoluteString, manager).error
            guard case .invalidRequest = error else {
                Issue.record("\(hostile.text): \(String(describing: error))")
                continue
            }
        }
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("this machine is reached without a guard, and with one that allows it")
    func allowed() async throws {
        let url = server.baseURL + "/text"
        #expect(try await fetch(url, HTTPSessionManager()).error == nil)
        #expect(try await fetch(url, try lenientManager()).error == nil)
        #expect(server.acceptedConnectionCount == 2)
        #expect(try await fetch(url, manager()).error?.addressDenial?.rule == .loopback)
        #expect(server.acceptedConnectionCount == 2)
    }

    @Test(
        "a redirect to a denied address is not followed, even if the first hop was allowed",
        arguments: [
            ("http://127.0.0.2:PORT/text", true), ("http://[::1]:PORT/", true),
            ("https://10.0.0.1/", true), ("//169.254.169.254/latest/meta-data/", true),
            ("http://localhost.guard.test:PORT/text", true), ("http://0x7f.1:PORT/text", false),
            ("http://2130706433:PORT/text", false), ("http://x@127.0.0.1:PORT/text", false),
            ("http://%31%32%37.0.0.1:PORT/text", false), ("file:///etc/passwd", false),
        ]
    )
    func redirect(_ location: String, _ isDenied: Bool) async throws {
        #expect(bt_resolver_answer("localhost.guard.test", "127.0.0.3") == 0)
        let place = location.replacing("PORT", with: "\(server.port)")
        server.route("/go") { _ in .response(status: 302, headers: [("Location", place)]) }
        let response = try await fetch(server.baseURL + "/go", try lenientManager())
        let error = try #require(response.error)
        #expect((error.addressDenial != nil) == isDenied, "\(error)")
        #expect(server.requestCount == 1)
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test("a name that leads elsewhere at its second look-up is denied after a redirect")
    func rebinding() async throws {
        let other = try FixtureServer()
        let host = "rebinding.guard.test"
        #expect(bt_resolver_answer(host, "127.0.0.1;127.0.0.2") == 0)
        let place = "http://\(host):\(other.port)/text"
        server.route("/go") { _ in .response(status: 307, headers: [("Location", place)]) }
        let response = try await fetch(
            "http://\(host):\(server.port)/go", try lenientManager())
        #expect(response.error?.addressDenial?.address == "127.0.0.2")
        #expect(response.error?.addressDenial?.host == host)
        #expect(bt_resolver_count(host) == 2)
        #expect(server.requestCount == 1)
        #expect(other.acceptedConnectionCount == 0)
    }

    @Test("a request that a redirect hook returns is checked")
    func hooks() async throws {
        server.route("/go") { _ in .response(status: 302, headers: [("Location", "/text")]) }
        let manager = try lenientManager()
        let port = server.port
        manager.taskWillPerformHTTPRedirection = { _, _, request in
            var request = request
            request.url = URL(string: "http://127.0.0.2:\(port)/text")
            return request
        }
        let response = try await fetch(server.baseURL + "/go", manager)
        #expect(response.error?.addressDenial?.address == "127.0.0.2")
        #expect(server.requestCount == 1)
    }

    @Test("downloads and uploads are checked")
    func kinds() async throws {
        let url = try #require(URL(string: server.baseURL + "/text"))
        let manager = try manager()
        let download = await withCheckedContinuation { continuation in
            let task = manager.downloadTask(with: URLRequest(url: url)) { response in
                continuation.resume(returning: response.error)
            }
            task.resume()
        }
        #expect(download?.addressDenial?.rule == .loopback)
        let upload = await withCheckedContinuation { continuation in
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            let task = manager.uploadTask(
                with: request, from: Data("a".utf8), serializer: HTTPResponseSerializer()
            ) { response in
                continuation.resume(returning: response.error)
            }
            task.resume()
        }
        #expect(upload?.addressDenial?.rule == .loopback)
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("managers with and without a guard share no connections, even with new policies")
    func partition() async throws {
        let url = server.baseURL + "/text"
        let open = HTTPSessionManager()
        let strict = try manager()
        for _ in 0..<2 {
            #expect(try await fetch(url, open).error == nil)
            #expect(try await fetch(url, strict).error?.addressDenial != nil)
            strict.securityPolicy = SecurityPolicy(
                certificateAuthorities: URL(fileURLWithPath: "/none"))
        }
        #expect(server.acceptedConnectionCount == 1)
        #expect(server.requestCount == 2)
    }

    @Test("the error names address, rule and request, and no secret")
    func description() async throws {
        let response = try await fetch(
            "http://10.1.2.3:8080/path?token=hush#hush", manager())
        let text = try #require(response.error).description
        for part in ["10.1.2.3", "private network", "8080", "allowedRanges", "GET", "/path"] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(!text.contains("hush"))
        #expect(response.metrics?.exchanges.first?.remoteAddress != "10.1.2.3")
    }
}
