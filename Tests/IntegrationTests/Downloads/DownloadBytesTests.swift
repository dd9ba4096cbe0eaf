import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Testing

@Suite("Downloads over sockets", .timeLimit(.minutes(5)))
struct DownloadBytesTests {
    let server: FixtureServer
    let manager: HTTPSessionManager
    let directory: ServerDirectory
    let place: URL

    init() throws {
        server = try FixtureServer()
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
        directory = try ServerDirectory()
        place = URL(fileURLWithPath: directory.path(of: "result"))
    }

    func request(_ path: String, _ method: String = "GET") throws -> URLRequest {
        var request = URLRequest(url: try #require(manager.url(for: path)))
        request.httpMethod = method
        return request
    }

    func download(_ path: String, _ method: String = "GET") async throws -> Response<URL> {
        await manager.download(
            for: try request(path, method), destination: { [place] _ in place },
            options: .removePreviousFile)
    }

    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    @Test(
        "the file has every byte, for any length, framing and coding",
        arguments: ["bytes/0", "bytes/1", "bytes/5000000", "chunked/3000000", "gzip/2000000"])
    func bytes(path: String) async throws {
        let response = try await download(path)
        #expect(response.error == nil && response.value == place)
        let count = try #require(Int(path.split(separator: "/")[1]))
        let bytes = [UInt8](try FileHandle(forReadingFrom: place).readToEnd() ?? Data())
        #expect(bytes.count == count && DeterministicBytes.matches(bytes))
        #expect(try names() == ["result"])
    }

    @Test("HEAD creates an empty file")
    func head() async throws {
        let response = try await download("bytes/1000", "HEAD")
        #expect(response.error == nil)
        #expect(try FileHandle(forReadingFrom: place).readToEnd()?.isEmpty != false)
    }

    @Test("an error status leaves no file, and its body is in the response")
    func errorStatus() async throws {
        let response = try await download("status/500")
        guard case .unacceptableStatus(500, _)? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(
            response.data.map { String(decoding: $0, as: UTF8.self) }?.contains("status 500")
                == true)
        #expect(try names().isEmpty)
    }

    @Test("canceling the Swift task closes the connection and keeps nothing")
    func cancelled() async throws {
        server.route("/slow") { _ in
            .script([
                .send(
                    Array("HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 100000\r\n\r\n".utf8)),
                .send(DeterministicBytes.prefix(50_000)), .hold,
            ])
        }
        let written = Counts()
        let request = try request("slow")
        let task = Task { [manager, place] in
            await manager.download(for: request, destination: { _ in place }) {
                written.add($0.completedUnitCount, $0.totalUnitCount)
            }
        }
        // Progress of less than 1% is not reported at once.
        while (written.all.last?.completed ?? 0) <= 49_000 { await Task.yield() }
        task.cancel()
        let response = await task.value
        #expect(response.error?.isCancelled == true)
        #expect(response.error?.resumeData == nil)
        while try !names().isEmpty { await Task.yield() }
        #expect(await onSeparateThread { server.wait(upTo: 10_000) { $0.openConnections == 0 } })
    }

    @Test("a missing directory ends an endless response")
    func noSuchDirectory() async throws {
        let response = await manager.download(
            for: try request("endless"),
            destination: { _ in URL(fileURLWithPath: "/no/such/place/file") })
        guard case .file(let failure, _)? = response.error else {
            Issue.record("\(response)")
            return
        }
        #expect(failure.systemErrorNumber == 2)
        #expect(await onSeparateThread { server.wait(upTo: 10_000) { $0.openConnections == 0 } })
    }

    @Test("a large body becomes a download before it takes memory")
    func becomesDownload() async throws {
        manager.dataTaskDidReceiveResponse = { _, _ in .becomeDownload }
        manager.downloadTaskDidFinishDownloading = { [place] _, _ in place }
        let response = await manager.response(
            for: try request("bytes/4000000"), serializer: HTTPResponseSerializer())
        #expect(response.fileURL == place && response.data == nil)
        let bytes = [UInt8](try FileHandle(forReadingFrom: place).readToEnd() ?? Data())
        #expect(bytes.count == 4_000_000 && DeterministicBytes.matches(bytes))
    }
}

/// Runs blocking code where it delays no other test.
func onSeparateThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
