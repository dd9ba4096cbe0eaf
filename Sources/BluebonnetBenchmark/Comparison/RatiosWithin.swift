/// The figures of one run as ratios to the reference of each case.
///
/// The reference is C or, in a case without C, the command `curl`.
struct RatiosWithin {
    private static let references = [Client.c, .curl].map(\.rawValue)

    private let entries: [ResultsFile.Entry]

    init(_ file: ResultsFile) {
        entries = file.results
    }

    /// Returns nil for the reference itself, and for a case without a reference.
    func ratios(
        _ benchmarkCase: String, _ client: String
    ) -> (reference: String, ratios: [Comparison.Figure: Double])? {
        func entry(_ client: String) -> ResultsFile.Entry? {
            entries.first { $0.benchmarkCase == benchmarkCase && $0.client == client }
        }
        guard let reference = Self.references.lazy.compactMap(entry).first,
            reference.client != client, let own = entry(client)
        else { return nil }
        var ratios: [Comparison.Figure: Double] = [:]
        for figure in Comparison.Figure.allCases where figure.value(reference) > 0 {
            ratios[figure] = figure.value(own) / figure.value(reference)
        }
        return (reference.client, ratios)
    }
}
