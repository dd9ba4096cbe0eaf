import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

extension LoadTests {
    /// A consumer that is slower than its server.
    @Suite("Slow readers", .serialized)
    struct SlowReaders {
        /// The maximum that a stream can hold: its buffer, one piece, and libcurl's buffer.
        static let streamBound = 1024 * 1024 + 256 * 1024 + 64 * 1024
        /// Other memory that can become resident.
        ///
        /// The decoder has a window and tables (at most 512 KiB and 160 KiB for zstd here). The
        /// fixture server of this process takes 64 KiB, with copies. The allocator keeps freed
        /// pieces in the arena of each thread.
        static let slack = 4 * 1024 * 1024
        static let bytesPerSecond = 1024.0 * 1024.0

        let server: FixtureServer
        let manager: HTTPSessionManager

        init() throws {
            server = try FixtureServer()
            var configuration = SessionConfiguration()
            // The test is about bodies that are small on the wire and endless when decoded.
            configuration.maximumExpansionRatio = nil
            manager = HTTPSessionManager(
                baseURL: URL(string: server.baseURL), configuration: configuration)
        }

        /// Reads at 1 MB/s for some seconds, releases the stream, and returns the number of bytes.
        func read(_ body: EndlessBody, seconds: Double) async throws -> Int {
            let stream = try await manager.stream(
                for: URLRequest(url: #require(manager.url(for: body.rawValue))))
            let start = MonotonicClock.seconds
            var count = 0
            for try await piece in stream {
                count += piece.count
                let ahead = Double(count) / Self.bytesPerSecond - (MonotonicClock.seconds - start)
                if ahead > 0 { try await Task.sleep(for: .seconds(ahead)) }
                if MonotonicClock.seconds - start >= seconds { break }
            }
            return count
        }

        @Test(
            "an endless body read at 1 MB/s takes a buffer and one piece, and stops its server",
            arguments: EndlessBody.allCases)
        func endless(body: EndlessBody) async throws {
            let sent = Locked(0)
            server.route("/" + body.rawValue) { _ in body.reply(counting: sent) }
            // Allocates what is allocated once: the decoder's code, threads and their arenas.
            _ = try await read(body, seconds: 0.25)
            #expect(await until { server.openConnectionCount == 0 })

            ProcessState.releaseFreedMemory()
            let start = ProcessState.residentMemory
            ProcessState.forgetPeakMemory()
            let seconds = LoadVariant.pick(short: 2.0, full: 20.0)
            let count = try await read(body, seconds: seconds)
            let growth = ProcessState.peakMemory - start
            #expect(count >= Int(seconds * Self.bytesPerSecond * 0.9))
            print(
                "slow reader, \(body.rawValue): \(count) B read, peak \(growth) B above the start")
            if !ProcessState.isSanitized { #expect(growth <= Self.streamBound + Self.slack) }

            #expect(await until { server.openConnectionCount == 0 })
            let sentAtEnd = sent.withLock { $0 }
            // Another whole response gives the server time to send more to the first, which it must
            // not.
            _ = try await manager.data(
                for: URLRequest(url: #require(manager.url(for: "delay/100"))))
            #expect(sent.withLock { $0 } == sentAtEnd)
        }

        @Test(
            "a reader that stops also stops the server, in every coding",
            arguments: EndlessBody.allCases)
        func stopped(body: EndlessBody) async throws {
            let sent = Locked(0)
            server.route("/" + body.rawValue) { _ in body.reply(counting: sent) }
            let stream = try await manager.stream(
                for: URLRequest(url: #require(manager.url(for: body.rawValue))))
            var reader = stream.makeAsyncIterator()
            var read = try await reader.next()?.count ?? 0
            // The server has stopped when it has sent nothing for a quarter of a second.
            var (before, quiet, rounds) = (-1, 0, 0)
            while quiet < 25, rounds < 1000 {
                try await Task.sleep(for: .milliseconds(10))
                let now = sent.withLock { $0 }
                (before, quiet, rounds) = (now, now == before ? quiet + 1 : 0, rounds + 1)
            }
            #expect(quiet == 25, "the server goes on sending: \(before)")
            #expect(stream.task.progress.completedUnitCount - Int64(read) <= Self.streamBound)
            while read < 8 << 20 { read += try await reader.next()?.count ?? 0 }
            #expect(stream.task.progress.completedUnitCount - Int64(read) <= Self.streamBound)
        }
    }
}
