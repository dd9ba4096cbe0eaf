import BluebonnetTestSupport
import Foundation

/// The load generator wrk, which shows the request rate that the machine can reach.
struct Wrk {
    /// The share of wrk's rate below which libcurl was disturbed and the run is void.
    static let smallestShare = 0.4

    private let program: String

    init() throws {
        program = try InstalledProgram(name: "wrk").locate()
    }

    /// Returns the requests per second.
    func run(url: String, seconds: Int, in workspace: Workspace) throws -> Double {
        let output = try workspace.run(
            SystemCommand(program, ["-t1", "-c64", "-d\(seconds)s", url]))
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
