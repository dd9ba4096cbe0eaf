import Foundation

/// The medians of a run in a form for other programs.
struct ResultsFile: Codable {
    let results: [Entry]
    let machine: Machine

    struct Entry: Codable {
        let benchmarkCase: String
        let client: String
        let requestsPerSecond: Double
        let cpuMicrosecondsPerRequest: Double
        let seconds: Double
        let peakMemoryMebibytes: Double
        let idleMemoryMebibytes: Double
        var memoryPerTaskKibibytes: Double?
        var slowdown: Double?
        var cpuGrowth: Double?
        /// The range of the rounds.
        var spread: Spread?

        enum CodingKeys: String, CodingKey {
            case benchmarkCase = "case"
            case client, requestsPerSecond, cpuMicrosecondsPerRequest, seconds
            case peakMemoryMebibytes, idleMemoryMebibytes
            case memoryPerTaskKibibytes, slowdown, cpuGrowth, spread
        }
    }

    /// The smallest and the largest value of all rounds.
    struct Spread: Codable {
        let requestsPerSecond: [Double]
        let cpuMicrosecondsPerRequest: [Double]
    }

    init(results: [Entry], machine: Machine) {
        self.results = results
        self.machine = machine
    }

    init(results: [CaseResult], clients: [Client], machine: Machine) {
        let entries = results.flatMap { result in
            clients.compactMap { Entry(result, $0) }
        }
        self.init(results: entries, machine: machine)
    }

    static func read(_ path: String) throws -> ResultsFile {
        do {
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            return try JSONDecoder().decode(ResultsFile.self, from: data)
        } catch {
            throw BenchmarkFailure("\(path) is not a result file of --json: \(error)")
        }
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}

extension ResultsFile.Entry {
    /// Creates an entry, or returns nil for a client without figures.
    init?(_ result: CaseResult, _ client: Client) {
        guard let rate = result.statistic(client, \.requestsPerSecond),
            let cpu = result.statistic(client, \.cpuMicrosecondsPerRequest),
            let seconds = result.median(client, \.seconds),
            let peak = result.median(client, \.peakMemoryMebibytes),
            let idle = result.median(client, \.idleMemoryMebibytes)
        else { return nil }
        benchmarkCase = result.benchmarkCase.name
        self.client = client.rawValue
        requestsPerSecond = rate.median
        cpuMicrosecondsPerRequest = cpu.median
        self.seconds = seconds
        peakMemoryMebibytes = peak
        idleMemoryMebibytes = idle
        spread = ResultsFile.Spread(
            requestsPerSecond: [rate.smallest, rate.largest],
            cpuMicrosecondsPerRequest: [cpu.smallest, cpu.largest]
        )
        guard case .amongHeld = result.benchmarkCase.work else { return }
        memoryPerTaskKibibytes = result.median(client) { $0.memoryPerTaskKibibytes ?? 0 }
        slowdown = result.median(client) { $0.slowdown ?? 0 }
        cpuGrowth = result.median(client) { $0.cpuGrowth ?? 0 }
    }
}
