import Foundation

/// The medians as other programs read them.
struct ResultsFile: Encodable {
    let results: [Entry]
    let machine: Machine

    struct Entry: Encodable {
        let benchmarkCase: String
        let client: String
        let requestsPerSecond: Double
        let cpuMicrosecondsPerRequest: Double
        let seconds: Double
        let peakMemoryMebibytes: Double
        let idleMemoryMebibytes: Double

        enum CodingKeys: String, CodingKey {
            case benchmarkCase = "case"
            case client, requestsPerSecond, cpuMicrosecondsPerRequest, seconds
            case peakMemoryMebibytes, idleMemoryMebibytes
        }

        /// Nil for a client that has no numbers.
        init?(_ result: CaseResult, _ client: Client) {
            guard let rate = result.median(client, \.requestsPerSecond),
                let cpu = result.median(client, \.cpuMicrosecondsPerRequest),
                let seconds = result.median(client, \.seconds),
                let peak = result.median(client, \.peakMemoryMebibytes),
                let idle = result.median(client, \.idleMemoryMebibytes)
            else { return nil }
            benchmarkCase = result.benchmarkCase.name
            self.client = client.rawValue
            requestsPerSecond = rate
            cpuMicrosecondsPerRequest = cpu
            self.seconds = seconds
            peakMemoryMebibytes = peak
            idleMemoryMebibytes = idle
        }
    }

    init(results: [CaseResult], clients: [Client], machine: Machine) {
        self.results = results.flatMap { result in
            clients.compactMap { Entry(result, $0) }
        }
        self.machine = machine
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
}
