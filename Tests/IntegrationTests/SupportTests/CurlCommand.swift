import BluebonnetTestSupport
import Foundation

/// A run of `curl`, an independent client.
struct CurlCommand {
    let status: Int32
    /// The body, then the output of `--write-out`.
    let output: Data
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    static func run(_ arguments: String...) async throws -> CurlCommand {
        try await run(arguments)
    }

    static func run(_ arguments: [String]) async throws -> CurlCommand {
        let directory = try ServerDirectory()
        let curl = try InstalledProgram(name: "curl").locate()
        let child = try await ChildProcess.start(
            curl, ["-q", "-sS", "--max-time", "20"] + arguments,
            in: directory, output: "output", errors: "errors")
        let status = try await child.wait(seconds: 60)
        return CurlCommand(
            status: status, output: directory.data(of: "output"),
            errors: directory.text(of: "errors"))
    }
}
