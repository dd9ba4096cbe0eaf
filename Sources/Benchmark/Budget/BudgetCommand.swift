import Foundation

/// `benchmark budget`: whether a small GET costs no more instructions and allocations than it may.
///
/// A cost is the slope between two numbers of requests, so that what a process does once is not
/// in it. How the threads take turns moves it by some percent, hence the median of several.
struct BudgetCommand {
    private static let counts = (few: 2_000, many: 6_000)

    private let rounds: Int

    init(_ arguments: some Sequence<String>) throws {
        rounds = try OptionReader.rounds(in: arguments) ?? 3
    }

    /// Returns the exit status.
    func run() throws -> Int32 {
        let workspace = try Workspace()
        StopSignals.handle { workspace.closeAndExit(status: $0) }
        defer { workspace.close() }
        let server = try NginxServer.start(in: workspace, serving: [.small])
        let callgrind = try Callgrind(in: workspace)
        let url = server.url(of: .small, on: .plain)
        var instructions: [Double] = []
        var allocations: [Double] = []
        for round in 0..<rounds {
            BenchmarkCommand.report("budget, round \(round + 1) of \(rounds)")
            let few = try callgrind.profile(url: url, count: Self.counts.few)
            let many = try callgrind.profile(url: url, count: Self.counts.many)
            instructions.append(Self.slope(few, many, \.instructions))
            allocations.append(Self.slope(few, many, \.allocations))
        }
        let verdicts = [(Budget.instructions, instructions), (.allocations, allocations)]
        return verdicts.map(judge).allSatisfy { $0 } ? 0 : ExitStatus.worse
    }

    static func slope(
        _ few: CallgrindProfile, _ many: CallgrindProfile, _ value: (CallgrindProfile) -> Int
    ) -> Double {
        Double(value(many) - value(few)) / Double(counts.many - counts.few)
    }

    private func judge(_ budget: Budget, _ costs: [Double]) -> Bool {
        guard let cost = Statistic(costs) else { return false }
        let isKept = budget.isKept(by: cost.median)
        print(
            "\(budget.name) per small GET: \(cost.text(digits: 1)), at most"
                + " \(String(format: "%.0f", budget.most)): \(isKept ? "kept" : "EXCEEDED")"
        )
        return isKept
    }
}
