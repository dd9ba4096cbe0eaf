import Foundation

/// The cost of a request at each point, as a table and as a chart.
struct ScalingReport {
    private(set) var costs: [ScalingPoint: [Double]] = [:]

    mutating func add(_ microseconds: Double, at point: ScalingPoint) {
        costs[point, default: []].append(microseconds)
    }

    /// Returns the median at the largest value divided by the median at the smallest.
    func growth(_ axis: ScalingAxis) -> Double? {
        let medians = medians(axis)
        guard let first = medians.first, let last = medians.last, first > 0 else { return nil }
        return last / first
    }

    func text(inMarkdown: Bool) -> String {
        var table = Table(header: ["axis", "value", "CPU µs/request"])
        for axis in ScalingAxis.allCases {
            for value in axis.values {
                let point = ScalingPoint(axis: axis, value: value)
                guard let cost = Statistic(costs[point] ?? []) else { continue }
                table.rows.append([axis.title, "\(value)", cost.text(digits: 1)])
            }
        }
        let growths = ScalingAxis.allCases.compactMap { axis in
            growth(axis).map {
                "- \(axis.title): \(String(format: "%.2f", $0)) times the cost, from the smallest to the largest value"
            }
        }
        return ([table.text(inMarkdown: inMarkdown), ""] + growths).joined(separator: "\n")
    }

    var chart: LineChart {
        let series = ScalingAxis.allCases.compactMap { axis -> LineChart.Series? in
            let values = axis.values
            guard let first = values.first, let last = values.last else { return nil }
            let medians = medians(axis)
            guard !medians.isEmpty else { return nil }
            return LineChart.Series(name: "\(axis.title), \(first) to \(last)", values: medians)
        }
        return LineChart(
            title: "CPU of a small GET, 64 at a time, in µs",
            ticks: ["smallest", "× 10", "× 100", "× 1,000"],
            series: series
        )
    }

    private func medians(_ axis: ScalingAxis) -> [Double] {
        axis.values.compactMap { value in
            Statistic(costs[ScalingPoint(axis: axis, value: value)] ?? [])?.median
        }
    }
}
