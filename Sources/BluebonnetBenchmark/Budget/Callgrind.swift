import Foundation

/// Counts what a client executes, under callgrind.
struct Callgrind {
    private let valgrind: URL
    private let program: URL
    /// What comes before the case among the client's arguments.
    private let leadingArguments: [String]
    private let workspace: Workspace

    /// Runs this program's client on the manager.
    static func manager(in workspace: Workspace) throws -> Callgrind {
        // Without its debug information, of whose form valgrind understands too little.
        let program = workspace.directory.appendingPathComponent("bluebonnet-benchmark")
        let strip = Subprocess(
            executable: try InstalledProgram(name: "strip").locate(),
            arguments: ["--strip-debug", "-o", program.path, try ownPath()]
        )
        _ = try strip.run(in: workspace)
        return try Callgrind(program, ["client", Client.bluebonnet.rawValue], in: workspace)
    }

    /// Runs the plain C program on libcurl, which is built beside this one.
    static func plainC(in workspace: Workspace) throws -> Callgrind {
        let program = URL(fileURLWithPath: try ownPath()).deletingLastPathComponent()
            .appendingPathComponent("bluebonnet-benchmark-c")
        return try Callgrind(program, [], in: workspace)
    }

    private static func ownPath() throws -> String {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    private init(
        _ program: URL, _ leadingArguments: [String], in workspace: Workspace
    ) throws {
        valgrind = try InstalledProgram(name: "valgrind").locate()
        self.program = program
        self.leadingArguments = leadingArguments
        self.workspace = workspace
    }

    /// Counts a number of requests of a case.
    func profile(
        _ benchmarkCase: BenchmarkCase, url: String, count: Int
    ) throws -> CallgrindProfile {
        let output = workspace.directory.appendingPathComponent("callgrind.out")
        let run = Subprocess(
            executable: valgrind,
            arguments: [
                "--tool=callgrind", "--callgrind-out-file=\(output.path)", program.path,
            ] + leadingArguments + [
                benchmarkCase.name, url, String(count), String(benchmarkCase.concurrency),
            ],
            timeoutSeconds: 600
        )
        _ = try run.run(in: workspace)
        let profile = CallgrindProfile(try String(contentsOf: output, encoding: .utf8))
        guard profile.instructions > 0, profile.allocations > 0 else {
            throw BenchmarkFailure("callgrind counted nothing")
        }
        return profile
    }
}
