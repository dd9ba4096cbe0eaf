import Foundation

/// `bluebonnet-benchmark budget`: whether a request costs no more instructions and allocations than it may.
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
        let server = try NginxServer.start(
            in: workspace, serving: [.small], on: [.plain, .everyLoopbackAddress])
        let callgrind = try Callgrind(in: workspace)
        let verdicts = try Budget.all.map { try isKept($0, callgrind, server) }
        return verdicts.allSatisfy { $0 } ? 0 : ExitStatus.worse
    }

    private func isKept(
        _ budget: Budget, _ callgrind: Callgrind, _ server: NginxServer
    ) throws -> Bool {
        let benchmarkCase = try budget.benchmarkCase()
        let url = server.url(of: benchmarkCase)
        var instructions: [Double] = []
        var allocations: [Double] = []
        for round in 0..<rounds {
            BenchmarkCommand.report(
                "budget of \(benchmarkCase.name), round \(round + 1) of \(rounds)")
            let few = try callgrind.profile(benchmarkCase, url: url, count: Self.counts.few)
            let many = try callgrind.profile(benchmarkCase, url: url, count: Self.counts.many)
            instructions.append(Self.slope(few, many, \.instructions))
            allocations.append(Self.slope(few, many, \.allocations))
        }
        return budget.isKept(byInstructions: instructions, allocations: allocations)
    }

    static func slope(
        _ few: CallgrindProfile, _ many: CallgrindProfile, _ value: (CallgrindProfile) -> Int
    ) -> Double {
        Double(value(many) - value(few)) / Double(counts.many - counts.few)
    }
}
