import Foundation

/// The tables of a run as text for a person.
struct Report {
    let results: [CaseResult]
    let machine: Machine
    let options: RunOptions
    /// Notes about cases and clients that were left out.
    var notes: [String] = []

    var text: String {
        var parts = [machine.summary]
        for result in results {
            parts.append(heading(result.benchmarkCase))
            parts.append(table(result).text(inMarkdown: options.isMarkdown))
            parts += failures(result)
            let notes = CaseRatios(result).lines + wrk(result)
            if !notes.isEmpty {
                parts.append(notes.map { "- \($0)" }.joined(separator: "\n"))
            }
        }
        parts += notes
        if results.contains(where: \.isVoid) {
            parts.append("THIS RUN IS VOID: ignore its numbers. Repeat it on an idle machine.")
        }
        return parts.joined(separator: "\n\n")
    }

    private func heading(_ benchmarkCase: BenchmarkCase) -> String {
        options.isMarkdown ? "### `\(benchmarkCase.name)`" : "== \(benchmarkCase.name) =="
    }

    private func table(_ result: CaseResult) -> Table {
        let columns = ReportColumn.all(for: result.benchmarkCase)
        var table = Table(header: ["client"] + columns.map(\.title))
        for client in options.clients where client.takesPart(in: result.benchmarkCase) {
            if result.failures[client] != nil {
                let blanks = columns.dropFirst().map { _ in "" }
                table.rows.append([client.rawValue, "failed"] + blanks)
            } else if result.runs[client] != nil {
                let cells = columns.map {
                    result.statistic(client, $0.value)?.text(digits: $0.digits) ?? ""
                }
                table.rows.append([client.rawValue] + cells)
            }
        }
        return table
    }

    private func failures(_ result: CaseResult) -> [String] {
        options.clients.compactMap { client in
            result.failures[client].map { "\(client.rawValue) FAILED: \($0)" }
        }
    }

    private func wrk(_ result: CaseResult) -> [String] {
        guard let rate = Statistic(result.wrkRates) else { return [] }
        var line = "wrk: \(rate.text(digits: 0)) requests/s"
        if let share = result.shareOfWrk {
            line += ", of which c reaches \(String(format: "%.0f", share * 100))%"
        }
        if result.isVoid {
            let smallest = String(format: "%.0f", Wrk.smallestShare * 100)
            line += ": VOID, because c must reach at least \(smallest)%"
        }
        return [line]
    }
}
