import Bluebonnet
import BluebonnetTestSupport
import BluebonnetTesting
import Testing

@Suite("Timing and control of replays", .timeLimit(.minutes(1)))
struct CassetteTimeTests {
    private let stub = StubTransport()
    private let place = TemporaryCassette()
    private let clock = ManualClock()

    private func api(
        on transport: any Transport, _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        configuration.timeouts.idle = nil
        change(&configuration)
        return HTTPSessionManager(
            baseURL: URL(string: "http://a.test/"), configuration: configuration,
            transport: transport)
    }

    private func cassette(_ mode: CassetteMode, keepsPieces: Bool = true) throws -> Cassette {
        try Cassette(at: place.file, mode: mode, recordingFrom: stub, keepsPieces: keepsPieces)
    }

    private func pieces(_ api: HTTPSessionManager) async throws -> [String] {
        try await clock.run { [clock] in
            let start = clock.now
            var pieces: [String] = []
            for try await piece in try await api.stream("") {
                let time = (clock.now - start) / .seconds(1)
                pieces.append("\(String(decoding: piece, as: UTF8.self)) \(time)")
            }
            return pieces
        }
    }

    @Test("pieces and their times are recorded on request and replayed on the clock")
    func pieces() async throws {
        stub.on(
            "/", .text("aé\ncdef").inPieces(of: 2, every: .milliseconds(1500)).after(.seconds(1)))
        let recording = try cassette(.recordAnew)
        let times = try await pieces(api(on: recording))
        #expect(times.count == 4 && times.last == "ef 7.0")
        try recording.verify()
        #expect(
            try place.text.contains(
                """
                        "body": {
                          "pieces": [
                            {
                              "milliseconds": 1500,
                              "base64": "YcM="
                            },
                            {
                              "milliseconds": 1500,
                              "base64": "qQo="
                            },
                            {
                              "milliseconds": 1500,
                              "text": "cd"
                            },
                """))
        #expect(try place.text.contains("\"milliseconds\": 1000,\n        \"headers\""))
        let replay = try cassette(.replay)
        let start = ContinuousClock.now
        #expect(try await pieces(api(on: replay)) == times)
        // Without the session's clock it would take seven seconds.
        #expect(ContinuousClock.now - start < .seconds(5))
        try replay.verify()
    }

    @Test("the delay of a piece that redaction emptied is kept")
    func emptied() async throws {
        stub.on(
            "/",
            .text(#"{"otp":"abcdefgh1234","n":1}"#).inPieces(of: 6, every: .seconds(1)))
        let recording = try cassette(.recordAnew)
        _ = try await pieces(api(on: recording))
        try recording.verify()
        let replayed = try await pieces(api(on: cassette(.replay)))
        #expect(
            replayed == [
                #"{"otp" 1.0"#, #":"SECRET_1" 2.0"#, #","n 4.0"#, #"":1} 5.0"#,
            ])
    }

    @Test("a replay waits at most one day for a piece")
    func longest() async throws {
        stub.on("/", .text("ab").inPieces(of: 1, every: .seconds(100_000)))
        let recording = try cassette(.recordAnew)
        _ = try await pieces(api(on: recording))
        try recording.verify()
        #expect(try await pieces(api(on: cassette(.replay))) == ["a 86400.0", "b 172800.0"])
    }

    @Test("without recorded pieces, a body is replayed at once")
    func atOnce() async throws {
        stub.on("/", .text("abcdef").inPieces(of: 2, every: .seconds(3)).after(.seconds(1)))
        let recording = try cassette(.recordAnew, keepsPieces: false)
        #expect(try await pieces(api(on: recording)).count == 3)
        try recording.verify()
        #expect(try await pieces(api(on: cassette(.replay))) == ["abcdef 0.0"])
        #expect(try !place.text.contains("milliseconds"))
    }

    @Test(
        "timeouts run while a replay waits",
        arguments: [(0.5, "head"), (1.2, "idle"), (nil, "none")])
    func timeouts(limit: Double?, timeout: String) async throws {
        stub.on("/", .text("abcdef").inPieces(of: 2, every: .milliseconds(1500)).after(.seconds(1)))
        let recording = try cassette(.recordAnew)
        _ = try await pieces(api(on: recording))
        try recording.verify()
        let api = api(on: try cassette(.replay)) {
            $0.timeouts.idle = limit
            $0.timeouts.head = timeout == "head" ? limit : nil
        }
        let error = await clock.run {
            do {
                _ = try await api.text("")
                return nil as BluebonnetError?
            } catch {
                return error as? BluebonnetError
            }
        }
        #expect((error?.timeout?.rawValue ?? "none") == timeout)
    }

    @Test("a replay can be suspended and resumed")
    func suspended() async throws {
        stub.on("/", .text("late").after(.seconds(60)))
        let recording = try cassette(.recordAnew)
        _ = try await pieces(api(on: recording))
        try recording.verify()
        let api = api(on: try cassette(.replay)) { $0.timeouts.idle = 30 }
        let texts = Locked<[String?]>([])
        let task = api.get("", serializer: StringResponseSerializer()) { response in
            texts.withLock { $0.append(response.value) }
        }
        await clock.advance(by: .seconds(5))
        task.suspend()
        await clock.advance(by: .seconds(600))
        #expect(texts.withLock { $0.isEmpty })
        task.resume()
        await clock.advance(by: .seconds(60))
        #expect(texts.withLock { $0 } == ["late"])
    }

    @Test(
        "an exchange that was canceled in the recording does not end by itself in a replay"
    )
    func cancelled() async throws {
        stub.on("/", .text("abcdef").stalled(after: 3))
        for mode in [CassetteMode.recordAnew, .replay, .recordMissing] {
            let cassette = try cassette(mode)
            let api = api(on: cassette)
            let task = Task { [api] in
                var text = ""
                for try await piece in try await api.stream("") {
                    text += String(decoding: piece, as: UTF8.self)
                    if text == "abc" { break }
                }
                return text
            }
            #expect(try await task.value == "abc")
            await clock.idle()
            try cassette.verify()
            #expect(try place.text.contains("\"cancelled\": true"))
        }
        #expect(stub.requests.count == 1)
        let api = api(on: try cassette(.replay)) { $0.timeouts.whole = 30 }
        let error = await clock.run {
            await #expect(throws: BluebonnetError.self) { try await api.text("") }
        }
        #expect(error?.timeout == .whole)
    }

    @Test("a slow reader gets all of a large body")
    func slowReader() async throws {
        let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
        stub.on("/", .data(bytes))
        for mode in [CassetteMode.recordMissing, .replay] {
            let cassette = try cassette(mode, keepsPieces: false)
            let api = api(on: cassette)
            let read = try await clock.run { [clock] in
                var read = Data()
                for try await piece in try await api.stream("") {
                    read += piece
                    if read.count < 500_000 { try await clock.sleep(for: .seconds(2)) }
                }
                return read
            }
            #expect(read == bytes)
            try cassette.verify()
        }
    }
}
