import Foundation

/// A comparison as a person reads it.
struct ComparisonReport {
    let comparison: Comparison

    func text(inMarkdown: Bool) -> String {
        let figures = Comparison.Figure.allCases
        var table = Table(
            header: ["case", "client", "in terms of"] + figures.map(\.rawValue) + ["verdict"])
        for line in comparison.lines {
            let cells = figures.map { figure in
                line.changes[figure].map { String(format: "%.2f", $0) } ?? ""
            }
            table.rows.append(
                [line.benchmarkCase, line.client, line.reference] + cells
                    + [line.worse.isEmpty ? "" : "WORSE"]
            )
        }
        guard !comparison.lines.isEmpty else {
            return "The two runs have no client in common that can be compared."
        }
        let verdict = comparison.isWorse ? "Something is worse" : "Nothing is worse"
        return "New over old, of the ratios within each run:\n\n"
            + table.text(inMarkdown: inMarkdown)
            + "\n\n\(verdict) by more than \(comparison.tolerance) %."
    }
}
