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
        try Callgrind(
            stripping: try ownProgram(), ["client", Client.bluebonnet.rawValue], in: workspace)
    }

    /// Runs the plain C program on libcurl, which is built beside this one.
    static func plainC(in workspace: Workspace) throws -> Callgrind {
        let folder = try ownProgram().deletingLastPathComponent()
        return try Callgrind(
            stripping: folder.appendingPathComponent("bluebonnet-benchmark-c"), [], in: workspace)
    }

    private static func ownProgram() throws -> URL {
        URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"))
    }

    /// Takes a program without its debug information, of whose form valgrind understands too little.
    private init(
        stripping original: URL, _ leadingArguments: [String], in workspace: Workspace
    ) throws {
        program = workspace.directory.appendingPathComponent(original.lastPathComponent)
        let strip = Subprocess(
            executable: try InstalledProgram(name: "strip").locate(),
            arguments: ["--strip-debug", "-o", program.path, original.path]
        )
        _ = try strip.run(in: workspace)
        valgrind = try InstalledProgram(name: "valgrind").locate()
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
