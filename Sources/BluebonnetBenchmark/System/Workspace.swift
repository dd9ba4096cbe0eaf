import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Glibc

/// The temporary directory and the running processes, which must not outlive the driver.
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

    /// Stops a server when the workspace closes.
    func keep(_ server: ServerProcess) {
        running.withLock { $0.servers.append(server) }
    }

    /// Runs a program to its end, with this process's environment variables.
    ///
    /// Returns its standard output.
    func run(_ command: SystemCommand) throws -> String {
        var command = command
        command.directory = files
        let variables = ProcessInfo.processInfo.environment
        command.environment = variables.merging(command.environment ?? [:]) { $1 }
        defer { running.withLock { $0.command = nil } }
        // Starting under the lock ensures that no process is started once the driver exits.
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

    /// Cleans up and ends the process.
    ///
    /// It never releases the lock, so that no other thread can start or finish a process meanwhile.
    func closeAndExit(status: Int32) -> Never {
        running.withLock { running -> Never in
            running.stop()
            files.remove()
            _exit(status)
        }
    }
}
