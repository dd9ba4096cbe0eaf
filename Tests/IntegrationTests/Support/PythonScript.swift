import Foundation

/// One run of Python's standard library, a reader whose code is not ours.
enum PythonScript {
    /// What a script prints; its arguments are in `sys.argv`.
    static func run(_ script: String, _ arguments: String...) async throws -> Data {
        let directory = try ServerDirectory()
        try directory.write(script, to: "script.py")
        // Debian's own: one from a user's version manager looks for its settings in a home.
        let python = "/usr/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw ServerFailure("python3 is missing: run scripts/setup --dev, which installs it")
        }
        let child = try await ChildProcess.start(
            python, [directory.path(of: "script.py")] + arguments, in: directory,
            output: "output", errors: "errors")
        guard try await child.wait(seconds: 120) == 0 else {
            throw ServerFailure("the script failed: \(directory.text(of: "errors"))")
        }
        return FileManager.default.contents(atPath: directory.path(of: "output")) ?? Data()
    }
}
