import BluebonnetTestSupport

/// Measures the costs of a case's requests, once for each client and round.
final class BudgetMeter {
    typealias Cost = (instructions: Double, allocations: Double)

    typealias Counts = (few: Int, many: Int)

    /// Both numbers exceed the hosts of any case, so that the slope excludes the cost to connect.
    static let counts: Counts = (few: 1_500, many: 4_500)

    private let benchmarkCase: BenchmarkCase
    private let workspace: Workspace
    private let server: FileServer
    private let counts: Counts
    private var costs: [Client: [Cost]] = [:]

    init(
        _ benchmarkCase: BenchmarkCase, in workspace: Workspace, _ server: FileServer,
        counts: Counts = BudgetMeter.counts
    ) {
        self.benchmarkCase = benchmarkCase
        self.workspace = workspace
        self.server = server
        self.counts = counts
    }

    /// Returns the cost of one request of a client in a round, counted from 0.
    func cost(of client: Client, round: Int) throws -> Cost {
        while costs[client, default: []].count <= round {
            BenchmarkCommand.report(
                "budget of \(benchmarkCase.name) with \(client.rawValue), round \(round + 1)")
            let callgrind =
                client == .c
                ? try Callgrind.plainC(in: workspace) : try Callgrind.own(client, in: workspace)
            costs[client, default: []].append(try cost(callgrind))
        }
        return costs[client, default: []][round]
    }

    /// Returns the slope between two numbers of requests, which excludes one-time costs.
    private func cost(_ callgrind: Callgrind) throws -> Cost {
        let url = server.url(of: benchmarkCase)
        let few = try callgrind.profile(benchmarkCase, url: url, count: counts.few)
        let many = try callgrind.profile(benchmarkCase, url: url, count: counts.many)
        let count = counts.many - counts.few
        return (
            Self.slope(few, many, \.instructions, of: count),
            Self.slope(few, many, \.allocations, of: count)
        )
    }

    static func slope(
        _ few: CallgrindProfile, _ many: CallgrindProfile, _ value: (CallgrindProfile) -> Int,
        of count: Int
    ) -> Double {
        Double(value(many) - value(few)) / Double(count)
    }
}
