import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTesting
import Testing

@Suite("Exchanges on cassettes", .timeLimit(.minutes(1)))
struct CassetteExchangeTests {
    private let place = TemporaryCassette()

    private func cassette(_ mode: CassetteMode, _ transport: any Transport) throws -> Cassette {
        try Cassette(at: place.file, mode: mode, recordingFrom: transport)
    }

    private static let samples: [Exchange.Failure] = {
        var lost = Exchange.Failure(
            .networkConnectionLost, message: "the connection was lost", curlCode: 56,
            systemErrorNumber: 104)
        (lost.isResendable, lost.malformedPart) = (true, .chunk)
        var refused = Exchange.Failure(.cannotConnectToHost, message: "refused", proxyStatus: 407)
        refused.proxyFields = [
            .init(name: "Proxy-Authenticate", value: #"Basic realm="a: b""#),
            .init(name: "Via", value: "1.1 p"),
        ]
        return [
            lost, refused,
            .init(.timedOut, message: "too slow", timeout: .connect),
            .init(.badServerResponse, message: "too much", limit: .fieldCount),
            .init(
                certificateFault: .init(
                    check: .expiry, host: "a.test:443", presentedChain: [Data([1, 2])])),
            .init(.cannotFindHost, message: "\"quoted\"\nand broken"),
        ]
    }()

    @Test(
        "a failure is replayed completely, with whether the request was sent", arguments: samples)
    func failures(failure: Exchange.Failure) async throws {
        let stub = StubTransport()
        stub.on("/none", .failure(failure))
        stub.on("/part", .text("abcdef").cut(after: 4, failure: failure))
        var outcomes: [Outcome] = []
        for mode in [CassetteMode.recordAnew, .replay] {
            let cassette = try cassette(mode, stub)
            outcomes.append(await cassette.outcome("GET", "http://a.test/none"))
            outcomes.append(await cassette.outcome("GET", "http://a.test/part"))
            try cassette.verify()
        }
        #expect(outcomes.map(\.failure) == Array(repeating: failure, count: 4))
        #expect(outcomes[2].head == nil && outcomes[2].end?.wasSent == outcomes[0].end?.wasSent)
        #expect(outcomes[3].text == "abcd" && outcomes[3].headers == outcomes[1].headers)
        #expect(outcomes[3].end?.wasSent == true)
    }

    @Test("a request body that the server did not read to its end is not on the cassette")
    func unreadBody() async throws {
        struct Early: Transport {
            func transfer(
                for exchange: Exchange, reportingTo sink: any ExchangeSink
            ) -> any Transfer {
                AnsweringTransfer(exchange, reportingTo: sink) { $0.reply(413) }
            }
        }
        for mode in [CassetteMode.recordAnew, .replay] {
            let cassette = try cassette(mode, Early())
            let pieces = AsyncStream<Data> { stream in
                stream.yield(Data("\(mode)".utf8))
                stream.finish()
            }
            let body = Exchange.Body.stream(.init(pieces))
            #expect(
                await cassette.outcome("PUT", "http://a.test/", body: body).head?.statusCode == 413)
            try cassette.verify()
        }
        #expect(try place.text.contains("\"body\": {\n          \"unread\": true"))
    }

    @Test("a body that was sent twice is on the cassette once")
    func resentBody() async throws {
        struct Resending: Transport {
            func transfer(
                for exchange: Exchange, reportingTo sink: any ExchangeSink
            ) -> any Transfer {
                AnsweringTransfer(exchange, reportingTo: sink) { transfer in
                    _ = try? exchange.body?.read()
                    transfer.reply(200, body: (try? exchange.body?.read()) ?? Data())
                }
            }
        }
        let stream = Exchange.BodyStream(length: 6, isReplayable: true) {
            OnceSource(Data("abcdef".utf8))
        }
        let cassette = try cassette(.recordAnew, Resending())
        #expect(
            await cassette.outcome("PUT", "http://a.test/", body: .stream(stream)).text == "abcdef")
        try cassette.verify()
        // One text is the request's, the other is in the response that echoes it.
        #expect(try place.text.split(separator: "\"text\": \"abcdef\"").count == 3)
    }

    @Test(
        "a streamed body that is not on the cassette is read once and sent as usual",
        arguments: [nil, 6] as [Int64?])
    func missingStream(length: Int64?) async throws {
        let server = try FixtureServer()
        let opened = Locked(0)
        let stream = Exchange.BodyStream(length: length, isReplayable: false) {
            opened.withLock { $0 += 1 }
            return OnceSource(Data("abcdef".utf8))
        }
        let cassette = try cassette(.recordMissing, CurlTransport())
        let outcome = await cassette.outcome("PUT", "\(server.baseURL)/echo", body: .stream(stream))
        #expect(outcome.text.contains(#""body":"abcdef""#))
        #expect(outcome.text.contains("chunked") == (length == nil), "\(outcome.text)")
        try cassette.verify()
        server.stop()
        let replay = try self.cassette(.recordMissing, CurlTransport())
        let again = await replay.outcome("PUT", "\(server.baseURL)/echo", body: .stream(stream))
        #expect(again.text == outcome.text && opened.withLock { $0 } == 2)
        try replay.verify()
    }

    @Test("a cancel during recording ends the exchange")
    func cancel() async throws {
        let server = try FixtureServer()
        let cassette = try cassette(.recordMissing, CurlTransport())
        let api = HTTPSessionManager(baseURL: URL(string: server.baseURL), transport: cassette)
        let task = Task { try await api.text("endless") }
        while server.requestCount == 0 { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: BluebonnetError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        await api.shutdown()
        try cassette.verify()
        #expect(try place.text.contains("\"cancelled\": true"))
    }

    @Test("removed content codings are reported in the replay, and the head is unchanged")
    func codings() async throws {
        let server = try FixtureServer()
        var outcomes: [Outcome] = []
        for mode in [CassetteMode.recordAnew, .replay] {
            let cassette = try cassette(mode, CurlTransport())
            outcomes.append(await cassette.outcome("GET", "\(server.baseURL)/gzip"))
            try cassette.verify()
        }
        #expect(outcomes[0].codings == .init(removed: ["gzip"]))
        #expect(outcomes[1].codings == outcomes[0].codings)
        #expect(outcomes[1].headers == outcomes[0].headers && outcomes[1].body == outcomes[0].body)
        #expect(outcomes[1].end?.metrics.protocolVersion == "HTTP/1.1")
    }
}

/// Returns the data one byte at a time.
private final class OnceSource: BodySource {
    private let rest: Locked<Data>

    init(_ data: Data) {
        rest = Locked(data)
    }

    func read(upTo count: Int) -> Data {
        rest.withLock { rest in
            defer { rest = rest.dropFirst(1) }
            return Data(rest.prefix(1))
        }
    }
}
