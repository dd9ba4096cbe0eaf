import Foundation

/// A bar chart of the requests per second of every case and client.
struct ResultsChart {
    private let entries: [ResultsFile.Entry]

    init(_ file: ResultsFile) {
        entries = file.results
    }

    var chart: BarChart {
        var names: [String] = []
        for entry in entries where !names.contains(entry.benchmarkCase) {
            names.append(entry.benchmarkCase)
        }
        return BarChart(title: "Requests per second, longer is better", groups: names.map(group))
    }

    private func group(_ name: String) -> BarChart.Group {
        let bars = entries.filter { $0.benchmarkCase == name }.map { entry in
            let color = Client.allCases.firstIndex { $0.rawValue == entry.client } ?? 0
            let rate = entry.requestsPerSecond
            return BarChart.Bar(
                name: entry.client, value: rate,
                label: String(format: rate < 100 ? "%.1f" : "%.0f", rate), color: color
            )
        }
        let title = BenchmarkCase.all.first { $0.name == name }?.title
        return BarChart.Group(title: title ?? name, bars: bars)
    }
}
