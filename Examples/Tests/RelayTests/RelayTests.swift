import Bluebonnet
import BluebonnetTesting
import Testing

@testable import Relay

@Suite("The relay", .timeLimit(.minutes(1)))
struct RelayTests {
    private let stub = StubTransport()
    private let clock = ManualClock()
    private let content = Data((0..<100_000).map { UInt8($0 % 251) })

    /// Relays from `/source` to `/destination`, without waiting for delays.
    private func relay(through transport: any Transport) async throws -> ResponseHead? {
        let source = try #require(URL(string: "http://a.test/source"))
        let destination = try #require(URL(string: "http://b.test/destination"))
        let relay = relay(transport)
        return try await clock.run {
            try await relay.relay(from: source, to: destination, deadline: .seconds(30))
        }
    }

    private func relay(_ transport: (any Transport)?) -> Relay {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        return Relay(configuration: configuration, transport: transport)
    }

    @Test("the body arrives with its type")
    func body() async throws {
        stub.on(.get, "/source", .data(content, type: "image/png").inPieces(of: 1000))
        stub.on(.put, "/destination", .status(201))
        #expect(try await relay(through: stub)?.statusCode == 201)
        let put = try #require(stub.requests(to: "/destination").first)
        #expect(put.body == content && put.headers["Content-Type"] == "image/png")
    }

    @Test("a compressed body stays compressed")
    func compressed() async throws {
        // Not gzip, so that an attempt to decode it would fail.
        stub.on(.get, "/source", .data(content).header("Content-Encoding", "gzip"))
        stub.on(.put, "/destination", .status(201))
        _ = try await relay(through: stub)
        let put = try #require(stub.requests(to: "/destination").first)
        #expect(put.body == content && put.headers["Content-Encoding"] == "gzip")
    }

    @Test("a busy source is asked again")
    func busySource() async throws {
        stub.on(.get, "/source", .status(503), .text("hello"))
        stub.on(.put, "/destination", .status(201))
        _ = try await relay(through: stub)
        #expect(stub.requests(to: "/destination").map(\.text) == ["hello"])
    }

    @Test("a source that breaks fails the upload")
    func brokenSource() async throws {
        stub.on(.get, "/source", .data(content).cut(after: 1000))
        stub.on(.put, "/destination", .status(201))
        let error = await #expect(throws: BluebonnetError.self) {
            try await self.relay(through: self.stub)
        }
        let source = error?.context.underlying as? BluebonnetError
        #expect(source?.context.request?.url?.path == "/source")
    }

    @Test("a destination that fails cancels the source")
    func brokenDestination() async throws {
        stub.on(.get, "/source", .data(content).stalled(after: 1000))
        let faulty = FaultyTransport(around: stub)
        faulty.inject(.refuse, into: "/destination")
        let relay = relay(faulty)
        let source = try #require(URL(string: "http://a.test/source"))
        let destination = try #require(URL(string: "http://b.test/destination"))
        await #expect(throws: BluebonnetError.self) {
            try await relay.relay(from: source, to: destination, deadline: .seconds(30))
        }
        // Waits for the source, which would never end by itself.
        await relay.api.shutdown()
        #expect(clock.now == .zero)
    }

    @Test("the deadline is for the source and the destination together")
    func deadline() async throws {
        stub.on(.get, "/source", .data(content).after(.seconds(20)))
        stub.on(.put, "/destination", .silence)
        let error = await #expect(throws: BluebonnetError.self) {
            try await self.relay(through: self.stub)
        }
        #expect(error?.timeout == .whole)
        #expect(clock.now == .seconds(30))
    }

    @Test("the length passes between real servers, if it is known", arguments: [true, false])
    func servers(isLengthKnown: Bool) async throws {
        let (source, destination) = (try TestServer(), try TestServer())
        let large = Data(repeating: 7, count: 8 * 1024 * 1024)
        let response = StubResponse.data(large).inPieces(of: 100_000)
        source.on(
            .get, "/source",
            isLengthKnown ? response : response.header("Transfer-Encoding", "chunked"))
        destination.on(.put, "/destination", .status(204))
        let head = try await Relay().relay(
            from: source.url("/source"), to: destination.url("/destination"), deadline: .seconds(30)
        )
        #expect(head?.statusCode == 204)
        let put = try #require(destination.requests.first)
        #expect(put.body == large)
        #expect(put.headers["Content-Length"] == (isLengthKnown ? "\(large.count)" : nil))
    }

    @Test(
        "the command takes two URLs and a time",
        arguments: [
            ([], nil), (["http://a.test"], nil), (["http://a.test", "http://b.test"], 600),
            (["http://a.test", "http://b.test", "5"], 5),
            (["http://a.test", "http://b.test", "-1"], nil),
        ])
    func arguments(arguments: [String], seconds: Int?) {
        #expect(RelayCommand(arguments)?.deadline == seconds.map { .seconds($0) })
    }
}
