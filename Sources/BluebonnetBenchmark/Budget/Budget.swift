import Foundation

/// What a request of one case through the manager may cost, by counts that depend little on the
/// machine's mood.
struct Budget {
    // A small GET was to stay below 1.6 and 60, and takes 1.65 to 1.75: options of a call, strict framing and clocks
    // that count work cost what is between. What is above that is for machines that are busy.
    static let all = [
        Budget(of: "small-get-64", instructionRatio: 1.8, allocations: 62),
        // Shows costs that grow with the number of known hosts and of connections to them.
        Budget(of: "hosts-1000", instructionRatio: 2.15, allocations: 76),
    ]

    /// The case of the C program, whose instructions are the measure of all.
    static let reference = "small-get-64"

    /// The name of the case.
    let caseName: String
    /// How many times the instructions of the C program's ``reference`` in the same run.
    let instructionRatio: Double
    /// Calls of the allocator, libcurl's own included.
    let allocations: Double

    init(of caseName: String, instructionRatio: Double, allocations: Double) {
        self.caseName = caseName
        self.instructionRatio = instructionRatio
        self.allocations = allocations
    }

    /// The case that it is for.
    func benchmarkCase() throws -> BenchmarkCase { try BenchmarkCase.named(caseName) }

    /// Prints the median of costs; true when that is no more than it may be.
    static func isKept(
        _ name: String, _ costs: [Double], most: Double, _ caseName: String
    ) -> Bool {
        let verdict = judge(name, costs, most: most, caseName)
        print(verdict.text)
        return verdict.isKept
    }

    /// Whether the median of the costs is at most so much, and that in words.
    static func judge(
        _ name: String, _ costs: [Double], most: Double, _ caseName: String
    ) -> (isKept: Bool, text: String) {
        guard let cost = Statistic(costs) else { return (false, "\(name): nothing was counted") }
        let isKept = cost.median <= most
        let text =
            "\(caseName), \(name): \(cost.text(digits: 2)), at most"
            + " \(String(format: "%.2f", most)): \(isKept ? "kept" : "EXCEEDED")"
        return (isKept, text)
    }
}
