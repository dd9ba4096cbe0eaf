import Foundation

/// A program, its arguments, and the surroundings that a ``ChildProcess`` gives it.
package struct ChildCommand: Sendable {
    package enum Input: Sendable {
        case nothing
        /// A file in the command's directory.
        case file(String)
        /// An open file of this process, which needs it no longer once the child runs.
        case descriptor(Int32)
    }

    /// The path of the program.
    package var program: String
    /// The arguments without the program's name.
    package var arguments: [String]
    /// The working directory, which receives the output.
    package var directory: ServerDirectory
    package var input = Input.nothing
    /// The file in the directory that receives the standard output.
    package var output = "output"
    /// The file that receives standard error; nil for the same file.
    package var errors: String?
    /// Variables that the program gets; nil for PATH, HOME and LC_ALL alone, so that no proxy
    /// variable or dot file changes what a test sees.
    package var environment: [String: String]?
    /// What ends the program, and its own children with it.
    package var stopSignal = StopSignal.terminate
    /// How long the program may take to end after its signal, before it is killed.
    package var stopDeadline = Duration.seconds(2)
    /// Whether the program gets its stop signal when the thread that started it ends, as it does
    /// when this process is killed.
    ///
    /// It then starts through `setpriv`, which takes a millisecond.
    package var endsWithStarter = true

    package init(_ program: String, _ arguments: [String], in directory: ServerDirectory) {
        self.program = program
        self.arguments = arguments
        self.directory = directory
    }

    /// The words to execute: the path of a program and its arguments.
    func words() throws -> [String] {
        guard endsWithStarter else { return [program] + arguments }
        let setpriv = try InstalledProgram(name: "setpriv").locate()
        return [setpriv, "--pdeathsig", stopSignal.rawValue, program] + arguments
    }

    /// The variables as `NAME=value`.
    var variables: [String] {
        if let environment { return environment.map { "\($0)=\($1)" } }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin"
        return ["PATH=\(path)", "HOME=\(directory.path)", "LC_ALL=C.UTF-8"]
    }
}
