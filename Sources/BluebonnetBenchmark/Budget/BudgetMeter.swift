import BluebonnetTestSupport

/// Measures the costs of a case's requests, once for each client and round.
final class BudgetMeter {
    typealias Cost = (instructions: Double, allocations: Double)

    /// Both numbers exceed the hosts of any case, so that the slope excludes the cost to connect.
    private static let counts = (few: 1_500, many: 4_500)

    private let benchmarkCase: BenchmarkCase
    private let workspace: Workspace
    private let server: FileServer
    private var costs: [Client: [Cost]] = [:]

    init(_ benchmarkCase: BenchmarkCase, in workspace: Workspace, _ server: FileServer) {
        self.benchmarkCase = benchmarkCase
        self.workspace = workspace
        self.server = server
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
        let few = try callgrind.profile(benchmarkCase, url: url, count: Self.counts.few)
        let many = try callgrind.profile(benchmarkCase, url: url, count: Self.counts.many)
        return (Self.slope(few, many, \.instructions), Self.slope(few, many, \.allocations))
    }

    static func slope(
        _ few: CallgrindProfile, _ many: CallgrindProfile, _ value: (CallgrindProfile) -> Int
    ) -> Double {
        Double(value(many) - value(few)) / Double(counts.many - counts.few)
    }
}
