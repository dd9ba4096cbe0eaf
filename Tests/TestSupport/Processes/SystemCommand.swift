package import Foundation

/// One run of a program to its end, by code that waits for it.
package struct SystemCommand: Sendable {
    /// A program's name, looked up as ``InstalledProgram`` does, or its path.
    package var program: String
    package var arguments: [String]
    package var input = Data()
    /// The variables; nil for those of ``ChildCommand/environment``.
    package var environment: [String: String]?
    /// A command that hangs must not hang its caller.
    package var timeoutSeconds = 120
    /// The working directory, which also holds its input and output; a new one unless given.
    package var directory: ServerDirectory?

    package init(_ program: String, _ arguments: [String], in directory: ServerDirectory? = nil) {
        self.program = program
        self.arguments = arguments
        self.directory = directory
    }

    /// A line for the shell.
    package init(shell line: String, in directory: ServerDirectory? = nil) {
        self.init("/bin/sh", ["-c", line], in: directory)
    }

    /// Returns the standard output of a command that succeeds.
    ///
    /// `start` starts the program with what it is given, and may note it, so that another thread can
    /// end it. A command that fails, is killed or takes too long throws ``ServerFailure`` with its
    /// standard error.
    package func output(
        startingBy start: (_ start: () throws -> ChildProcess) throws -> ChildProcess = { try $0() }
    ) throws -> Data {
        // Files never fill up, unlike pipes.
        let files = try directory ?? ServerDirectory()
        let path = program.contains("/") ? program : try InstalledProgram(name: program).locate()
        var command = ChildCommand(path, arguments, in: files)
        command.endsWithStarter = false
        command.errors = "errors"
        command.environment = environment
        command.stopSignal = .kill
        if !input.isEmpty {
            try files.write(input, to: "input")
            command.input = .file("input")
        }
        let child = try start { try ChildProcess(command) }
        let status: Int32
        do {
            status = try child.waitBlocking(seconds: timeoutSeconds)
        } catch {
            throw failure("did not end within \(timeoutSeconds) s", files)
        }
        guard status == 0 else { throw failure("exited with status \(status)", files) }
        return files.data(of: "output")
    }

    private func failure(_ what: String, _ files: ServerDirectory) -> ServerFailure {
        let message = files.text(of: "errors").trimmingCharacters(in: .whitespacesAndNewlines)
        let name = program.split(separator: "/").last ?? ""
        return ServerFailure("\(name) \(what): \(message)")
    }
}
