import Bluebonnet
import BluebonnetTesting
import Testing

@testable import Download

@Suite("The downloader", .timeLimit(.minutes(1)))
final class DownloaderTests: Sendable {
    private let stub = StubTransport()
    private let clock = ManualClock()
    private let url = URL(string: "http://files.test/file")
    private let file = FileManager.default.temporaryDirectory
        .appending(path: "download-\(UUID().uuidString)/file")

    private static let content = Data((0..<5000).map { UInt8($0 % 251) })
    private static let whole = StubResponse.data(content).header("ETag", #""1""#)
    private static let rest = StubResponse.data(content.dropFirst(1000), status: 206)
        .header("ETag", #""1""#).header("Content-Range", "bytes 1000-4999/5000")

    init() throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }

    private func downloader(_ transport: (any Transport)?, retryLimit: UInt = 2) -> Downloader {
        var configuration = SessionConfiguration()
        configuration.clock = clock
        let api = HTTPSessionManager(configuration: configuration, transport: transport)
        return Downloader(api: api, retryLimit: retryLimit)
    }

    /// Downloads without waiting for the delays of retries.
    private func download(retryLimit: UInt = 2) async throws {
        let downloader = downloader(stub, retryLimit: retryLimit)
        let (url, file) = (try #require(url), file)
        try await clock.run { try await downloader.download(url, to: file) }
    }

    /// The names of the files that are left; partial files begin with a dot.
    private var names: [String] {
        get throws {
            let directory = file.deletingLastPathComponent().path
            return try FileManager.default.contentsOfDirectory(atPath: directory)
                .map { $0.hasPrefix(".") ? "partial" : $0 }.sorted()
        }
    }

    @Test("a download leaves its file and nothing else")
    func success() async throws {
        stub.on(.get, "/file", Self.whole)
        let counts = Locked<[Int64]>([])
        try await downloader(stub).download(try #require(url), to: file) { progress in
            counts.withLock { $0.append(progress.completedUnitCount) }
        }
        #expect(try Data(contentsOf: file) == Self.content)
        #expect(try names == ["file"])
        #expect(counts.withLock { $0.last } == 5000)
        #expect(stub.requests.map { $0.headers["Accept-Encoding"] } == ["identity"])
    }

    @Test("a connection that breaks is replaced, and only the rest is requested")
    func retry() async throws {
        stub.on(.get, "/file", Self.whole.cut(after: 1000), .status(503), Self.rest)
        try await download()
        #expect(try Data(contentsOf: file) == Self.content)
        #expect(stub.requests.map { $0.headers["Range"] } == [nil, "bytes=1000-", "bytes=1000-"])
    }

    @Test("a later run continues, even after one that received nothing")
    func laterRun() async throws {
        let broken = Self.whole.cut(after: 1000)
        stub.on(.get, "/file", broken, .failure(.cannotConnectToHost), Self.rest)
        for _ in 1...2 {
            await #expect(throws: BluebonnetError.self) { try await self.download(retryLimit: 0) }
            #expect(try names == ["file.resume", "partial"])
        }
        try await download()
        #expect(try Data(contentsOf: file) == Self.content)
        #expect(try names == ["file"])
        try stub.verify()
    }

    @Test("a canceled download continues in the next run")
    func cancel() async throws {
        stub.on(.get, "/file", Self.whole.stalled(after: 1000), Self.rest)
        let (arrivals, arrival) = AsyncStream.makeStream(of: Int64.self)
        let task = Task { [downloader = downloader(stub), url, file] in
            try await downloader.download(try #require(url), to: file) {
                arrival.yield($0.completedUnitCount)
            }
        }
        for await count in arrivals where count == 1000 { break }
        task.cancel()
        let error = await #expect(throws: BluebonnetError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        #expect(try names == ["file.resume", "partial"])
        try await download()
        #expect(try Data(contentsOf: file) == Self.content)
    }

    @Test("a file that has changed since the last run is downloaded from its start")
    func changed() async throws {
        let changed = StubResponse.text("changed").header("ETag", #""2""#)
        stub.on(.get, "/file", Self.whole.cut(after: 1000), changed)
        await #expect(throws: BluebonnetError.self) { try await self.download(retryLimit: 0) }
        try await download()
        #expect(try String(contentsOf: file, encoding: .utf8) == "changed")
        #expect(try names == ["file"])
    }

    @Test("a refused download leaves nothing")
    func refused() async throws {
        stub.on(.get, "/file", .status(404))
        await #expect(throws: BluebonnetError.self) { try await self.download() }
        #expect(try names.isEmpty)
    }

    @Test("a broken download continues on a new connection to a real server")
    func server() async throws {
        let server = try TestServer()
        server.on(.get, "/file", Self.whole.cut(after: 1000), Self.rest)
        let (downloader, file) = (downloader(nil), file)
        try await clock.run { try await downloader.download(server.url("/file"), to: file) }
        #expect(try Data(contentsOf: file) == Self.content)
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=1000-"])
    }
}
