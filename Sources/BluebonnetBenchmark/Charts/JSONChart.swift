import Foundation

/// A bar chart of the microseconds to read each document as a type, and to write it.
struct JSONChart {
    private let results: [JSONResult]

    private static let works: [(name: String, work: JSONWork)] = [
        ("Bluebonnet reads", .typed), ("JSONDecoder", .jsonDecoder), ("Go reads", .goUnmarshal),
        ("Bluebonnet writes", .encoded), ("JSONEncoder", .jsonEncoder), ("Go writes", .goMarshal),
    ]

    init(_ results: [JSONResult]) { self.results = results }

    var chart: BarChart {
        BarChart(
            title: "Processor time of a document, in microseconds, shorter is better",
            groups: results.map(group))
    }

    private func group(_ result: JSONResult) -> BarChart.Group {
        let bars = Self.works.enumerated().compactMap { index, entry -> BarChart.Bar? in
            guard let time = result.times[entry.work]?.median,
                index < 3 || result.writtenSize != nil
            else { return nil }
            return BarChart.Bar(
                name: entry.name, value: time,
                label: String(format: time < 100 ? "%.1f" : "%.0f", time), color: index % 3)
        }
        let size = result.writtenSize.map { ", written as \($0)" } ?? ""
        return BarChart.Group(
            title: "\(result.document), \(result.size) bytes\(size)", bars: bars)
    }
}
