import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite("Uploads of async sequences", .timeLimit(.minutes(5)))
struct SequenceUploadTests {
    let server: FixtureServer
    let manager: HTTPSessionManager
    static let body = DeterministicBytes.prefix(700_000)

    init() throws {
        server = try FixtureServer()
        server.recordsRequests = true
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
    }

    /// The body in pieces, some of them empty.
    private static func pieces() -> AsyncStream<Data> {
        AsyncStream { stream in
            for start in stride(from: 0, to: body.count, by: 70_000) {
                stream.yield(Data(body[start..<(start + 70_000)]))
                stream.yield(Data())
            }
            stream.finish()
        }
    }

    private func request(_ path: String) throws -> URLRequest {
        var request = URLRequest(url: try #require(manager.url(for: path)))
        request.httpMethod = "POST"
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        return request
    }

    @Test("they arrive completely, chunked or with their length", arguments: [nil, 700_000])
    func bytes(length: Int64?) async throws {
        let echo = try await manager.upload(
            .sequence(Self.pieces(), length: length), to: "echo-body",
            headers: ["Content-Type": "application/octet-stream"])
        #expect(Array(echo) == Self.body)
        let response = await manager.upload(
            for: try request("echo-body"), from: Self.pieces(), length: length,
            serializer: HTTPResponseSerializer())
        #expect(response.value.map { Array($0) } == Self.body)
        let task: Response<Data> = await withCheckedContinuation { continuation in
            do {
                manager.uploadTask(
                    with: try request("echo-body"), from: Self.pieces(), length: length,
                    serializer: HTTPResponseSerializer()
                ) { continuation.resume(returning: $0) }.resume()
            } catch { Issue.record(error) }
        }
        #expect(task.value.map { Array($0) } == Self.body)
        let lengths = server.recordedRequests.map { $0.headers["Content-Length"] }
        #expect(lengths == Array(repeating: length.map { "\($0)" }, count: 3))
    }

    @Test("they are resent only if the sequence can be created again")
    func redirect() async throws {
        let again = "redirect-to?status=307&url=/echo-body"
        let echo = try await manager.upload(.sequence { Self.pieces() }, to: again)
        #expect(Array(echo) == Self.body)
        let error = await #expect(throws: BluebonnetError.self) {
            try await manager.upload(.sequence(Self.pieces()), to: again)
        }
        #expect(error?.description.contains("can be read only once") == true)
    }

    @Test("a sequence that was read cannot be the body of another task")
    func usedUp() async throws {
        let body = RequestBody.sequence(Self.pieces())
        #expect(Array(try await manager.upload(body, to: "echo-body")) == Self.body)
        let error = await #expect(throws: BluebonnetError.self) {
            try await manager.upload(body, to: "echo-body")
        }
        #expect(error?.description.contains("the sequence was already read") == true)
    }

    @Test("they end with the sequence's own error")
    func failure() async throws {
        struct Odd: Error {}
        let pieces = AsyncThrowingStream<Data, any Error> { stream in
            stream.yield(Data([1, 2, 3]))
            stream.finish(throwing: Odd())
        }
        let error = await #expect(throws: BluebonnetError.self) {
            try await manager.upload(.sequence(pieces), to: "echo-body")
        }
        guard case .requestBody(_, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.underlying is Odd)
    }

    @Test(
        "those of another length than declared fail", arguments: [-1, 699_999, 700_001] as [Int64])
    func wrongLength(length: Int64) async throws {
        let error = await #expect(throws: BluebonnetError.self) {
            try await manager.upload(.sequence(Self.pieces(), length: length), to: "echo-body")
        }
        #expect(error?.urlError.code == .requestBodyStreamExhausted)
    }

    @Test("the sequence is canceled with its task")
    func cancel() async throws {
        let (requests, asked) = AsyncStream.makeStream(of: Void.self)
        let (cancellations, cancelled) = AsyncStream.makeStream(of: Void.self)
        let pieces = AsyncStream<Data> {
            asked.finish()
            // Only a cancel ends this.
            try? await Task.sleep(for: .seconds(3600))
            cancelled.finish()
            return nil
        }
        let manager = manager
        let upload = Task { try await manager.upload(.sequence(pieces), to: "echo-body") }
        for await _ in requests {}
        upload.cancel()
        for await _ in cancellations {}
        let error = await #expect(throws: BluebonnetError.self) { try await upload.value }
        #expect(error?.isCancelled == true)
    }

    /// Returns a manager with this limit of connections to the server.
    private func manager(connections: Int) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.maximumConnectionsPerHost = connections
        return HTTPSessionManager(
            baseURL: URL(string: server.baseURL), configuration: configuration)
    }

    @Test("they wait for their next piece without a thread each")
    func threads() async throws {
        let manager = manager(connections: 200)
        let (releases, release) = AsyncStream.makeStream(of: Void.self)
        let released = Task { for await _ in releases {} }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let pieces = AsyncStream<Data> {
                        await released.value
                        return nil
                    }
                    _ = try await manager.upload(.sequence(pieces), to: "echo-body")
                }
            }
            // Other tests have threads, too, but not for long.
            #expect(
                await until {
                    server.openConnectionCount == 200 && ProcessState.threadCount < 150
                })
            release.finish()
            try await group.waitForAll()
        }
    }

    @Test("150 streams are relayed at once")
    func relays() async throws {
        let manager = manager(connections: 300)
        server.recordsRequests = false
        server.route("/count") { .text("\($0.body.count)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<150 {
                group.addTask {
                    let stream = try await manager.stream("bytes/3000000")
                    let count = try await manager.upload(.sequence(stream), to: "count")
                    #expect(String(decoding: count, as: UTF8.self) == "3000000")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "relays whose streams hold all connections that their uploads need end with that reason"
    )
    func deadlock() async throws {
        var configuration = SessionConfiguration()
        #expect(configuration.timeouts.queueStall == 60)
        configuration.timeouts.queueStall = 0.5
        configuration.maximumConnectionsPerHost = 4
        let manager = HTTPSessionManager(
            baseURL: URL(string: server.baseURL), configuration: configuration)
        var streams: [ResponseStream] = []
        for _ in 0..<4 { streams.append(try await manager.stream("bytes/30000000")) }
        let source = streams.removeLast()
        let error = await #expect(throws: BluebonnetError.self) {
            try await manager.upload(.sequence(source), to: "echo-body")
        }
        #expect(error?.timeout == .queueStall && error?.isTimeout == true)
        #expect(error?.description.contains("with an unread response") == true)
        withExtendedLifetime(streams) {}
    }
}
