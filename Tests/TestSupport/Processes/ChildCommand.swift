import Foundation

/// A program with its arguments and the environment in which a ``ChildProcess`` runs it.
package struct ChildCommand: Sendable {
    package enum Input: Sendable {
        case nothing
        /// A file in the command's directory.
        case file(String)
        /// An open file of this process, which can be closed once the child runs.
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
    /// The file that receives standard error; nil for the file of standard output.
    package var errors: String?
    /// The environment variables of the program; nil for only PATH, HOME and LC_ALL.
    ///
    /// The default keeps proxy variables and dot files from changing test results.
    package var environment: [String: String]?
    /// The signal that ends the program, which must then end its own children.
    package var stopSignal = StopSignal.terminate
    /// The time that the program has to end after its signal before it is killed.
    package var stopDeadline = Duration.seconds(2)
    /// Whether the program receives its stop signal when the thread that started it ends.
    ///
    /// This includes the case that this process is killed. The program then starts through
    /// `setpriv`, which takes a millisecond.
    package var endsWithStarter = true

    package init(_ program: String, _ arguments: [String], in directory: ServerDirectory) {
        self.program = program
        self.arguments = arguments
        self.directory = directory
    }

    /// Returns the words to execute: the path of a program and its arguments.
    func words() throws -> [String] {
        guard endsWithStarter else { return [program] + arguments }
        let setpriv = try InstalledProgram(name: "setpriv").locate()
        return [setpriv, "--pdeathsig", stopSignal.rawValue, program] + arguments
    }

    /// The environment variables in the form `NAME=value`.
    var variables: [String] {
        if let environment { return environment.map { "\($0)=\($1)" } }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin"
        return ["PATH=\(path)", "HOME=\(directory.path)", "LC_ALL=C.UTF-8"]
    }
}
