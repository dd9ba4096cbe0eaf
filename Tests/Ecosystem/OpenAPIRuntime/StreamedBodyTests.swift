import Bluebonnet
import BluebonnetEcosystem
import Foundation
import OpenAPIRuntime
import Testing

/// Bodies over a real connection.
///
/// The memory is that of the process, so nothing else runs meanwhile.
@Suite("Streamed bodies of generated clients", .serialized, .timeLimit(.minutes(5)))
struct StreamedBodyTests {
    private static let size = 1 << 30
    private let server: StreamingServer
    private let manager = SessionManager()
    private let client: PetClient

    init() throws {
        server = try StreamingServer()
        client = PetClient(serverURL: server.url, transport: OpenAPITransport(manager))
    }

    /// A body of `count` bytes whose pieces are made when they are asked for.
    private func body(_ count: Int) -> HTTPBody {
        HTTPBody(
            Pieces(count: count), length: .known(Int64(count)), iterationBehavior: .multiple)
    }

    /// Returns the mebibytes that a closure adds to the process's memory at its peak, and prints them.
    private func growth(_ name: String, _ body: () async throws -> Void) async throws -> Int {
        func memory(_ name: String) throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
            return try #require(line?.split(separator: " ").dropLast().last.flatMap { Int($0) })
        }
        // So that the first use of everything does not count.
        _ = try await Data(collecting: client.download("/bytes/1000000"), upTo: 1_000_000)
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"), options: [])
        let start = try memory("VmRSS")
        try await body()
        let peak = try memory("VmHWM")
        print("memory: \(name): \((peak - start) / 1024) MiB more, \(peak / 1024) MiB at the peak")
        return (peak - start) / 1024
    }

    @Test("1 GiB is sent with flat memory")
    func up() async throws {
        let growth = try await growth("1 GiB up") {
            let answer = try await client.upload(body(Self.size), to: "/count")
            #expect(try await String(collecting: answer, upTo: 100) == "\(Self.size)")
        }
        #expect(growth < 32)
    }

    @Test("1 GiB is received with flat memory")
    func down() async throws {
        let growth = try await growth("1 GiB down") {
            var count = 0
            for try await piece in try await client.download("/bytes/\(Self.size)") {
                count += piece.count
            }
            #expect(count == Self.size)
        }
        #expect(growth < 32)
    }

    @Test("256 MiB are sent and received at once with flat memory")
    func both() async throws {
        let growth = try await growth("256 MiB up and down") {
            var count = 0
            for try await piece in try await client.upload(body(Self.size / 4), to: "/echo") {
                count += piece.count
            }
            #expect(count == Self.size / 4)
        }
        #expect(growth < 64)
    }

    @Test("a body that is not read stops the server, and releasing it closes the connection")
    func backPressure() async throws {
        var body: HTTPBody? = try await client.download("/bytes/\(Self.size)")
        let stalled = try await client.download("/stalled")
        let sent = try #require(Int(try await String(collecting: stalled, upTo: 100)))
        #expect(sent < 32 << 20)
        #expect(body != nil)
        body = nil
        let closed = try await client.download("/closed")
        #expect(try await String(collecting: closed, upTo: 100) == "closed")
    }
}

/// Pieces of 64 KiB.
private struct Pieces: AsyncSequence, Sendable {
    let count: Int

    func makeAsyncIterator() -> Iterator { Iterator(rest: count) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: Int

        mutating func next() async -> HTTPBody.ByteChunk? {
            guard rest > 0 else { return nil }
            let count = Swift.min(rest, 1 << 16)
            rest -= count
            return ArraySlice(repeating: 7, count: count)
        }
    }
}
