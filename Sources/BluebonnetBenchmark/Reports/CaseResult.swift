/// The results of all rounds of one case.
struct CaseResult {
    let benchmarkCase: BenchmarkCase
    let bodyMebibytes: Double
    var runs: [Client: [ClientRun]] = [:]
    var failures: [Client: String] = [:]
    var wrkRates: [Double] = []

    init(_ benchmarkCase: BenchmarkCase, bodyBytes: Int) {
        self.benchmarkCase = benchmarkCase
        bodyMebibytes = Double(bodyBytes) / 1_048_576
    }

    /// Returns nil for a client that did not run or that failed in any round.
    func statistic(_ client: Client, _ value: (ClientRun) -> Double) -> Statistic? {
        guard failures[client] == nil else { return nil }
        return Statistic((runs[client] ?? []).map(value))
    }

    func median(_ client: Client, _ value: (ClientRun) -> Double) -> Double? {
        statistic(client, value)?.median
    }

    /// Returns the client's peak memory minus its idle memory and the bodies it must hold, in MiB.
    func memoryBeyondBody(_ client: Client) -> Double? {
        let bodies = bodyMebibytes * Double(benchmarkCase.keptBodies)
        return median(client) { $0.peakMemoryMebibytes - $0.idleMemoryMebibytes - bodies }
    }

    /// The C program's rate divided by wrk's, or nil if either did not run.
    var shareOfWrk: Double? {
        guard let wrk = Statistic(wrkRates)?.median else { return nil }
        return median(.c, \.requestsPerSecond).map { $0 / wrk }
    }

    var isVoid: Bool {
        shareOfWrk.map { $0 < Wrk.smallestShare } ?? false
    }
}
