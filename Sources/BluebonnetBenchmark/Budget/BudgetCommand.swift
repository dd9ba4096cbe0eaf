import Foundation

/// `scripts/benchmark budget`: checks the instructions, allocations and locks of a request against a
/// budget.
///
/// Thread scheduling changes a cost by a few percent. If the first round is close to the budget,
/// the median of several rounds counts.
struct BudgetCommand {
    private let rounds: Int

    init(_ arguments: some Sequence<String>) throws {
        rounds = try OptionReader.rounds(in: arguments) ?? 3
    }

    /// Returns the exit status.
    func run() throws -> Int32 {
        let workspace = try Workspace()
        StopSignals.handle { workspace.closeAndExit(status: $0) }
        defer { workspace.close() }
        let server = try FileServer.start(
            in: workspace, serving: [.small], on: [.plain, .everyLoopbackAddress])
        let reference = BudgetMeter(
            try BenchmarkCase.named(Budget.reference), in: workspace, server)
        // The C program has one thread, so its counts do not vary and one round is enough.
        let c = try reference.cost(of: .c, round: 0)
        print(
            "C's \(Budget.reference): \(Int(c.instructions)) instructions, "
                + "\(String(format: "%.1f", c.allocations)) allocations")
        var verdicts: [Bool] = []
        for budget in Budget.all {
            let meter =
                budget.caseName == Budget.reference
                ? reference : BudgetMeter(try budget.benchmarkCase(), in: workspace, server)
            let instructions = try Self.costs(atMost: budget.instructionRatio, rounds) { round in
                try meter.cost(of: .bluebonnet, round: round).instructions / c.instructions
            }
            verdicts.append(
                Budget.isKept(
                    "instructions of a request, times C's", instructions,
                    most: budget.instructionRatio,
                    budget.caseName))
            let allocations = try instructions.indices.map { round in
                try meter.cost(of: .bluebonnet, round: round).allocations
            }
            verdicts.append(
                Budget.isKept(
                    "allocations of a request", allocations, most: budget.allocations,
                    budget.caseName))
        }
        let few = BudgetMeter(
            try BenchmarkCase.named(Budget.reference), in: workspace, server, counts: (300, 900))
        for (variants, meter) in [(BudgetVariant.all, reference), (BudgetVariant.calls, few)] {
            for variant in variants {
                let ratios = try Self.costs(atMost: variant.ratio, rounds) { round in
                    let base =
                        variant.base == .c ? c : try meter.cost(of: variant.base, round: round)
                    let cost = try meter.cost(of: variant.client, round: round)
                    return cost.instructions / base.instructions
                }
                verdicts.append(
                    Budget.isKept(
                        "instructions of \(variant.name), times \(variant.base.rawValue)'s", ratios,
                        most: variant.ratio, Budget.reference))
            }
        }
        for budget in DocumentBudget.all { verdicts.append(try budget.isKept(in: workspace)) }
        for budget in LockBudget.all { verdicts.append(try budget.isKept(in: workspace)) }
        return verdicts.allSatisfy { $0 } ? 0 : ExitStatus.worse
    }

    /// Returns the costs of all rounds, or of fewer rounds if their median is clearly within the
    /// budget.
    static func costs(
        atMost most: Double, _ rounds: Int, _ measure: (_ round: Int) throws -> Double
    ) rethrows -> [Double] {
        var costs: [Double] = []
        for round in 0..<rounds {
            costs.append(try measure(round))
            if let cost = Statistic(costs), cost.median < most * 0.96 { break }
        }
        return costs
    }
}
