import Bluebonnet
import BluebonnetFixtureServer
import Testing

@Suite("Streams over sockets", .timeLimit(.minutes(5)))
struct StreamBytesTests {
    let server: FixtureServer
    let manager: HTTPSessionManager

    init() throws {
        server = try FixtureServer()
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
    }

    func request(_ path: String) throws -> URLRequest {
        URLRequest(url: try #require(manager.url(for: path)))
    }

    @Test(
        "the pieces form the body, in order",
        arguments: ["bytes/0", "bytes/6000000", "chunked/3000000", "gzip/3000000"])
    func bytes(path: String) async throws {
        let stream = try await manager.stream(for: request(path))
        #expect(stream.head.statusCode == 200)
        var count = 0
        for try await piece in stream {
            #expect(!piece.isEmpty && DeterministicBytes.matches([UInt8](piece), from: count))
            count += piece.count
        }
        #expect(count == Int(path.split(separator: "/")[1]))
    }

    @Test("a reader that stops also stops the server, so memory is bounded")
    func backPressure() async throws {
        let sent = Counts()
        let block = [UInt8](repeating: 7, count: 64 * 1024)
        server.route("/endless-counted") { _ in
            .script([
                .send(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".utf8)),
                .generate { index in
                    sent.add(Int64(index), 0)
                    return [.send(block)]
                },
            ])
        }
        let stream = try await manager.stream(for: request("endless-counted"))
        var reader = stream.makeAsyncIterator()
        var readCount = try await reader.next()?.count ?? 0
        // The server has sent nothing for a while. The bytes that the task counts are those in
        // memory.
        var (before, quiet) = (-1, 0)
        while quiet < 20 {
            try await Task.sleep(for: .milliseconds(10))
            quiet = sent.all.count == before ? quiet + 1 : 0
            before = sent.all.count
        }
        let held = stream.task.progress.completedUnitCount - Int64(readCount)
        #expect(held > 0 && held <= 1024 * 1024 + 256 * 1024)
        // It continues with the reads, for ten times the limit in memory.
        while readCount < 10 * 1024 * 1024 { readCount += try await reader.next()?.count ?? 0 }
        let heldLater = stream.task.progress.completedUnitCount - Int64(readCount)
        #expect(heldLater <= 1024 * 1024 + 256 * 1024)
    }

    @Test("releasing an endless stream closes its connection")
    func dropped() async throws {
        do {
            let stream = try await manager.stream(for: request("endless"))
            var reader = stream.makeAsyncIterator()
            _ = try await reader.next()
        }
        #expect(await onSeparateThread { server.wait(upTo: 10_000) { $0.openConnections == 0 } })
    }

    @Test("canceling the Swift task that reads an endless stream throws .cancelled")
    func cancelled() async throws {
        let (manager, request) = (manager, try request("endless"))
        let count = Counts()
        let task = Task {
            do {
                for try await piece in try await manager.stream(for: request) {
                    count.add(Int64(piece.count), 0)
                }
                return false
            } catch {
                return (error as? BluebonnetError)?.isCancelled == true
            }
        }
        while count.all.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value)
        #expect(await onSeparateThread { server.wait(upTo: 10_000) { $0.openConnections == 0 } })
    }

    @Test("a body that breaks off throws after its pieces")
    func broken() async throws {
        server.route("/broken") { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        }
        let stream = try await manager.stream(for: request("broken"))
        var bytes: [UInt8] = []
        var thrown: BluebonnetError?
        do {
            for try await piece in stream { bytes += piece }
        } catch {
            thrown = error
        }
        #expect(bytes == Array("abc".utf8))
        #expect(thrown?.urlError.code == .networkConnectionLost)
    }
}
