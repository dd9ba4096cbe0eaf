import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite("Processes made of one with tasks", .timeLimit(.minutes(5)))
struct ForkTests {
    private static func forkForMoment(milliseconds: UInt32) -> pid_t {
        Fork.start {
            usleep(milliseconds * 1000)
            return 0
        }
    }

    private static func runWithForks(_ base: String) async throws {
        let transport = CurlTransport(threadName: "forked")
        let manager = HTTPSessionManager(baseURL: URL(string: base), transport: transport)
        let url = try #require(manager.url(for: "bytes/300000"))
        func get() async -> Bool {
            let response = await manager.response(for: URLRequest(url: url), serializer: .http)
            return response.value?.count == 300_000
        }
        #expect(await get())
        let children = Locked<[pid_t]>([])
        async let forks: Void = onOwnThread {
            for _ in 0..<20 {
                let child = forkForMoment(milliseconds: 300)
                children.withLock { $0.append(child) }
                usleep(5_000)
            }
        }
        for _ in 0..<60 { #expect(await get()) }
        await forks
        // The children hold copies of connections that are closed here: none is heard of any more.
        let last = forkForMoment(milliseconds: 1_500)
        manager.invalidate(cancelingTasks: true, resetSession: true)
        #expect(await get())
        let before = transport.turnCount
        let wait = try #require(manager.url(for: "delay/500"))
        _ = await manager.response(for: URLRequest(url: wait), serializer: .http)
        #expect(transport.turnCount - before < 100)
        for child in children.withLock({ $0 }) + [last] {
            var status: Int32 = -1
            #expect(child > 0 && waitpid(child, &status, 0) == child && status == 0)
        }
        transport.shutDown()
    }

    @Test(
        "a fork in another thread changes nothing for the tasks of the process (fault 89)",
        .disabled(if: ProcessState.isSanitized, "a sanitizer forks in its own way"))
    func fork() async throws {
        let server = try FixtureServer()
        let base = server.baseURL
        await #expect(processExitsWith: .success) { [base = base as String] in
            try await Self.runWithForks(base)
        }
    }

    /// What a program that is started now has open besides its own.
    private static func inherited() async throws -> Set<String> {
        let directory = try ServerDirectory()
        let output = directory.path(of: "output")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
        let words = ["/bin/sh", "-c", "for f in /proc/$$/fd/*; do readlink $f; done"]
        var argv = words.map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var child: pid_t = 0
        guard posix_spawn(&child, words[0], &actions, nil, &argv, environ) == 0 else {
            throw ServerFailure("the shell did not start")
        }
        waitpid(child, nil, 0)
        let lines = directory.text(of: "output").split(separator: "\n").map(String.init)
        return Set(lines.filter { $0 != output })
    }

    /// Whether something that is open here is a Unix socket.
    private static func isUnixSocket(_ target: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let name = names.first { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))
                == target
        }
        guard let descriptor = name.flatMap({ Int32($0) }) else { return false }
        var address = sockaddr()
        var size = socklen_t(MemoryLayout<sockaddr>.size)
        return getsockname(descriptor, &address, &size) == 0
            && address.sa_family == sa_family_t(AF_UNIX)
    }

    /// Keeps what this process was itself started with from the programs that it starts.
    ///
    /// The tests beside this one open files as it is started, and their names change when they are
    /// deleted.
    private static func closeOwnInheritance() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    private static func runWithPrograms(_ base: String, _ secure: String) async throws {
        try closeOwnInheritance()
        let directory = try ServerDirectory()
        let file = directory.path(of: "body")
        try Data(count: 30_000_000).write(to: URL(fileURLWithPath: file))
        let before = try await inherited()
        let manager = HTTPSessionManager(baseURL: URL(string: base))
        manager.securityPolicy.allowInvalidCertificates = true
        manager.securityPolicy.validatesDomainName = false
        func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
        let done = DispatchGroup()
        manager.completionGroup = done
        let place = URL(fileURLWithPath: directory.path(of: "result"))
        let download = manager.downloadTask(
            with: URLRequest(url: try url(base + "/endless")), destination: { _ in place },
            completionHandler: nil)
        let data = manager.dataTask(
            with: URLRequest(url: try url(base + "/hang")), completionHandler: nil)
        let handshake = manager.dataTask(
            with: URLRequest(url: try url(secure + "/hold")), completionHandler: nil)
        var request = URLRequest(url: try url(secure + "/upload"))
        request.httpMethod = "PUT"
        let upload = manager.uploadTask(
            with: request, fromFile: URL(fileURLWithPath: file), completionHandler: nil)
        let tasks: [SessionTask] = [download, data, handshake, upload]
        for task in tasks { task.resume() }
        #expect(
            await until {
                download.progress.completedUnitCount > 0
                    && upload.uploadProgress.completedUnitCount > 0
            })
        // What there is, and that it is open here.
        let own = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        #expect(own.count > before.count + 5)
        let during = try await inherited()
        let added = during.subtracting(before)
        // The sockets with which libcurl wakes itself carry nothing.
        let mayBeThere = LibcurlQuirks.current.leavesWakeupSocketsOpen
        let others = added.filter { !mayBeThere || !isUnixSocket($0) }
        #expect(others.isEmpty, "\(others)")
        for task in tasks { task.cancel() }
        await done.left()
    }

    @Test("a program that the process starts inherits no descriptor of any task's (fault 89)")
    func programs() async throws {
        let server = try FixtureServer()
        let surroundings = try await FaultSurroundings.shared()
        let silent = try FaultServer(
            FaultScript(repeating: [.receive(10), .hold], count: 4),
            identity: surroundings.identity, startsWithTLS: true)
        let (base, secure) = (server.baseURL, "https://127.0.0.1:\(silent.port)")
        await #expect(processExitsWith: .success) {
            [base = base as String, secure = secure as String] in
            try await Self.runWithPrograms(base, secure)
        }
    }
}
