import BluebonnetTestSupport
import Foundation
import Glibc
import Testing

@Suite("Servers started by integration tests", .timeLimit(.minutes(5)))
struct SupportTests {
    @Test("a reserved port is not used otherwise, and a server can listen on it")
    func reservedPorts() throws {
        let ports = try (0..<200).map { _ in try ReservedPort() }
        #expect(Set(ports.map(\.number)).count == ports.count)
        let port = try #require(ports.first)
        #expect(!port.accepts)
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(server) }
        var on: Int32 = 1
        setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        #expect(port.bind(server))
        listen(server, 1)
        #expect(port.accepts)
    }

    @Test("a server that cannot start fails at once with the reason")
    func failure() async throws {
        let directory = try ServerDirectory()
        try directory.write("nonsense;", to: "nginx.conf")
        let nginx = try InstalledProgram(name: "nginx").locate()
        let port = try ReservedPort()
        let error = await #expect(throws: ServerFailure.self) {
            _ = try await ServerProcess.start(
                nginx, ["-e", "stderr", "-p", directory.path, "-c", "nginx.conf"],
                in: directory, ports: [port])
        }
        #expect(error?.description.contains(#"unknown directive "nonsense""#) == true)
        #expect(throws: ServerFailure.self) { try InstalledProgram(name: "no-such").locate() }
    }

    @Test("releasing a server's object ends its processes and removes its directory")
    func cleanup() async throws {
        var server: NginxServer? = try await NginxServer()
        let file = try #require(server?.uploadedFile("x").path)
        let directory = String(file.dropLast("/uploads/x".count))
        // nginx listens before it writes its process ID.
        var text = ""
        let isWritten = await until {
            text = (try? String(contentsOfFile: directory + "/nginx.pid", encoding: .utf8)) ?? ""
            return text.hasSuffix("\n")
        }
        #expect(isWritten)
        let leader = try #require(pid_t(text.dropLast()))
        // nginx and its worker, which is another process of the same group.
        #expect(await until { ProcessTable.group(leader).count == 2 })
        server = nil
        #expect(ProcessTable.group(leader).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: directory))
    }

    @Test("a child that ignores its signal is killed, with its own children")
    func stubborn() async throws {
        let directory = try ServerDirectory()
        var child: ChildProcess? = try await ChildProcess.start(
            "/bin/sh", ["-c", "trap '' TERM; sleep 100 & echo $$; wait; sleep 100"],
            in: directory, output: "log", stopDeadline: .milliseconds(50))
        while !directory.text(of: "log").contains("\n") { await Task.yield() }
        let leader = try #require(Int32(directory.text(of: "log").dropLast()))
        #expect(ProcessTable.group(leader).count == 2)
        child = nil
        #expect(child == nil)
        #expect(await until { ProcessTable.group(leader).isEmpty })
    }

    @Test("a child inherits neither open files nor variables nor blocked signals")
    func inheritance() async throws {
        let directory = try ServerDirectory()
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        let child = try await ChildProcess.start(
            "/bin/sh", ["-c", "ls /proc/$$/fd; env; pwd; exec grep SigBlk /proc/self/status"],
            in: directory, output: "log")
        #expect(try await child.wait(seconds: 60) == 0)
        let lines = directory.text(of: "log").split(separator: "\n").map(String.init)
        #expect(lines.prefix { Int($0) != nil }.allSatisfy { ["0", "1", "2"].contains($0) })
        let names = lines.filter { $0.contains("=") }.map { $0.prefix { $0 != "=" } }
        #expect(Set(names) == ["PATH", "HOME", "LC_ALL", "PWD"])
        #expect(lines.suffix(2) == [directory.path, "SigBlk:\t0000000000000000"])
    }
}
