import BluebonnetTestSupport
import Foundation

/// A line for the shell, run to its end without blocking a thread.
struct ShellRun {
    let status: Int32
    let output: String
    let errors: String

    /// Runs it in a directory, which also has its output, with `$tour` and `$serve` for the built
    /// programs.
    init(
        _ line: String, in directory: ServerDirectory, environment: [String: String] = [:]
    ) async throws {
        var command = ChildCommand("/bin/sh", ["-c", line], in: directory)
        command.errors = "errors"
        command.environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "tour": TourProcess.program, "serve": TourProcess.serveProgram,
            "TMPDIR": directory.path, "LC_ALL": "C.UTF-8",
        ].merging(environment) { $1 }
        status = try await ChildProcess.start(command).wait(seconds: 60)
        output = directory.text(of: "output")
        errors = directory.text(of: "errors")
    }
}
