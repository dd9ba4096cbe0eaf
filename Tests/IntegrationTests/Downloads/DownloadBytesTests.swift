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
        "the file has every byte, whatever its length, framing and coding",
        arguments: ["bytes/0", "bytes/1", "bytes/5000000", "chunked/3000000", "gzip/2000000"])
    func bytes(path: String) async throws {
        let response = try await download(path)
        #expect(response.error == nil && response.value == place)
        let count = try #require(Int(path.split(separator: "/")[1]))
        let bytes = [UInt8](try FileHandle(forReadingFrom: place).readToEnd() ?? Data())
        #expect(bytes.count == count && DeterministicBytes.matches(bytes))
        #expect(try names() == ["result"])
    }

    @Test("HEAD makes an empty file")
    func head() async throws {
        let response = try await download("bytes/1000", "HEAD")
        #expect(response.error == nil)
        #expect(try FileHandle(forReadingFrom: place).readToEnd()?.isEmpty != false)
    }

    @Test("an error status leaves no file and has its body in the response (C2, S16)")
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

    @Test("cancelling the Swift task closes the connection and keeps nothing")
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
        // Of less than a hundredth nobody is told at once.
        while (written.all.last?.completed ?? 0) <= 49_000 { await Task.yield() }
        task.cancel()
        let response = await task.value
        #expect(response.error?.isCancelled == true)
        #expect(response.error?.resumeData == nil)
        while try !names().isEmpty { await Task.yield() }
        #expect(await onSeparateThread { server.wait(upTo: 10_000) { $0.openConnections == 0 } })
    }

    @Test("a directory that is missing ends an endless response")
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

    /// Serves ranges of `count` bytes, and cuts the connection after a random number of them.
    func serveBroken(_ path: String, count: Int, tag: String, cuts: Cuts) {
        server.route(path) { request in
            let range = request.headers["Range"].flatMap {
                Int($0.dropFirst("bytes=".count).dropLast())
            }
            let start = range ?? 0
            let end = min(count, start + cuts.next())
            var head = "HTTP/1.1 \(range == nil ? "200 OK" : "206 Partial Content")\r\n"
            head += "ETag: \"\(tag)\"\r\nContent-Length: \(count - start)\r\n"
            if range != nil { head += "Content-Range: bytes \(start)-\(count - 1)/\(count)\r\n" }
            let bytes = Array(DeterministicBytes.prefix(end)[start...])
            return .script([
                .send(Array("\(head)\r\n".utf8)), .send(bytes), end == count ? .endRequest : .close,
            ])
        }
    }

    @Test(
        "a download that breaks ten times is gone on with ten times, and has the right bytes (fault 82)"
    )
    func resumed() async throws {
        let count = 3_000_000
        let cuts = Cuts(10, upTo: count / 11)
        serveBroken("/file", count: count, tag: "a", cuts: cuts)
        var response = try await download("file")
        for _ in 0..<10 {
            let data = try #require(response.error?.resumeData, "\(response)")
            response = await resume(data)
        }
        #expect(response.error == nil)
        let bytes = [UInt8](try FileHandle(forReadingFrom: place).readToEnd() ?? Data())
        #expect(bytes.count == count && DeterministicBytes.matches(bytes))
        #expect(try names() == ["result"])
    }

    func resume(_ data: Data) async -> Response<URL> {
        await withCheckedContinuation { continuation in
            manager.downloadTask(withResumeData: data, destination: { [place] _ in place }) {
                continuation.resume(returning: $0)
            }.resume()
        }
    }

    @Test("a server that has another file since gives the whole new one (fault 82)")
    func changedOnServer() async throws {
        serveBroken("/file", count: 200_000, tag: "a", cuts: Cuts(1, upTo: 100_000))
        let data = try #require(try await download("file").error?.resumeData)
        serveBroken("/file", count: 300_000, tag: "b", cuts: Cuts(0, upTo: 1))
        let response = await resume(data)
        #expect(response.error == nil)
        let bytes = [UInt8](try FileHandle(forReadingFrom: place).readToEnd() ?? Data())
        #expect(bytes.count == 300_000 && DeterministicBytes.matches(bytes))
        #expect(try names() == ["result"])
    }

    @Test("a 416 with a body finishes a file that was whole (fault 82)")
    func rangeNotSatisfiable() async throws {
        server.route("/file") { request in
            if let range = request.headers["Range"] {
                // What came right before the connection ended may not have been read.
                guard range == "bytes=50000-" else { return Self.rest(of: 50_000, range) }
                return .response(
                    status: 416, headers: [("Content-Range", "bytes */50000")],
                    body: Array("there is no more".utf8))
            }
            let head =
                "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nTransfer-Encoding: chunked\r\n\r\nc350\r\n"
            return .script([
                .send(Array(head.utf8)), .send(DeterministicBytes.prefix(50_000)), .close,
            ])
        }
        let data = try #require(try await download("file").error?.resumeData)
        let response = await resume(data)
        #expect(response.error == nil)
        #expect(
            [UInt8](try FileHandle(forReadingFrom: place).readToEnd() ?? Data())
                == DeterministicBytes.prefix(50_000))
    }

    private static func rest(of count: Int, _ range: String) -> FixtureReply {
        let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
        return .response(
            status: 206,
            headers: [
                ("Content-Range", "bytes \(start)-\(count - 1)/\(count)"), ("ETag", "\"a\""),
            ],
            body: Array(DeterministicBytes.prefix(count)[start...]))
    }

    @Test("a large body becomes a download before it needs memory (S18)")
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

/// How many bytes come before each cut; after the last cut, all of them.
final class Cuts: @unchecked Sendable {
    // @unchecked: every use of the list is under the lock.
    private let lock = NSLock()
    private var list: [Int]

    init(_ count: Int, upTo limit: Int) {
        list = (0..<count).map { _ in Int.random(in: 1...limit) }
    }

    func next() -> Int { lock.withLock { list.popLast() ?? .max / 2 } }
}

/// Runs something that blocks where it holds up no other test.
func onSeparateThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
