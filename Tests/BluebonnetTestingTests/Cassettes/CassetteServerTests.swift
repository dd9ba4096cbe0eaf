import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTesting
import Testing

@Suite("Replaying recordings of real servers", .timeLimit(.minutes(2)))
struct CassetteServerTests {
    private let place = TemporaryCassette()

    /// Records what a test sees of its requests: the events and results of its tasks.
    private final class Witness: Sendable {
        private struct State {
            var events: [Int: [String]] = [:]
            var results: [String] = []
        }

        private let state = Locked(State())

        func note(_ result: String) { state.withLock { $0.results.append(result) } }

        func take(_ event: TaskEvent) {
            let task = event.task.taskIdentifier
            // How a body is divided into pieces, and how long that takes, depends on the network.
            let isPart = ["receivedData", "sentBodyData", "wroteData"].contains {
                "\(event.kind)".hasPrefix($0)
            }
            if isPart || "\(event.kind)".hasPrefix("collectedMetrics") { return }
            state.withLock { $0.events[task, default: []].append("\(event.kind)") }
        }

        var all: [String] {
            state.withLock { state in
                state.results + state.events.sorted { $0.key < $1.key }.flatMap(\.value)
            }
        }
    }

    /// Performs requests once against the server and twice from the cassette, and compares them.
    private func compare(
        _ baseURL: String, stoppingServer stop: () -> Void,
        _ change: (inout SessionConfiguration) -> Void = { _ in },
        _ requests: (HTTPSessionManager, Witness) async throws -> Void
    ) async throws {
        try FileManager.default.createDirectory(
            at: place.folder, withIntermediateDirectories: true)
        var real: [String] = []
        for mode in [CassetteMode.recordAnew, .replay, .recordMissing] {
            let cassette = try Cassette(at: place.file, mode: mode, recordingFrom: CurlTransport())
            var configuration = SessionConfiguration()
            change(&configuration)
            let api = HTTPSessionManager(
                baseURL: URL(string: baseURL), configuration: configuration, transport: cassette)
            let witness = Witness()
            api.addMonitor { events in events.forEach(witness.take) }
            try await requests(api, witness)
            await api.shutdown()
            try cassette.verify()
            guard mode != .recordAnew else {
                real = witness.all
                stop()
                continue
            }
            #expect(real.count > 5)
            #expect(witness.all.count == real.count)
            for (seen, real) in zip(witness.all, real) { #expect(seen == real) }
        }
    }

    private func note<Value>(_ response: Response<Value>, _ witness: Witness) {
        let head = response.head.map {
            "\($0.statusCode) \($0.headers.map { "\($0.name): \($0.value)" })"
        }
        witness.note(
            "\(head ?? "no head") \(response.trailers) \(response.error.map { "\($0)" } ?? "no error")"
        )
        if let text = response.value as? String { witness.note(text) }
    }

    @Test(
        "replayed responses, events and errors equal the recorded ones",
        arguments: [
            ["json", "text", "xml"], ["gzip", "deflate", "gzip/100000"],
            ["status/404", "status/500", "status/204"],
            ["redirect/3", "redirect-to?url=/text&status=307"],
            ["bytes/300000", "chunked/70000"], ["headers/30"],
        ])
    func responses(paths: [String]) async throws {
        let server = try FixtureServer()
        try await compare(server.baseURL, stoppingServer: server.stop) { api, witness in
            for path in paths {
                let serializer = StringResponseSerializer()
                note(await api.response(.get, path, serializer: serializer), witness)
            }
        }
    }

    @Test("replayed heads, trailers, cookies, challenges and tokens equal the recorded ones")
    func session() async throws {
        let server = try FixtureServer(routes: [
            "/cookie": { _ in
                .response(status: 200, headers: [("Set-Cookie", "id=abcdefghij; Path=/; HttpOnly")])
            },
            "/page": { request in
                .text(request.headers["Cookie"] == nil ? "no cookie" : "a cookie")
            },
            "/login": { request in
                request.headers["Authorization"] == nil
                    ? .response(status: 401, headers: [("WWW-Authenticate", #"Basic realm="a""#)])
                    : .text("in")
            },
            "/trailers": { _ in
                .raw(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n"
                        + "Connection: close\r\n\r\n"
                        + "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n")
            },
        ])
        try await compare(server.baseURL, stoppingServer: server.stop) { api, witness in
            api.didReceiveChallenge = { _, _ in
                .useCredential(
                    URLCredential(user: "jo", password: "pa55word!", persistence: .forSession))
            }
            let serializer = StringResponseSerializer()
            for path in ["page", "login", "trailers"] {
                note(await api.response(.get, path, serializer: serializer), witness)
            }
            note(
                await api.response(.head, "bytes/500", serializer: HTTPResponseSerializer()),
                witness)
            // The cookie's value is a secret, so the heads differ.
            _ = await api.response(.get, "cookie", serializer: HTTPResponseSerializer())
            note(await api.response(.get, "page", serializer: serializer), witness)
        }
        let text = try place.text
        #expect(!text.contains("abcdefghij") && !text.contains("pa55word"))
        #expect(text.contains("Authorization: Basic SECRET_"))
        #expect(text.contains("Set-Cookie: id=SECRET_"))
    }

    @Test("streamed uploads are read once and recorded completely")
    func uploads() async throws {
        let server = try FixtureServer()
        let bytes = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 3) })
        let reads = Locked(0)
        try await compare(server.baseURL, stoppingServer: server.stop) { api, _ in
            let made = RequestBody.stream(length: Int64(bytes.count)) {
                reads.withLock { $0 += 1 }
                return InputStream(data: bytes)
            }
            let pieces = AsyncStream<Data> { stream in
                for start in stride(from: 0, to: bytes.count, by: 90_000) {
                    stream.yield(bytes[start..<min(bytes.count, start + 90_000)])
                }
                stream.finish()
            }
            for body in [RequestBody.data(bytes), made, .sequence(pieces)] {
                let data = try await api.upload(body, to: "echo-body")
                #expect(data == bytes)
            }
        }
        #expect(reads.withLock { $0 } == 3)
        #expect(try !place.text.contains("unread"))
    }

    @Test("replayed file downloads equal the recorded ones")
    func downloads() async throws {
        let server = try FixtureServer()
        let folder = place.folder
        let contents = Locked<[Data]>([])
        try await compare(server.baseURL, stoppingServer: server.stop) { api, _ in
            let file = folder.appendingPathComponent("file")
            defer { try? FileManager.default.removeItem(at: file) }
            _ = try await api.download("bytes/400000", to: file)
            let data = try Data(contentsOf: file)
            contents.withLock { $0.append(data) }
        }
        #expect(contents.withLock { Set($0).count } == 1)
        #expect(contents.withLock { $0.first?.count } == 400_000)
    }

    @Test(
        "replayed failures equal the recorded ones",
        arguments: [
            [
                FaultAction.request, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
                .close,
            ],
            [
                .request,
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nX\r\n"),
                .close,
            ],
            [.request, .send("nonsense\r\n\r\n"), .close], [.request, .reset],
            [
                .request,
                .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc"),
                .close,
            ],
            [.request, .send("HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n"), .close],
            [.request, .hold],
        ])
    func failures(actions: [FaultAction]) async throws {
        let server = try FaultServer(FaultScript(repeating: actions, count: 8))
        try await compare(
            "http://127.0.0.1:\(server.port)", stoppingServer: server.stop,
            { ($0.timeouts.idle, $0.maximumResponseBodySize) = (0.4, 1000) }
        ) { api, witness in
            note(await api.response(.post, "a", serializer: StringResponseSerializer()), witness)
        }
    }

    @Test("replays of refused connections equal the recorded ones")
    func refused() async throws {
        let port = try ReservedPort()
        try await compare(port.baseURL, stoppingServer: {}) { api, witness in
            note(await api.response(.get, "a", serializer: StringResponseSerializer()), witness)
        }
        #expect(try place.text.contains("\"requestWasSent\": false"))
    }
}
