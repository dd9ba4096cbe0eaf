import Bluebonnet
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

extension LoadTests {
    /// A large download that breaks repeatedly.
    @Suite("Broken downloads", .serialized)
    struct BrokenDownloads {
        static let size = 64 << 20

        let nginx: NginxServer
        let relay: CuttingRelay
        let directory: ServerDirectory
        let place: URL

        init() async throws {
            nginx = try await NginxServer()
            relay = try CuttingRelay(to: nginx.port)
            directory = try ServerDirectory()
            place = URL(fileURLWithPath: directory.path(of: "result"))
        }

        /// Starts or resumes a download with another manager, as in a new process.
        func start(_ resumeData: Data?) throws -> (DownloadTask, PendingResult) {
            let manager = HTTPSessionManager()
            let result = PendingResult()
            let destination: @Sendable (ResponseHead) -> URL? = { [place] _ in place }
            let task: DownloadTask
            if let resumeData {
                task = manager.downloadTask(
                    withResumeData: resumeData, destination: destination,
                    completionHandler: result.put)
            } else {
                var request = URLRequest(
                    url: try #require(URL(string: "http://127.0.0.1:\(relay.port)/uploads/large")))
                // A body with a coding cannot be resumed.
                request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
                task = manager.downloadTask(
                    with: request, destination: destination, completionHandler: result.put)
            }
            task.resume()
            return (task, result)
        }

        /// Breaks a download after `count` more bytes, by a cancel or by a lost connection.
        func breakOff(
            _ resumeData: Data?, from offset: Int, after count: Int, byCancel: Bool
        ) async throws -> Data? {
            relay.cut(after: count, byCancel ? .hold : .close)
            let (task, result) = try start(resumeData)
            guard byCancel else { return await result.response.error?.resumeData }
            #expect(await until { task.progress.completedUnitCount == Int64(offset + count) })
            let data = await withCheckedContinuation { continuation in
                task.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
            }
            #expect(await result.response.error?.isCancelled == true)
            return data
        }

        struct Record: Decodable {
            let offset: Int
        }

        @Test("64 MiB broken at ten places are whole in the end, and no byte is sent twice")
        func tenTimes() async throws {
            try RandomFile.write(Self.size, to: nginx.uploadedFile("large"), seed: 3)
            let sum = try await nginx.uploadChecksum("large")
            let seed = LoadVariant.seed
            var generator = SeededGenerator(seed: seed)
            let cuts = (0..<10).map { _ in Int.random(in: 1..<Self.size, using: &generator) }
            var resumeData: Data?
            var offset = 0
            for (round, cut) in Set(cuts).sorted().enumerated() {
                resumeData = try await breakOff(
                    resumeData, from: offset, after: cut - offset, byCancel: round % 2 == 0)
                let data = try #require(resumeData, "round \(round), seed \(seed)")
                // All received bytes are stored, so none of them is requested again.
                #expect(try JSONDecoder().decode(Record.self, from: data).offset == cut)
                offset = cut
            }
            relay.cut(after: nil)
            let response = try await start(resumeData).1.response
            #expect(response.error == nil, "seed \(seed)")
            #expect(relay.bodyBytes == Self.size - offset)
            let ranges = relay.requests.map { request in
                request.split(separator: "\r\n").first { $0.hasPrefix("Range: ") }.map(String.init)
            }
            let expected = Set(cuts).sorted().map { "Range: bytes=\($0)-" }
            #expect(ranges == [nil] + expected, "seed \(seed)")
            #expect(try await FileChecksum.sha256(of: place.path) == sum, "seed \(seed)")
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            // The command for the checksum writes elsewhere.
            #expect(names == ["result"])
        }
    }
}

/// A response that a test waits for.
final class PendingResult: Sendable {
    private struct State {
        var response: Response<URL>?
        var continuation: CheckedContinuation<Response<URL>, Never>?
    }

    private let state = Locked(State())

    @Sendable
    func put(_ response: Response<URL>) {
        let continuation = state.withLock { state in
            state.response = response
            return state.continuation.take()
        }
        continuation?.resume(returning: response)
    }

    var response: Response<URL> {
        get async {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state in
                    if state.response == nil { state.continuation = continuation }
                    return state.response
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }
}
