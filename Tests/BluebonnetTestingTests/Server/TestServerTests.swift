import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Testing

@Suite("A test server", .timeLimit(.minutes(10)))
struct TestServerTests {
    private let server: TestServer
    private let api: HTTPSessionManager

    init() throws {
        server = try TestServer()
        api = HTTPSessionManager(baseURL: server.url)
    }

    // MARK: Routes

    @Test("requests have the same properties as a stub's, and closures answer them")
    func requests() async throws {
        server.on(.post, "/users/:id", query: ["dry": "1"]) { request in
            let name = try request.json(as: [String: String].self)["name"] ?? ""
            return .json(["id": request.parameters["id"], "name": name], status: 201)
        }
        api.requestSerializer = JSONRequestSerializer()
        let user = try await api.post(
            "users/a%20b?dry=1", parameters: ["name": "ann"], headers: ["X-Kind": "c"],
            as: [String: String].self)
        #expect(user == ["id": "a b", "name": "ann"])
        let request = try #require(server.requests(to: "/users/*", method: .post).first)
        #expect(request.url == server.url("/users/a%20b?dry=1") && request.number == 1)
        #expect(request.headers["X-Kind"] == "c" && request.time > .zero && request.attempt == 1)
        try server.verify()
    }

    @Test("responses follow one another, and conditions select routes")
    func choice() async throws {
        let route = server.on(.get, "/a", .status(503), .text("1"), .text("2"))
        server.on(.put, "/a", where: { $0.text == "b" }, .text("b"))
        _ = try? await api.text("a")
        for expected in ["1", "2", "2"] { #expect(try await api.text("a") == expected) }
        let body = try await api.upload(.data(Data("b".utf8)), to: "a", method: .put)
        #expect(body == Data("b".utf8) && route.requests.count == 4)
    }

    @Test("a request without a route gets 501 with the routes, and is reported at the end")
    func unexpected() async throws {
        server.on(.post, "/a", .status(200))
        let response = await api.response(.get, "a", serializer: StringResponseSerializer())
        #expect(response.head?.statusCode == 501)
        let text = String(decoding: response.data ?? Data(), as: UTF8.self)
        #expect(text.contains("no route for GET \(server.url("/a")); the path matches POST /a"))
        #expect(server.problems.count == 2 && server.problems.first == text)
    }

    @Test("an error of a closure is a 500, and a transport failure closes the connection")
    func errors() async throws {
        struct Odd: Error {}
        server.on("/odd") { _ in throw Odd() }
        server.on("/lost") { _ in throw Exchange.Failure(.networkConnectionLost, message: "") }
        let response = await api.response(.get, "odd", serializer: StringResponseSerializer())
        #expect(response.head?.statusCode == 500)
        #expect(
            response.data.map { String(decoding: $0, as: UTF8.self) }?.contains("Odd()") == true)
        let lost = await #expect(throws: BluebonnetError.self) { try await api.text("lost") }
        #expect(lost?.urlError.code == .networkConnectionLost)
    }

    // MARK: Responses

    private static let gzip = Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA==") ?? Data()

    @Test(
        "a session sees the same as with a stub",
        arguments: [
            .text("hello"), .json(["a": 1], status: 404), .status(204), .status(200),
            .data(gzip, type: "text/plain").header("Content-Encoding", "gzip"),
            .data(gzip.dropLast(9)).header("Content-Encoding", "gzip"),
            .text("hello").inPieces(of: 2), .text("hello").header("Content-Length", "3"),
            .text("hello").header("Content-Length", "9"), .text("hello").cut(after: 2),
            .text("hello").cut(after: 0), .text("hello").trailers(["X-Sum": "1"]),
            .text("hello").header("Transfer-Encoding", "chunked").inPieces(of: 2),
            .text("hello").header("Transfer-Encoding", "chunked").cut(after: 5),
            .text("hello").header("Connection", "close"), .redirect(to: "other"),
            .text("a").header("Set-Cookie", "a=1").header("Set-Cookie", "b=2"),
            .failure(.networkConnectionLost),
        ] as [StubResponse], [HTTPMethod.get, .head])
    func parity(response: StubResponse, method: HTTPMethod) async throws {
        let stub = StubTransport()
        let stubbed = HTTPSessionManager(baseURL: server.url, transport: stub)
        var outcomes: [Outcome] = []
        for (routes, manager) in [(stub as any StubRouting, stubbed), (server, api)] {
            routes.on("/", response)
            routes.on("/other", .text("there"))
            let response = await manager.response(method, "", serializer: HTTPResponseSerializer())
            outcomes.append(Outcome(response))
        }
        #expect(outcomes[0] == outcomes[1])
    }

    private struct Outcome: Equatable {
        let statusCode: Int?
        let headers: HTTPHeaders
        let trailers: HTTPHeaders
        let body: Data?
        let code: URLError.Code?

        init(_ response: Response<Data>) {
            statusCode = response.head?.statusCode
            headers = response.headers
            trailers = response.trailers
            body = response.data
            code = response.error?.urlError.code
        }
    }

    @Test("bodies of megabytes are sent and received", arguments: [false, true])
    func large(tls: Bool) async throws {
        let server = try TestServer(tls: tls)
        let api = HTTPSessionManager(baseURL: server.url)
        api.securityPolicy = server.securityPolicy
        server.on(.put, "/") { .data($0.body) }
        let bytes = (0..<20_000).reduce(into: Data()) {
            $0 += Data("\($1) ".utf8) + Data(count: 250)
        }
        let (first, second) = (bytes, bytes.dropFirst(1000))
        async let one = api.upload(.data(first), to: "", method: .put)
        async let two = api.upload(.data(second), to: "", method: .put)
        #expect(try await one == first)
        #expect(try await two == second)
    }

    @Test("delays and pieces take real time")
    func delays() async throws {
        server.on(
            "/", .text("abc").after(.milliseconds(20)).inPieces(of: 1, every: .milliseconds(20)))
        let start = ContinuousClock.now
        #expect(try await api.text("") == "abc")
        #expect(ContinuousClock.now - start >= .milliseconds(80))
    }

    @Test(
        "a client's own timeout ends a response that stalls",
        arguments: [
            StubResponse.silence, .text("abc").stalled(after: 2), .timeout(.idle),
            .text("a").after(.seconds(3600)),
        ])
    func timeouts(response: StubResponse) async throws {
        server.on("/", response)
        var configuration = SessionConfiguration()
        configuration.timeouts.idle = 0.1
        let api = HTTPSessionManager(baseURL: server.url, configuration: configuration)
        let error = await #expect(throws: BluebonnetError.self) { try await api.text("") }
        #expect(error?.timeout == .idle)
    }

    // MARK: TLS

    @Test("it is trusted only by its own policy, under both of its names")
    func trust() async throws {
        let server = try TestServer(tls: true)
        server.on(.get, "/", .text("secret"))
        let api = HTTPSessionManager()
        api.securityPolicy = server.securityPolicy
        let url = server.url("/").absoluteString
        #expect(try await api.text(url) == "secret")
        let named = url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
        #expect(try await api.text(named) == "secret")
        #expect(url.hasPrefix("https://") && server.requests.last?.url.absoluteString == named)
        for policy in [SecurityPolicy(), try TestServer(tls: true).securityPolicy] {
            api.securityPolicy = policy
            let error = await #expect(throws: BluebonnetError.self) { try await api.text(url) }
            #expect(error?.certificateFault?.check == .issuer)
        }
        #expect(server.requests.count == 2)
    }

    // MARK: Lifetime

    @Test(
        "a closure is canceled when its client or the server stops", arguments: [true, false])
    func abandoned(clientLeaves: Bool) async throws {
        let (began, isOver) = (
            AsyncStream.makeStream(of: Void.self), AsyncStream.makeStream(of: Bool.self)
        )
        server.on("/") { _ in
            began.continuation.finish()
            try? await Task.sleep(for: .seconds(3600))
            isOver.continuation.yield(Task.isCancelled)
            isOver.continuation.finish()
            return .status(200)
        }
        let task = Task { [api] in try await api.text("") }
        for await _ in began.stream {}
        if clientLeaves { task.cancel() } else { server.stop() }
        for await isCancelled in isOver.stream { #expect(isCancelled) }
        await #expect(throws: BluebonnetError.self) { try await task.value }
    }

    @Test("a port that is in use is an error that names the port")
    func portInUse() throws {
        let error = #expect(throws: TestServerError.self) { try TestServer(port: server.port) }
        #expect(error == .portInUse(server.port))
        #expect(error?.description.contains("port \(server.port) is in use; stop") == true)
    }

    @Test("a chosen port is free again after the server has stopped")
    func stop() async throws {
        server.on("/", .text("a"))
        _ = try await api.text("")
        #expect(server.connectionCount == 1)
        server.stop()
        server.stop()
        let error = await #expect(throws: BluebonnetError.self) { try await api.text("") }
        #expect(error?.urlError.code == .cannotConnectToHost)
        #expect(server.requests.count == 1)
    }

    @Test("a thousand servers leave no thread and no socket behind")
    func thousand() async throws {
        let (files, threads) = (ProcessState.openFiles, ProcessState.threadCount)
        let api = HTTPSessionManager()
        for number in 0..<1000 {
            let server = try TestServer(tls: number.isMultiple(of: 10))
            server.on("/", .text("\(number)"))
            api.securityPolicy = server.securityPolicy
            #expect(try await api.text(server.url.absoluteString) == "\(number)")
            if number.isMultiple(of: 2) { server.stop() }
        }
        // Tests that run at the same time have their own files and threads, and so does the client.
        #expect(ProcessState.openFiles < files + 200)
        #expect(ProcessState.threadCount < threads + 200)
    }
}
