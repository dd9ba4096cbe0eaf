import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTesting
import Testing

@Suite("Injected faults", .timeLimit(.minutes(1)))
struct FaultyTransportTests {
    private let stub = StubTransport()
    private let clock = ManualClock()
    private let faulty: FaultyTransport

    init() {
        faulty = FaultyTransport(around: stub, seed: 7)
    }

    private func api(
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        change(&configuration)
        return HTTPSessionManager(
            baseURL: URL(string: "http://a.test/"), configuration: configuration, transport: faulty)
    }

    @Test(
        "each fault has the error of the real one and reports whether the request was sent",
        arguments: [
            (Fault.refuse, URLError.Code.cannotConnectToHost, false),
            (.unknownHost, .cannotFindHost, false), (.tlsFailure, .secureConnectionFailed, false),
            (.certificate(.hostName), .serverCertificateUntrusted, false),
            (.resetBeforeHead, .networkConnectionLost, true), (.garbage, .badServerResponse, true),
            (.reset(after: 2), .networkConnectionLost, true),
            (.truncate(after: 0), .networkConnectionLost, true),
            (.brokenChunk(after: 3), .badServerResponse, true),
        ])
    func kinds(fault: Fault, code: URLError.Code, arrives: Bool) async throws {
        stub.on(.post, "/", .text("abcdef"))
        faulty.inject(fault)
        let error = await #expect(throws: BluebonnetError.self) { try await api().text("", .post) }
        #expect(error?.urlError.code == code)
        #expect(error?.isSafeToRetry == !arrives)
        #expect(stub.requests.count == (arrives ? 1 : 0))
        #expect(faulty.injections.map { "\($0)" } == ["\(fault): POST http://a.test/"])
    }

    @Test("a body is cut at the exact byte, whatever its pieces are", arguments: [1, 2, 5, 6, 100])
    func cut(size: Int) async throws {
        stub.on("/", .text("abcdef").inPieces(of: size))
        faulty.inject(.reset(after: 5))
        var received = Data()
        let error = await #expect(throws: BluebonnetError.self) {
            for try await piece in try await api().stream("") { received += piece }
        }
        #expect(error?.urlError.code == .networkConnectionLost)
        #expect(String(decoding: received, as: UTF8.self) == "abcde")
    }

    @Test(
        "a body that ends before the fault's position is delivered, and nothing is injected")
    func short() async throws {
        stub.on("/", .text("abc"))
        faulty.inject(.reset(after: 3))
        #expect(try await api().text("") == "abc")
        #expect(faulty.injections.isEmpty)
        faulty.removeFaults()
        faulty.inject(.reset(after: 2))
        await #expect(throws: BluebonnetError.self) { try await api().text("") }
        #expect(faulty.injections.map(\.number) == [1])
    }

    @Test("a status code replaces the response, with Retry-After")
    func status() async throws {
        stub.on("/", .text("a"))
        faulty.inject(.status(503, retryAfter: 2), numbers: [1])
        let api = api()
        let response = await api.response(.get, "", serializer: StringResponseSerializer())
        #expect(response.head?.statusCode == 503 && response.headers["Retry-After"] == "2")
        #expect(try await api.text("") == "a" && stub.requests.count == 1)
    }

    @Test("stalls and trickles take their time on the clock")
    func time() async throws {
        stub.on("/", .text("abcdef"))
        let api = api { $0.timeouts.idle = 60 }
        for (fault, seconds) in [
            (Fault.stall(for: .seconds(5)), 5), (.stall(after: 2, for: .seconds(7)), 7),
            (.stall(after: 6, for: .seconds(4)), 4), (.trickle(2, every: .seconds(3)), 9),
        ] {
            let start = clock.now
            faulty.inject(fault)
            #expect(try await clock.run { try await api.text("") } == "abcdef")
            #expect(clock.now - start == .seconds(seconds), "\(fault)")
            faulty.removeFaults()
        }
    }

    @Test(
        "a stall that is longer than a timeout ends the exchange, also on the transport below",
        arguments: [Fault.stall(for: .seconds(50)), .stall(after: 1, for: .seconds(50))])
    func timeouts(fault: Fault) async throws {
        let server = try FixtureServer()
        let faulty = FaultyTransport(around: CurlTransport())
        faulty.inject(fault)
        var configuration = SessionConfiguration()
        (configuration.clock, configuration.timeouts.idle) = (clock, 20)
        let api = HTTPSessionManager(
            baseURL: URL(string: server.baseURL), configuration: configuration, transport: faulty)
        let error = await clock.run {
            await #expect(throws: BluebonnetError.self) { try await api.text("bytes/3000000") }
        }
        #expect(error?.timeout == .idle && clock.now == .seconds(20))
        await clock.idle()
    }

    @Test("rules match by host, path, method and number, and the first match wins")
    func rules() async throws {
        stub.on("/**", .text("a"))
        faulty.inject(.refuse, into: "http://b.test/**")
        faulty.inject(.tlsFailure, into: "/a", method: .post)
        faulty.inject(.resetBeforeHead, into: "/a", numbers: [2, 3])
        faulty.inject(.unknownHost, into: "/a", numbers: [3, 6])
        let api = api()
        var results: [String] = []
        for (method, path) in [
            (HTTPMethod.get, "a"), (.get, "a"), (.post, "a"), (.get, "a"), (.get, "a"),
            (.get, "http://b.test/x"), (.get, "c"), (.get, "a"),
        ] {
            let response = await api.response(method, path, serializer: StringResponseSerializer())
            results.append(response.value ?? "\(response.error?.urlError.errorCode ?? 0)")
        }
        #expect(
            results == ["a", "-1005", "-1200", "a", "a", "-1004", "a", "-1003"],
            "\(faulty.injections)")
    }

    @Test("the seed determines random faults")
    func chances() async throws {
        stub.on("/", .text("a"))
        func faults(seed: UInt64) async throws -> [Bool] {
            let faulty = FaultyTransport(around: stub, seed: seed)
            faulty.inject(.refuse, chance: 0.3)
            let api = HTTPSessionManager(
                baseURL: URL(string: "http://a.test/"), transport: faulty)
            var faults: [Bool] = []
            for _ in 0..<400 { faults.append((try? await api.text("")) == nil) }
            return faults
        }
        let first = try await faults(seed: 1)
        #expect(try await faults(seed: 1) == first)
        #expect(try await faults(seed: 2) != first)
        #expect((80...160).contains(first.filter { $0 }.count))
    }

    @Test("a slow exchange can be suspended, canceled, and read by a slow reader")
    func control() async throws {
        let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) })
        stub.on("/large", .data(bytes))
        stub.on("/", .text("abcdef"))
        faulty.inject(.trickle(100_000, every: .seconds(1)), into: "/large")
        faulty.inject(.stall(for: .seconds(10)))
        let api = api()
        let read = try await clock.run { [clock] in
            var read = Data()
            for try await piece in try await api.stream("large") {
                read += piece
                try await clock.sleep(for: .seconds(2))
            }
            return read
        }
        #expect(read == bytes)
        let task = Task { try await api.text("") }
        while faulty.injections.count < 2 { await Task.yield() }
        await clock.advance(by: .seconds(5))
        task.cancel()
        let error = await #expect(throws: BluebonnetError.self) { try await task.value }
        #expect(error?.isCancelled == true)
    }
}
