/// A comparison of the results of a run with those of an earlier run.
///
/// The absolute figures of two runs are not comparable, but the ratios between clients within each
/// run are. Each figure is therefore first divided by that of the reference client in the same
/// case.
struct Comparison {
    /// The default tolerance in percent.
    static let defaultTolerance = 15

    enum Figure: String, CaseIterable {
        case rate = "requests/s"
        case cpu = "CPU/request"
        case peak = "peak memory"

        func value(_ entry: ResultsFile.Entry) -> Double {
            switch self {
            case .rate: entry.requestsPerSecond
            case .cpu: entry.cpuMicrosecondsPerRequest
            case .peak: entry.peakMemoryMebibytes
            }
        }

        var isBetterWhenLarger: Bool { self == .rate }
    }

    struct Line {
        let benchmarkCase: String
        let client: String
        let reference: String
        /// The ratios to the reference in the new run, divided by those in the old run.
        let changes: [Figure: Double]
        /// Bluebonnet's figures that are worse by more than the tolerance.
        let worse: [Figure]
    }

    let lines: [Line]
    let tolerance: Int

    init(earlier: ResultsFile, later: ResultsFile, tolerance: Int = defaultTolerance) {
        self.tolerance = tolerance
        let (old, new) = (RatiosWithin(earlier), RatiosWithin(later))
        lines = later.results.compactMap { entry in
            guard let before = old.ratios(entry.benchmarkCase, entry.client),
                let now = new.ratios(entry.benchmarkCase, entry.client),
                before.reference == now.reference
            else { return nil }
            let changes = now.ratios.reduce(into: [Figure: Double]()) { changes, each in
                guard let earlier = before.ratios[each.key], earlier > 0 else { return }
                changes[each.key] = each.value / earlier
            }
            let isOwn = Client(rawValue: entry.client)?.isOwn ?? false
            return Line(
                benchmarkCase: entry.benchmarkCase, client: entry.client, reference: now.reference,
                changes: changes,
                worse: isOwn ? Self.worse(changes, tolerance: Double(tolerance) / 100) : []
            )
        }
    }

    var isWorse: Bool { lines.contains { !$0.worse.isEmpty } }

    private static func worse(_ changes: [Figure: Double], tolerance: Double) -> [Figure] {
        Figure.allCases.filter { figure in
            guard let change = changes[figure] else { return false }
            return figure.isBetterWhenLarger ? change < 1 - tolerance : change > 1 + tolerance
        }
    }
}
