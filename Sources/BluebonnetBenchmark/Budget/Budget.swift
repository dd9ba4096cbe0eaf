import Foundation

/// The largest cost that a request of one case through the manager may have.
///
/// Costs are counts. A busy machine raises them, because more turns of the loop serve one request.
struct Budget {
    // A small GET costs 1.80 to 1.88, and the goal is 1.5. The bound leaves room for the noise of a
    // run.
    static let all = [
        Budget(of: "small-get-64", instructionRatio: 1.94, allocations: 62),
        // Reveals costs that grow with the number of known hosts and of connections to them.
        Budget(of: "hosts-1000", instructionRatio: 2.15, allocations: 76),
    ]

    /// The case of the C program whose instructions are the unit of all ratios.
    static let reference = "small-get-64"

    /// The name of the case.
    let caseName: String
    /// The largest ratio of the instructions to those of the C program's ``reference`` in the same
    /// run.
    let instructionRatio: Double
    /// The largest number of calls to the allocator, including libcurl's.
    let allocations: Double

    init(of caseName: String, instructionRatio: Double, allocations: Double) {
        self.caseName = caseName
        self.instructionRatio = instructionRatio
        self.allocations = allocations
    }

    /// Returns the case of this budget.
    func benchmarkCase() throws -> BenchmarkCase { try BenchmarkCase.named(caseName) }

    /// Prints the median of the costs and returns whether it is within the budget.
    static func isKept(
        _ name: String, _ costs: [Double], most: Double, _ caseName: String
    ) -> Bool {
        let verdict = judge(name, costs, most: most, caseName)
        print(verdict.text)
        return verdict.isKept
    }

    /// Returns whether the median of the costs is at most `most`, with a line of text about it.
    static func judge(
        _ name: String, _ costs: [Double], most: Double, _ caseName: String
    ) -> (isKept: Bool, text: String) {
        guard let cost = Statistic(costs) else { return (false, "\(name): no cost was measured") }
        let isKept = cost.median <= most
        let text =
            "\(caseName), \(name): \(cost.text(digits: 2)), at most"
            + " \(String(format: "%.2f", most)): \(isKept ? "kept" : "EXCEEDED")"
        return (isKept, text)
    }
}
