import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Glibc
import Testing

/// The servers are in the process of the tests, and go on while the one with the client stands still.
@Suite("A process that is stopped and goes on", .timeLimit(.minutes(5)))
struct StoppedProcessTests {
    private static func signal(_ script: String, in directory: ServerDirectory) throws -> pid_t {
        var command = ChildCommand("/bin/sh", ["-c", script], in: directory)
        command.endsWithStarter = false
        return try spawn(command)
    }

    private static func makeManager(_ base: String) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        configuration.timeouts = .init(connect: 20, idle: 3, whole: 60)
        return HTTPSessionManager(baseURL: URL(string: base), configuration: configuration)
    }

    /// Stops for longer than a server may be silent.
    private static func stopOnce(_ base: String) async throws {
        let manager = makeManager(base)
        let got = Locked(0)
        let completions = Locked<[Response<Data>]>([])
        let group = DispatchGroup()
        manager.completionGroup = group
        for path in ["drip/400/20", "hang"] {
            let url = try #require(manager.url(for: path))
            manager.dataTask(
                with: URLRequest(url: url), serializer: HTTPResponseSerializer(),
                downloadProgress: { progress in
                    got.withLock { $0 = Int(progress.completedUnitCount) }
                }
            ) { response in completions.withLock { $0.append(response) } }.resume()
        }
        #expect(await until { got.withLock { $0 } > 0 })
        let directory = try ServerDirectory()
        let text = try #require(manager.url(for: "text"))
        // The stop meets an event loop at work rather than one that waits.
        let isOver = Locked(false)
        for _ in 0..<16 {
            Task {
                while !isOver.withLock({ $0 }) {
                    _ = await manager.response(for: URLRequest(url: text), serializer: .http)
                }
            }
        }
        let helper = try signal(
            "kill -STOP \(getpid()); sleep 5; kill -CONT \(getpid())", in: directory)
        waitpid(helper, nil, 0)
        isOver.withLock { $0 = true }
        await group.left()
        let responses = completions.withLock { $0 }
        #expect(responses.count == 2)
        let steady = responses.first { $0.request?.url?.path == "/drip/400/20" }
        // What came meanwhile counts, however long nobody looked.
        #expect(steady?.error == nil, "\(steady?.error as Any)")
        #expect(steady?.value?.count == 400)
        let silent = responses.first { $0.request?.url?.path == "/hang" }
        #expect(silent?.error?.timeout == .idle, "\(silent?.error as Any)")
        let next = await manager.response(for: URLRequest(url: text), serializer: .http)
        #expect(next.error == nil)
    }

    @Test("judges timeouts by what came while it stood still (fault 88)")
    func stop() async throws {
        let server = try FixtureServer()
        let base = server.baseURL
        await #expect(processExitsWith: .success) { [base = base as String] in
            try await Self.stopOnce(base)
        }
    }

    /// Each stop interrupts whatever the process waits for.
    private static func stopOften(_ base: String) async throws {
        let manager = makeManager(base)
        let directory = try ServerDirectory()
        let place = URL(fileURLWithPath: directory.path(of: "result"))
        let file = URL(fileURLWithPath: directory.path(of: "body"))
        let bytes = DeterministicBytes.prefix(3_000_000)
        try Data(bytes).write(to: file)
        let id = getpid()
        let helper = try signal(
            "for i in $(seq 200); do kill -STOP \(id); sleep 0.002; kill -CONT \(id); sleep 0.005; done",
            in: directory)
        var rounds = 0
        var status: Int32 = 0
        while waitpid(helper, &status, WNOHANG) == 0 {
            rounds += 1
            var request = URLRequest(url: try #require(manager.url(for: "echo-body")))
            request.httpMethod = "PUT"
            let upload = await withCheckedContinuation { [request] continuation in
                manager.uploadTask(
                    with: request, fromFile: file, serializer: HTTPResponseSerializer()
                ) { continuation.resume(returning: $0) }.resume()
            }
            #expect(upload.value == Data(bytes), "\(upload.error as Any)")
            let url = try #require(manager.url(for: "bytes/3000000"))
            let download = await withCheckedContinuation { continuation in
                manager.downloadTask(
                    with: URLRequest(url: url), destination: { _ in place },
                    options: .removePreviousFile
                ) { continuation.resume(returning: $0) }.resume()
            }
            #expect(download.error == nil)
            #expect(try [UInt8](Data(contentsOf: place)) == bytes)
        }
        #expect(rounds > 1 && status == 0)
    }

    @Test("goes on with every call that was interrupted (fault 88)")
    func interruptions() async throws {
        let server = try FixtureServer()
        let base = server.baseURL
        await #expect(processExitsWith: .success) { [base = base as String] in
            try await Self.stopOften(base)
        }
    }
}
