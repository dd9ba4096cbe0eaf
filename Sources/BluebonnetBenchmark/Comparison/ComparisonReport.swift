import Foundation

/// A comparison as text for a person.
struct ComparisonReport {
    let comparison: Comparison

    func text(inMarkdown: Bool) -> String {
        let figures = Comparison.Figure.allCases
        var table = Table(
            header: ["case", "client", "reference"] + figures.map(\.rawValue) + ["verdict"])
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
            return "The two runs share no client that can be compared."
        }
        let verdict = comparison.isWorse ? "Something is worse" : "Nothing is worse"
        return "Ratios to the reference, new divided by old:\n\n"
            + table.text(inMarkdown: inMarkdown)
            + "\n\n\(verdict) by more than \(comparison.tolerance)%."
    }
}
