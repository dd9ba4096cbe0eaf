import BluebonnetTestSupport
import Foundation

/// Counts the instructions and allocations of a program under callgrind.
struct Callgrind {
    private let program: String
    /// The arguments of the client before the case.
    private let leadingArguments: [String]
    private let workspace: Workspace

    /// Returns a counter for one of this program's own clients.
    static func own(_ client: Client, in workspace: Workspace) throws -> Callgrind {
        try Callgrind(stripping: try ownProgram(), ["client", client.rawValue], in: workspace)
    }

    /// Returns a counter for this program's subcommand `work`.
    static func work(in workspace: Workspace) throws -> Callgrind {
        try Callgrind(stripping: try ownProgram(), ["work"], in: workspace)
    }

    /// Returns a counter for the plain C program on libcurl, which is built next to this program.
    static func plainC(in workspace: Workspace) throws -> Callgrind {
        let folder = try ownProgram().deletingLastPathComponent()
        return try Callgrind(
            stripping: folder.appendingPathComponent("BluebonnetBenchmarkC"), [], in: workspace)
    }

    private static func ownProgram() throws -> URL {
        URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"))
    }

    /// Creates a counter for a copy of a program without its debug information.
    ///
    /// valgrind does not fully support the format of that information.
    private init(
        stripping original: URL, _ leadingArguments: [String], in workspace: Workspace
    ) throws {
        program = workspace.files.path(of: original.lastPathComponent)
        _ = try workspace.run(
            SystemCommand("strip", ["--strip-debug", "-o", program, original.path]))
        self.leadingArguments = leadingArguments
        self.workspace = workspace
    }

    /// Counts the given number of requests of a case.
    func profile(
        _ benchmarkCase: BenchmarkCase, url: String, count: Int
    ) throws -> CallgrindProfile {
        try profile([
            benchmarkCase.name, url, String(count), String(benchmarkCase.concurrency),
        ])
    }

    /// Counts one run of the program with these arguments.
    func profile(_ arguments: [String]) throws -> CallgrindProfile {
        let output = workspace.files.path(of: "callgrind.out")
        var valgrind = SystemCommand(
            "valgrind",
            ["--tool=callgrind", "--callgrind-out-file=\(output)", program] + leadingArguments
                + arguments)
        valgrind.timeoutSeconds = 600
        _ = try workspace.run(valgrind)
        let profile = CallgrindProfile(try String(contentsOfFile: output, encoding: .utf8))
        guard profile.instructions > 0, profile.allocations > 0 else {
            throw BenchmarkFailure("callgrind counted nothing")
        }
        return profile
    }
}
