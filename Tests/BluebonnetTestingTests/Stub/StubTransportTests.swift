import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Testing

@Suite("A stub below a session", .timeLimit(.minutes(1)))
struct StubTransportTests {
    private let stub = StubTransport()
    private let clock = ManualClock()

    private func api(
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        change(&configuration)
        return HTTPSessionManager(
            baseURL: URL(string: "https://a.test/"), configuration: configuration, transport: stub)
    }

    // MARK: Behavior of the session

    @Test("redirects are followed, and another host does not get the credentials")
    func redirects() async throws {
        stub.on(.get, "https://a.test/old", .redirect(to: "https://b.test/new"))
        stub.on(.get, "https://b.test/new", .text("there"))
        let text = try await api().text("old", .get, nil, ["Authorization": "Bearer t"])
        #expect(text == "there")
        #expect(stub.requests.map { $0.headers["Authorization"] } == ["Bearer t", nil])
        try stub.verify()
    }

    @Test("challenges are answered, and cookies are kept and expire on the clock")
    func challengesAndCookies() async throws {
        stub.on(
            .get, "/login", where: { $0.headers["Authorization"] == nil },
            .challenge(#"Basic realm="a""#))
        stub.on(
            .get, "/login", where: { $0.headers["Authorization"] != nil },
            .text("in").header("Set-Cookie", "id=1; Max-Age=60"))
        stub.on(.get, "/page") { .text($0.headers["Cookie"] ?? "none") }
        let api = api()
        api.didReceiveChallenge = { _, _ in
            .useCredential(URLCredential(user: "u", password: "p", persistence: .forSession))
        }
        #expect(try await api.text("login") == "in")
        #expect(try await api.text("page") == "id=1")
        await clock.advance(by: .seconds(61))
        #expect(try await api.text("page") == "none")
    }

    @Test("content codings are removed as by a real transport, and malformed data fails")
    func codings() async throws {
        let coded = try #require(
            Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA=="))
        let gzip = StubResponse.data(coded, type: "text/plain").header("Content-Encoding", "gzip")
        stub.on("/whole", gzip)
        stub.on("/pieces", gzip.inPieces(of: 3, every: .seconds(1)))
        stub.on("/short", .data(coded.dropLast(9)).header("Content-Encoding", "gzip"))
        let api = api()
        for path in ["whole", "pieces"] {
            #expect(try await clock.run { try await api.text(path) } == "hello")
        }
        let error = await #expect(throws: BluebonnetError.self) { try await api.text("short") }
        #expect(error?.urlError.code == .cannotDecodeContentData)
    }

    @Test("limits are enforced", arguments: [true, false])
    func limits(declaresLength: Bool) async throws {
        let body = StubResponse.data(Data(count: 5000)).inPieces(of: 100)
        stub.on("/", declaresLength ? body : body.header("Transfer-Encoding", "chunked"))
        let api = api { $0.maximumResponseBodySize = 1000 }
        let error = await #expect(throws: BluebonnetError.self) {
            try await api.text("")
        }
        #expect(error?.limit == .bodySize)
    }

    @Test("a refused certificate can be stubbed")
    func certificates() async throws {
        let fault = Exchange.Failure.CertificateFault(check: .expiry, host: "a.test")
        stub.on("/", .failure(.init(certificateFault: fault)))
        let error = await #expect(throws: BluebonnetError.self) { try await api().text("") }
        #expect(error?.urlError.code == .serverCertificateHasBadDate)
    }

    @Test("heads, statuses without a body, and trailers equal those of a real transport")
    func parts() async throws {
        stub.on(.head, "/a", .text("hidden"))
        stub.on(.get, "/empty", .data(Data("no".utf8), status: 204))
        stub.on(.get, "/trailers", .text("a").trailers(["X-Sum": "1"]))
        let api = api()
        let head = await api.response(.head, "a", serializer: HTTPResponseSerializer())
        #expect(head.headers["Content-Length"] == "6" && head.value == Data())
        #expect(head.headers["Content-Type"] == "text/plain; charset=utf-8")
        let empty = await api.response(.get, "empty", serializer: HTTPResponseSerializer())
        #expect(empty.head?.statusCode == 204 && empty.value == Data())
        let trailers = await api.response(.get, "trailers", serializer: HTTPResponseSerializer())
        #expect(trailers.trailers["X-Sum"] == "1")
    }

    @Test(
        "a given Content-Length has its real effect, and a field replaces one of the same name")
    func lengths() async throws {
        stub.on("/less", .text("abcdef").header("content-length", "3"))
        stub.on("/more", .text("abcdef").header("Content-Length", "10"))
        stub.on(
            "/",
            .text("{}").header("content-type", "application/json").header("Set-Cookie", "a=1")
                .header("Set-Cookie", "b=2"))
        let api = api()
        #expect(try await api.text("less") == "abc")
        let error = await #expect(throws: BluebonnetError.self) { try await api.text("more") }
        #expect(error?.urlError.code == .networkConnectionLost)
        let response = await api.response(.get, "", serializer: HTTPResponseSerializer())
        #expect(response.headers.values(of: "Content-Type") == ["application/json"])
        #expect(response.headers.values(of: "Set-Cookie") == ["a=1", "b=2"])
    }

    @Test("a stubbed timeout reports its kind")
    func timeoutValue() async throws {
        stub.on("/", .timeout(.connect))
        let error = await #expect(throws: BluebonnetError.self) { try await api().text("", .post) }
        #expect(error?.timeout == .connect && error?.isSafeToRetry == true)
    }

    // MARK: Requests

    @Test("bodies of every kind are read completely, with their progress")
    func bodies() async throws {
        let route = stub.on(.put, "/", .status(200))
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let api = api()
        let sent = Locked(Int64(0))
        api.taskDidSendBodyData = { _, _, total, _ in sent.withLock { $0 = total } }
        let pieces = AsyncStream<Data> { stream in
            for start in stride(from: 0, to: bytes.count, by: 30_000) {
                stream.yield(bytes[start..<min(bytes.count, start + 30_000)])
            }
            stream.finish()
        }
        let stream = RequestBody.stream { InputStream(data: bytes) }
        for body in [RequestBody.data(bytes), stream, .sequence(pieces)] {
            _ = try await api.upload(body, to: "", method: .put)
        }
        #expect(route.requests.map(\.body) == [bytes, bytes, bytes])
        #expect(sent.withLock { $0 } == Int64(bytes.count))
    }

    @Test("sent JSON can be read, and attempts, tags and times are reported")
    func facts() async throws {
        stub.on(.post, "/", .status(200))
        let api = api()
        api.requestSerializer = JSONRequestSerializer()
        await clock.advance(by: .seconds(5))
        _ = await api.response(
            .post, "", parameters: ["id": 7], serializer: HTTPResponseSerializer(),
            options: .tag("seven"))
        let request = try #require(stub.requests.first)
        #expect(try request.json(as: [String: Int].self) == ["id": 7])
        #expect(request.attributes.tag == "seven")
        #expect(request.time == .seconds(5) && request.attempt == 1)
        #expect("\(request)" == "POST https://a.test/")
    }

    // MARK: Time

    @Test("delays take no time on a manual clock, and deadlines run during them")
    func deadline() async throws {
        stub.on("/slow", .text("late").after(.seconds(60)))
        let patience = api { $0.timeouts.idle = nil }
        #expect(try await clock.run { try await patience.text("slow") } == "late")
        #expect(clock.now == .seconds(60))
        let hurried = api { ($0.timeouts.idle, $0.timeouts.whole) = (nil, 30) }
        let error = await clock.run {
            await #expect(throws: BluebonnetError.self) { try await hurried.text("slow") }
        }
        #expect(error?.timeout == .whole && clock.now == .seconds(90))
    }

    @Test(
        "a transport's timeouts use the clock",
        arguments: [
            (StubResponse.silence, 10.0, nil as Double?, Exchange.Failure.Timeout.idle, 10),
            (.silence, 10, 4, .head, 4), (.text("a").after(.seconds(5)), 10, 4, .head, 4),
            (.text("abc").stalled(after: 2), 10, 4, .idle, 10),
            (.text("abc").inPieces(of: 1, every: .seconds(11)), 10, 20, .idle, 10),
        ])
    func timeouts(
        response: StubResponse, idle: Double, head: Double?, timeout: Exchange.Failure.Timeout,
        after seconds: Int
    ) async throws {
        stub.on("/", response)
        let api = api { ($0.timeouts.idle, $0.timeouts.head) = (idle, head) }
        let error = await clock.run {
            await #expect(throws: BluebonnetError.self) { try await api.text("") }
        }
        #expect(error?.timeout == timeout && clock.now == .seconds(seconds))
    }

    @Test("a body arrives in pieces, at the given times")
    func pieces() async throws {
        stub.on("/", .text("abcdef").inPieces(of: 2, every: .seconds(3)).after(.seconds(1)))
        let api = api()
        let pieces = try await clock.run { [clock] in
            var pieces: [String] = []
            for try await piece in try await api.stream("") {
                pieces.append(
                    "\(String(decoding: piece, as: UTF8.self)) \(clock.now / .seconds(1))")
            }
            return pieces
        }
        #expect(pieces == ["ab 4.0", "cd 7.0", "ef 10.0"])
    }

    @Test("a body that breaks off fails, and a download continues from there")
    func cut() async throws {
        let bytes = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) })
        let file = StubResponse.data(bytes).header("ETag", #""1""#)
            .header("Accept-Ranges", "bytes")
        stub.on("/file", where: { $0.headers["Range"] == nil }, file.cut(after: 1000))
        stub.on("/file", where: { $0.headers["Range"] == "bytes=1000-" }) { _ in
            .data(bytes.dropFirst(1000), status: 206).header("ETag", #""1""#)
                .header("Content-Range", "bytes 1000-4999/5000")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "stub-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let api = api()
        let place = folder.appendingPathComponent("file")
        let error = await #expect(throws: BluebonnetError.self) {
            try await api.download("file", to: place, options: .file(.keepsPartialFile))
        }
        #expect(error?.urlError.code == .networkConnectionLost)
        let resumeData = try #require(error?.resumeData)
        _ = try await api.download("file", resumingWith: resumeData, to: place)
        #expect(try Data(contentsOf: place) == bytes)
    }

    @Test("an invalid Content-Length is sent unchanged, and the body is complete")
    func negativeLength() async throws {
        stub.on("/", .text("abc").header("Content-Length", "-1"))
        let response = await api().response(.get, "", serializer: StringResponseSerializer())
        #expect(response.value == "abc" && response.headers["Content-Length"] == "-1")
    }

    // MARK: Control

    @Test("a canceled exchange ends at once and leaves no timer")
    func cancel() async throws {
        stub.on("/", .text("late").after(.seconds(60)))
        let api = api()
        let request = Task { try await api.text("") }
        while stub.requests.isEmpty || clock.pendingCount == 0 { await Task.yield() }
        request.cancel()
        let error = await #expect(throws: BluebonnetError.self) { try await request.value }
        #expect(error?.isCancelled == true)
        // The canceling thread can still be at work.
        while clock.pendingCount > 0 { await Task.yield() }
    }

    @Test("a suspended exchange holds its response back, and no idle timeout fires")
    func suspended() async throws {
        stub.on("/", .text("late").after(.seconds(60)))
        let api = api { $0.timeouts.idle = 10 }
        let responses = Locked<[Response<String>]>([])
        let task = api.dataTask(
            with: URLRequest(url: try #require(URL(string: "https://a.test/"))),
            serializer: StringResponseSerializer()
        ) { response in responses.withLock { $0.append(response) } }
        task.resume()
        await clock.advance(by: .seconds(5))
        task.suspend()
        await clock.advance(by: .seconds(600))
        #expect(responses.withLock { $0.isEmpty })
        task.resume()
        await clock.idle()
        #expect(responses.withLock { $0.first?.value } == "late")
    }

    @Test(
        "timeouts restart when an exchange is resumed",
        arguments: [StubResponse.silence, .text("late").after(.seconds(60))],
        [(5, 9, 19), (5, 25, 35), (0, 10, 20)])
    func resumed(response: StubResponse, times: (suspend: Int, resume: Int, strike: Int))
        async throws
    {
        stub.on("/", response)
        let api = api { $0.timeouts.idle = 10 }
        let struck = Locked<[Duration]>([])
        let task = api.get("", serializer: StringResponseSerializer()) { [clock] response in
            let now = clock.now
            if response.error?.timeout == .idle { struck.withLock { $0.append(now) } }
        }
        await clock.advance(by: .seconds(times.suspend))
        task.suspend()
        await clock.advance(by: .seconds(times.resume - times.suspend))
        task.resume()
        await clock.advance(by: .seconds(100))
        #expect(struck.withLock { $0 } == [.seconds(times.strike)])
    }
}
