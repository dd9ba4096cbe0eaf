import Bluebonnet
import BluebonnetTesting
import Foundation
import FoundationNetworking
import Testing

@Suite("A streamed response to a streamed body", .timeLimit(.minutes(1)))
struct StreamedUploadTests {
    private let stub = StubTransport()
    private let manager: SessionManager
    private let request: URLRequest

    init() throws {
        manager = SessionManager(transport: stub)
        request = try #require(
            URL(string: "https://api.test/a").map {
                var request = URLRequest(url: $0)
                request.httpMethod = "POST"
                return request
            })
    }

    private func pieces() -> AsyncStream<Data> {
        AsyncStream { continuation in
            for piece in ["ab", "c"] { continuation.yield(Data(piece.utf8)) }
            continuation.finish()
        }
    }

    @Test("the pieces are sent, and the response is read piece by piece")
    func both() async throws {
        stub.on(.post, "/a", .text("defgh").inPieces(of: 2))
        let stream = try await manager.stream(for: request, from: pieces(), length: 3)
        var body = Data()
        for try await piece in stream { body += piece }
        #expect(stub.requests.map(\.text) == ["abc"])
        #expect(stream.head.statusCode == 200 && body == Data("defgh".utf8))
    }

    @Test("a replayable sequence is iterated again after a redirect, and another one fails")
    func replay() async throws {
        stub.on(.post, "/a", .redirect(to: "/b", status: 307))
        stub.on(.post, "/b", .text("d"))
        let again = ["ab", "c"].map { Data($0.utf8) }
        let stream = try await manager.stream(
            for: request, from: Pieces(all: again), isReplayable: true)
        for try await _ in stream {}
        #expect(stub.requests(to: "/b").map(\.text) == ["abc"])
        await #expect(throws: BluebonnetError.self) {
            try await manager.stream(for: request, from: Pieces(all: again))
        }
        #expect(stub.requests(to: "/b").count == 1)
    }
}

private struct Pieces: AsyncSequence, Sendable {
    let all: [Data]

    func makeAsyncIterator() -> Iterator { Iterator(rest: all[...]) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>

        mutating func next() async -> Data? { rest.popFirst() }
    }
}
