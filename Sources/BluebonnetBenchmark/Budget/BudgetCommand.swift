import Foundation

/// `bluebonnet-benchmark budget`: whether a request costs no more instructions and allocations than it
/// may.
///
/// A cost is the slope between two numbers of requests, so that what a process does once is not
/// in it. How the threads take turns moves it by some percent, hence the median of several.
struct BudgetCommand {
    /// Both beyond the hosts of any case, or connecting would be in the slope.
    private static let counts = (few: 1_500, many: 4_500)

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
        let reference = try BenchmarkCase.named(Budget.reference)
        BenchmarkCommand.report("the C program's \(reference.name)")
        // One thread, whose turns are its own: one round is enough.
        let c = try cost(of: reference, .plainC(in: workspace), server)
        print(
            "C's \(reference.name): \(Int(c.instructions)) instructions, "
                + "\(String(format: "%.1f", c.allocations)) allocations")
        var verdicts: [Bool] = []
        let manager = try Callgrind.own(.bluebonnet, in: workspace)
        for budget in Budget.all {
            let costs = try costs(of: budget.benchmarkCase(), manager, server)
            verdicts.append(
                budget.isKept(
                    byInstructions: costs.map(\.instructions), ofC: c.instructions,
                    allocations: costs.map(\.allocations)))
            guard budget.caseName == Budget.reference else { continue }
            for variant in BudgetVariant.all {
                let plain =
                    variant.base == .bluebonnet
                    ? costs
                    : try self.costs(
                        of: budget.benchmarkCase(), .own(variant.base, in: workspace), server)
                let others = try self.costs(
                    of: budget.benchmarkCase(), .own(variant.client, in: workspace), server)
                verdicts.append(
                    variant.isKept(
                        by: others.map(\.instructions), besides: plain.map(\.instructions)))
            }
        }
        return verdicts.allSatisfy { $0 } ? 0 : ExitStatus.worse
    }

    private func costs(
        of benchmarkCase: BenchmarkCase, _ callgrind: Callgrind, _ server: FileServer
    ) throws -> [(instructions: Double, allocations: Double)] {
        try (1...rounds).map { round in
            BenchmarkCommand.report(
                "budget of \(benchmarkCase.name), round \(round) of \(rounds)")
            return try cost(of: benchmarkCase, callgrind, server)
        }
    }

    private func cost(
        of benchmarkCase: BenchmarkCase, _ callgrind: Callgrind, _ server: FileServer
    ) throws -> (instructions: Double, allocations: Double) {
        let url = server.url(of: benchmarkCase)
        let few = try callgrind.profile(benchmarkCase, url: url, count: Self.counts.few)
        let many = try callgrind.profile(benchmarkCase, url: url, count: Self.counts.many)
        return (
            Self.slope(few, many, \.instructions), Self.slope(few, many, \.allocations)
        )
    }

    static func slope(
        _ few: CallgrindProfile, _ many: CallgrindProfile, _ value: (CallgrindProfile) -> Int
    ) -> Double {
        Double(value(many) - value(few)) / Double(counts.many - counts.few)
    }
}
