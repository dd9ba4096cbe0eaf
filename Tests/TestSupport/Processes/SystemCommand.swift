package import Foundation

/// A command that the calling thread runs to its end.
package struct SystemCommand: Sendable {
    /// A program's name, looked up as ``InstalledProgram`` does, or its path.
    package var program: String
    package var arguments: [String]
    package var input = Data()
    /// The environment variables; nil for the defaults of ``ChildCommand/environment``.
    package var environment: [String: String]?
    /// The time after which the command is killed, so that it cannot block its caller forever.
    package var timeoutSeconds = 120
    /// The working directory, which also holds the input and output; nil for a new one.
    package var directory: ServerDirectory?

    package init(_ program: String, _ arguments: [String], in directory: ServerDirectory? = nil) {
        self.program = program
        self.arguments = arguments
        self.directory = directory
    }

    /// Creates a command from a line for the shell.
    package init(shell line: String, in directory: ServerDirectory? = nil) {
        self.init("/bin/sh", ["-c", line], in: directory)
    }

    /// Returns the standard output of a command that succeeds.
    ///
    /// The closure `start` receives a function that starts the program. It can store the process,
    /// so that another thread can stop it.
    ///
    /// - Throws: ``ServerFailure`` with the standard error if the command fails, is killed or takes
    ///   too long.
    package func output(
        startingBy start: (_ start: () throws -> ChildProcess) throws -> ChildProcess = { try $0() }
    ) throws -> Data {
        // Unlike pipes, files never fill up.
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
