package import Foundation

/// A run of Python's standard library, which shares no code with the library under test.
package enum PythonScript {
    /// Debian's Python, because one from a version manager needs settings in a home directory.
    private static let python = "/usr/bin/python3"

    /// Whether the tests that need Python can run.
    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

    /// Returns the output of a script, whose arguments are in `sys.argv`.
    package static func run(_ script: String, _ arguments: String...) async throws -> Data {
        let directory = try ServerDirectory()
        try directory.write(script, to: "script.py")
        let child = try await ChildProcess.start(
            python, [directory.path(of: "script.py")] + arguments, in: directory,
            output: "output", errors: "errors")
        guard try await child.wait(seconds: 120) == 0 else {
            throw ServerFailure("the script failed: \(directory.text(of: "errors"))")
        }
        return directory.data(of: "output")
    }

    /// Returns the output of a short script, and blocks the thread until it ends.
    package static func output(_ script: String, input: String) throws -> Data {
        var command = SystemCommand(python, ["-c", script])
        command.input = Data(input.utf8)
        return try command.output()
    }
}
