import BluebonnetTestSupport

/// What a request of a case costs, measured when it is asked for and once a round.
final class BudgetMeter {
    typealias Cost = (instructions: Double, allocations: Double)

    /// Both beyond the hosts of any case, or connecting would be in the slope.
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

    /// What a request of a client costs in a round, of which the first is 0.
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

    /// The slope between two numbers of requests, so that what a process does once is not in it.
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
