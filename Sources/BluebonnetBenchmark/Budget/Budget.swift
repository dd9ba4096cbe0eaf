import Foundation

/// What a request of one case through the manager may cost, by counts that depend little on the
/// machine's mood.
///
/// Each figure is the median that was reached on a busy machine, and a tenth more. Lower them when
/// the library gets cheaper; `scripts/budget` prints what it costs now.
struct Budget {
    static let all = [
        Budget(of: "small-get-64", instructions: 110_000, allocations: 19),
        // What grows with the hosts that are known, and the connections to them, shows here.
        Budget(of: "hosts-1000", instructions: 125_000, allocations: 25),
    ]

    /// The name of the case.
    let caseName: String
    let instructions: Double
    let allocations: Double

    init(of caseName: String, instructions: Double, allocations: Double) {
        self.caseName = caseName
        self.instructions = instructions
        self.allocations = allocations
    }

    /// The case that it is for.
    func benchmarkCase() throws -> BenchmarkCase {
        guard let found = BenchmarkCase.all.first(where: { $0.name == caseName }) else {
            throw BenchmarkFailure("there is no case \(caseName)")
        }
        return found
    }

    /// Prints what the costs of several rounds come to; true when that is no more than it may be.
    func isKept(byInstructions instructions: [Double], allocations: [Double]) -> Bool {
        let verdicts = [
            Self.judge("instructions", instructions, most: self.instructions, caseName),
            Self.judge("allocations", allocations, most: self.allocations, caseName),
        ]
        for verdict in verdicts { print(verdict.text) }
        return verdicts.allSatisfy(\.isKept)
    }

    /// Whether the median of the costs is at most so much, and that in words.
    static func judge(
        _ name: String, _ costs: [Double], most: Double, _ caseName: String
    ) -> (isKept: Bool, text: String) {
        guard let cost = Statistic(costs) else { return (false, "\(name): nothing was counted") }
        let isKept = cost.median <= most
        let text =
            "\(name) per request of \(caseName): \(cost.text(digits: 1)), at most"
            + " \(String(format: "%.1f", most)): \(isKept ? "kept" : "EXCEEDED")"
        return (isKept, text)
    }
}
