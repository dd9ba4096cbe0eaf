import Dispatch
import Foundation
import Glibc

/// A program that runs to its end, with its output collected in files, which unlike pipes
/// never fill up.
struct Subprocess {
    let executable: URL
    let arguments: [String]

    /// What is added to this process's environment.
    var environment: [String: String] = [:]

    /// A client that hangs must not hang the benchmark.
    var timeoutSeconds = 120

    /// Returns the standard output of a program that succeeded.
    func run(in workspace: Workspace) throws -> String {
        let output = workspace.directory.appendingPathComponent("stdout")
        let errors = workspace.directory.appendingPathComponent("stderr")
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        if !environment.isEmpty {
            let inherited = ProcessInfo.processInfo.environment
            process.environment = inherited.merging(environment) { $1 }
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Self.create(output)
        process.standardError = try Self.create(errors)
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try workspace.start(process)
        defer { workspace.forget(process) }
        if ended.wait(timeout: .now() + .seconds(timeoutSeconds)) == .timedOut {
            kill(process.processIdentifier, SIGKILL)
            ended.wait()
            throw failure("did not end within \(timeoutSeconds) s", errors)
        }
        guard process.terminationReason == .exit else {
            throw failure("was killed by signal \(process.terminationStatus)", errors)
        }
        guard process.terminationStatus == 0 else {
            throw failure("exited with status \(process.terminationStatus)", errors)
        }
        return try String(contentsOf: output, encoding: .utf8)
    }

    private static func create(_ file: URL) throws -> FileHandle {
        try Data().write(to: file)
        return try FileHandle(forWritingTo: file)
    }

    private func failure(_ what: String, _ errors: URL) -> BenchmarkFailure {
        let text = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        let message = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return BenchmarkFailure("\(executable.lastPathComponent) \(what): \(message)")
    }
}
