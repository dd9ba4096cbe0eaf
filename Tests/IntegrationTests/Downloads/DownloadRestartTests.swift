import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import Testing

@Suite("A download that outlives its process", .timeLimit(.minutes(5)))
struct DownloadRestartTests {
    static let count = 200_000
    static let cut = 120_000

    /// Serves only the first part of a file, and the rest to a range request.
    static func serve(_ server: FixtureServer) {
        let bytes = DeterministicBytes.prefix(count)
        server.route("/file") { request in
            guard request.headers["Range"] == "bytes=\(cut)-" else {
                let head = "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: \(count)\r\n\r\n"
                return .script([.send(Array(head.utf8)), .send(Array(bytes[..<cut])), .hold])
            }
            return .response(
                status: 206,
                headers: [
                    ("ETag", "\"a\""), ("Content-Range", "bytes \(cut)-\(count - 1)/\(count)"),
                ],
                body: Array(bytes[cut...]))
        }
    }

    /// Downloads a part, saves the resume data, and is killed before the rest.
    static func beginAndDie(_ url: String, _ directory: String) async throws {
        let manager = HTTPSessionManager()
        let place = URL(fileURLWithPath: directory + "/result")
        let task = manager.downloadTask(
            with: URLRequest(url: try #require(URL(string: url))), destination: { _ in place },
            completionHandler: nil)
        task.resume()
        while task.progress.completedUnitCount < cut { await Task.yield() }
        let data = await withCheckedContinuation { continuation in
            task.cancel(byProducingResumeData: { continuation.resume(returning: $0) })
        }
        try #require(data).write(to: URL(fileURLWithPath: directory + "/resume-data"))
        kill(getpid(), SIGKILL)
    }

    @Test("another process resumes it with the saved data and file")
    func restart() async throws {
        let server = try FixtureServer()
        server.recordsRequests = true
        Self.serve(server)
        let directory = try ServerDirectory()
        let (url, path) = (server.baseURL + "/file", directory.path)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [url = url as String, path = path as String] in
            try await Self.beginAndDie(url, path)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(names.count == 2 && names[0].hasPrefix(".bluebonnet-"))
        let data = try Data(contentsOf: URL(fileURLWithPath: path + "/resume-data"))
        let place = URL(fileURLWithPath: path + "/result")
        let manager = HTTPSessionManager()
        let response = await withCheckedContinuation { continuation in
            manager.downloadTask(withResumeData: data, destination: { _ in place }) {
                continuation.resume(returning: $0)
            }.resume()
        }
        #expect(response.error == nil, "\(response.error as Any)")
        #expect(server.recordedRequests.count == 2)
        let bytes = [UInt8](try FileHandle(forReadingFrom: place).readToEnd() ?? Data())
        #expect(bytes == DeterministicBytes.prefix(Self.count))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: path).sorted()
                == ["result", "resume-data"])
    }
}
