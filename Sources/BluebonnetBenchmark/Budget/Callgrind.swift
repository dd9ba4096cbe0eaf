import Foundation

/// Runs this program's client under callgrind.
struct Callgrind {
    private let valgrind: URL
    /// This program without its debug information, of whose form valgrind understands too little.
    private let program: URL
    private let workspace: Workspace

    init(in workspace: Workspace) throws {
        self.workspace = workspace
        valgrind = try InstalledProgram(name: "valgrind").locate()
        program = workspace.directory.appendingPathComponent("bluebonnet-benchmark")
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let strip = Subprocess(
            executable: try InstalledProgram(name: "strip").locate(),
            arguments: ["--strip-debug", "-o", program.path, own]
        )
        _ = try strip.run(in: workspace)
    }

    /// So many requests of a case, through the manager.
    func profile(
        _ benchmarkCase: BenchmarkCase, url: String, count: Int
    ) throws -> CallgrindProfile {
        let output = workspace.directory.appendingPathComponent("callgrind.out")
        let run = Subprocess(
            executable: valgrind,
            arguments: [
                "--tool=callgrind", "--callgrind-out-file=\(output.path)", program.path,
                "client", "bluebonnet", benchmarkCase.name, url, String(count),
                String(benchmarkCase.concurrency),
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
