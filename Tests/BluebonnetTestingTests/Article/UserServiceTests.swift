import Bluebonnet
import BluebonnetTesting
import Testing

struct UserServiceTests {
    let stub = StubTransport()
    let clock = ManualClock()
    let service: UserService

    init() {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        let api = HTTPSessionManager(
            baseURL: URL(string: "https://api.test/"), configuration: configuration,
            transport: stub)
        service = UserService(api: api)
    }
}

extension UserServiceTests {
    @Test("reads a user")
    func user() async throws {
        stub.on(.get, "/users/7", .json(["id": 7, "name": "Ann"]))
        #expect(try await service.user(7) == User(id: 7, name: "Ann"))
        try stub.verify()
    }

    @Test("adds a user by name")
    func add() async throws {
        stub.on(.post, "/users", .json(["id": 8, "name": "Ben"], status: 201))
        #expect(try await service.add(name: "Ben").id == 8)
        #expect(stub.requests(to: "/users").first?.text == "name=Ben")
    }

    @Test("reads the user with the number in the path")
    func echo() async throws {
        stub.on(.get, "/users/:id") { request in
            .json(User(id: Int(request.parameters["id"] ?? "") ?? 0, name: "Ann"))
        }
        #expect(try await service.user(9)?.id == 9)
    }

    @Test("returns nil for an unknown user")
    func unknownUser() async throws {
        stub.on(.get, "/users/*", .status(404))
        #expect(try await service.user(7) == nil)
    }

    @Test("throws for malformed JSON")
    func malformedJSON() async throws {
        stub.on(.get, "/users/7", .text("{", type: "application/json"))
        let error = await #expect(throws: BluebonnetError.self) { try await service.user(7) }
        #expect(error?.stage == .serialization)
    }

    @Test("times out if the server is silent")
    func timeout() async throws {
        stub.on(.get, "/users/7", .silence)
        let error = await clock.run {
            await #expect(throws: BluebonnetError.self) { try await service.user(7) }
        }
        #expect(error?.timeout == .idle)
        #expect(clock.now == .seconds(60))
    }

    @Test("applies the deadline to a slow response")
    func deadline() async throws {
        let slow = StubResponse.data(Data(count: 1000)).inPieces(of: 1, every: .seconds(1))
        stub.on(.get, "/report", slow)
        let error = await clock.run { [api = service.api] in
            await #expect(throws: BluebonnetError.self) {
                try await api.get("report", options: .deadline(30))
            }
        }
        #expect(error?.timeout == .whole && clock.now == .seconds(30))
    }

    @Test("keeps the received bytes of an interrupted body")
    func cutBody() async throws {
        stub.on(.get, "/report", .data(Data(count: 5000)).cut(after: 1000))
        let error = await #expect(throws: BluebonnetError.self) {
            try await service.api.get("report")
        }
        #expect(error?.urlError.code == .networkConnectionLost)
        #expect(error?.context.data?.count == 1000)
    }

    @Test("delivers the events before a lost connection")
    func cutEvents() async throws {
        let answer = "data: Half\n\ndata: measures\n\n"
        stub.on(.get, "/updates", .text(answer, type: "text/event-stream").cut(after: 18))
        var events = service.api.events("updates").makeAsyncIterator()
        #expect(try await events.next()?.data == "Half")
        let error = await #expect(throws: BluebonnetError.self) { try await events.next() }
        #expect(error?.urlError.code == .networkConnectionLost)
    }

    @Test("continues a feed after the last event")
    func feed() async throws {
        stub.on(
            .get, "/updates", .text("id: 1\ndata: a\n\n", type: "text/event-stream"),
            .text("id: 2\ndata: b\n\n", type: "text/event-stream"))
        let data = try await clock.run { [api = service.api] in
            try await api.eventSource("updates").prefix(2).reduce("") { $0 + $1.data }
        }
        #expect(data == "ab")
        #expect(stub.requests.map { $0.headers["Last-Event-ID"] } == [nil, "1"])
    }

    @Test("resumes an interrupted download")
    func interruptedDownload() async throws {
        let picture = Data((0..<5000).map { UInt8($0 % 251) })
        let whole = StubResponse.data(picture).header("ETag", #""1""#)
        let rest = StubResponse.data(picture.dropFirst(1000), status: 206)
            .header("ETag", #""1""#).header("Content-Range", "bytes 1000-4999/5000")
        stub.on(.get, "/users/7/picture", whole.cut(after: 1000), rest)
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try await service.savePicture(of: 7, to: file)
        #expect(try Data(contentsOf: file) == picture)
        #expect(stub.requests.last?.headers["Range"] == "bytes=1000-")
    }

    @Test("cancels the request with its Swift task")
    func cancellation() async throws {
        stub.on(.get, "/users/7", .silence)
        let task = Task { [service] in try await service.user(7) }
        while stub.requests.isEmpty { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: BluebonnetError.self) { try await task.value }
        #expect(error?.isCancelled == true)
    }

    @Test("cancels the delay before a retry")
    func canceledDelay() async throws {
        stub.on(.get, "/users/7", .status(503))
        service.api.interceptors = [RetryPolicy(exponentialBackoffScale: 60, maximumDelay: 60)]
        let task = Task { [service] in try await service.user(7) }
        while stub.requests.isEmpty { await Task.yield() }
        await clock.advance(by: .seconds(30))
        task.cancel()
        let error = await #expect(throws: BluebonnetError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        #expect(stub.requests.count == 1)
    }

    @Test("answers a challenge")
    func challenge() async throws {
        let user = StubResponse.json(["id": 7, "name": "Ann"])
        stub.on(.get, "/users/7", .challenge(#"Basic realm="users""#), user)
        service.api.didReceiveChallenge = { _, _ in
            .useCredential(URLCredential(user: "ann", password: "pw", persistence: .none))
        }
        #expect(try await service.user(7)?.name == "Ann")
        #expect(stub.requests.map { $0.headers["Authorization"] } == [nil, "Basic YW5uOnB3"])
    }

    @Test("does not send the token to another host")
    func redirect() async throws {
        stub.on(.get, "https://api.test/users/7", .redirect(to: "https://cdn.test/7"))
        stub.on(.get, "https://cdn.test/7", .json(["id": 7, "name": "Ann"]))
        service.api.requestSerializer.setAuthorization(bearerToken: "secret")
        #expect(try await service.user(7)?.name == "Ann")
        #expect(stub.requests.map { $0.headers["Authorization"] } == ["Bearer secret", nil])
    }

    @Test("forgets a login after an hour")
    func expiry() async throws {
        stub.on(.post, "/login", .status(204).header("Set-Cookie", "id=1; Max-Age=3600"))
        stub.on(.get, "/report", .text("all is well"))
        try await service.api.post("login")
        try await service.api.get("report")
        await clock.advance(by: .seconds(3600))
        try await service.api.get("report")
        #expect(stub.requests(to: "/report").map { $0.headers["Cookie"] } == ["id=1", nil])
    }

    @Test("throws for a lost response, then succeeds")
    func faults() async throws {
        let url = URL(string: "https://api.test/")
        stub.on(.get, "/users/7", .json(["id": 7, "name": "Ann"]))
        let faulty = FaultyTransport(around: stub, seed: 1)
        faulty.inject(.resetBeforeHead, into: "/users/*", numbers: [1])
        let service = UserService(api: HTTPSessionManager(baseURL: url, transport: faulty))
        await #expect(throws: BluebonnetError.self) { try await service.user(7) }
        #expect(try await service.user(7)?.name == "Ann")
        #expect(faulty.injections.count == 1)
    }

    @Test("retries a 503 after two seconds")
    func retry() async throws {
        stub.on(.get, "/users/7", .status(503), .json(["id": 7, "name": "Ann"]))
        service.api.interceptors = [RetryPolicy(exponentialBackoffScale: 2)]
        let user = try await clock.run { try await service.user(7) }
        #expect(user?.name == "Ann")
        #expect(stub.requests.map(\.time) == [.zero, .seconds(2)])
    }

    @Test("refreshes a rejected token")
    func refresh() async throws {
        stub.on(.get, "/token", .text("2"))
        stub.on(.get, "/users/7", .status(401), .json(["id": 7, "name": "Ann"]))
        service.api.interceptors = [
            AuthenticationInterceptor(authenticator: Tokens(), credential: Token(value: "1"))
        ]
        #expect(try await service.user(7)?.name == "Ann")
        #expect(stub.requests.map { $0.headers["Authorization"] } == ["Bearer 1", nil, "Bearer 2"])
    }

    @Test("sends nothing when it is created")
    func noNetwork() {
        let network = NoNetwork { Issue.record("\($0)") }
        _ = UserService(api: HTTPSessionManager(transport: network))
        #expect(network.requests.isEmpty)
    }

    @Test("reads a recorded user")
    func recorded() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Cassettes/users.json")
        let cassette = try Cassette(at: file)
        let url = URL(string: "https://api.test/")
        let service = UserService(api: HTTPSessionManager(baseURL: url, transport: cassette))
        service.api.requestSerializer.setAuthorization(bearerToken: "secret")
        #expect(try await service.user(7)?.name == "Ann")
        try cassette.verify()
    }

    @Test("reads a user over TLS")
    func server() async throws {
        let server = try TestServer(tls: true)
        server.on(.get, "/users/7", .json(["id": 7, "name": "Ann"]))
        let api = HTTPSessionManager(baseURL: server.url)
        api.securityPolicy = server.securityPolicy
        #expect(try await UserService(api: api).user(7)?.name == "Ann")
    }
}
