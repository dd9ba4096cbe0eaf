import BluebonnetTestSupport
import Foundation

/// The built program as a child.
struct TourProcess {
    /// Beside the program that runs the tests.
    static let program = path(of: "BluebonnetTour")

    /// The program that only serves, beside the other.
    static let serveProgram = path(of: "BluebonnetServe")

    private static func path(of name: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent(name).path
    }

    let child: ChildProcess
    /// Its working directory, its home, and the place of its temporary files.
    let directory: ServerDirectory

    /// Starts it with its output in files.
    static func start(
        program: String = Self.program, _ arguments: [String] = []
    ) async throws -> TourProcess {
        let directory = try ServerDirectory(for: "tour")
        var command = ChildCommand(program, arguments, in: directory)
        command.errors = "errors"
        return TourProcess(child: try await ChildProcess.start(command), directory: directory)
    }

    /// Starts it with a terminal as its output.
    ///
    /// In the foreground it gets what Ctrl-C sends; if not, it is the child itself and gets the stop
    /// signal.
    static func start(
        _ arguments: [String], on terminal: PseudoTerminal, inForeground: Bool,
        in directory: ServerDirectory? = nil, environment: [String: String] = [:],
        program: String = Self.program
    ) async throws -> TourProcess {
        let directory = try directory ?? ServerDirectory(for: "tour")
        try FileManager.default.createSymbolicLink(
            atPath: directory.path(of: "terminal"), withDestinationPath: terminal.path)
        var command = ChildCommand(program, arguments, in: directory)
        if inForeground {
            command.program = try InstalledProgram(name: "setsid").locate()
            command.arguments = ["--ctty", "--wait", program] + arguments
        }
        command.input = .descriptor(terminal.terminal)
        command.output = "terminal"
        command.environment = [
            "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": directory.path,
            "TMPDIR": directory.path,
        ].merging(environment) { $1 }
        command.stopDeadline = .seconds(60)
        return TourProcess(child: try await ChildProcess.start(command), directory: directory)
    }

    /// Waits for its end; returns the exit status.
    func wait() async throws -> Int32 { try await child.wait(seconds: 60) }

    var output: String { directory.text(of: "output") }
    var errors: String { directory.text(of: "errors") }

    /// What it has left in its directory.
    var files: Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return Set(names).subtracting(["output", "errors", "terminal"])
    }
}
