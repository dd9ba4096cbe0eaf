import Foundation

/// wrk, which does little but send requests: the measure of what the machine could do.
struct Wrk {
    /// Below this share of wrk's rate, libcurl was disturbed and nothing can be concluded.
    static let smallestShare = 0.4

    let executable: URL

    init() throws {
        executable = try InstalledProgram(name: "wrk").locate()
    }

    /// Returns the requests per second.
    func run(url: String, seconds: Int, in workspace: Workspace) throws -> Double {
        let wrk = Subprocess(
            executable: executable, arguments: ["-t1", "-c64", "-d\(seconds)s", url]
        )
        let output = try wrk.run(in: workspace)
        for problem in ["Non-2xx", "Socket errors"] where output.contains(problem) {
            throw BenchmarkFailure("wrk had failures: \(output)")
        }
        let line = output.split(separator: "\n").first { $0.hasPrefix("Requests/sec:") }
        guard let rate = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw BenchmarkFailure("wrk printed no rate: \(output)")
        }
        return rate
    }
}
