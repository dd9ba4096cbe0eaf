import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Glibc

/// The temporary directory and the running processes: what no exit may leave behind.
final class Workspace: Sendable {
    private struct Running {
        var servers: [ServerProcess] = []
        var command: ChildProcess?

        mutating func stop() {
            command?.stop()
            for server in servers { server.stop() }
            servers = []
        }
    }

    let files: ServerDirectory
    private let running = Locked(Running())

    init() throws {
        files = try ServerDirectory(for: "benchmark")
    }

    /// Stops a server at the end.
    func keep(_ server: ServerProcess) {
        running.withLock { $0.servers.append(server) }
    }

    /// Runs a program to its end, with this process's variables.
    ///
    /// Returns its standard output.
    func run(_ command: SystemCommand) throws -> String {
        var command = command
        command.directory = files
        let variables = ProcessInfo.processInfo.environment
        command.environment = variables.merging(command.environment ?? [:]) { $1 }
        defer { running.withLock { $0.command = nil } }
        // The start is under the lock: nothing is started once the process ends.
        let output = try command.output { start in
            try running.withLock { running in
                let child = try start()
                running.command = child
                return child
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    func close() {
        running.withLock { $0.stop() }
        files.remove()
    }

    /// Keeps the lock for good: another thread that would start or conclude something while the
    /// process ends has to wait instead.
    func closeAndExit(status: Int32) -> Never {
        running.withLock { running -> Never in
            running.stop()
            files.remove()
            _exit(status)
        }
    }
}
