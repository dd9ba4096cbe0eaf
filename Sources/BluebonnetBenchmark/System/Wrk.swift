import BluebonnetTestSupport
import Foundation

/// wrk, which does little but send requests: the measure of what the machine could do.
struct Wrk {
    /// Below this share of wrk's rate, libcurl was disturbed and nothing can be concluded.
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
