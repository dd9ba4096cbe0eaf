import Foundation

/// A line chart of several series over the same few positions, starting at zero.
struct LineChart {
    struct Series {
        let name: String
        let values: [Double]
    }

    let title: String
    /// The labels below the positions.
    let ticks: [String]
    let series: [Series]

    private static let width = 720.0
    private static let plot = (left: 50.0, top: 34.0, right: 700.0, bottom: 260.0)

    var svg: String {
        let plot = Self.plot
        let legend = plot.bottom + 44
        var document = SVGDocument(
            width: Self.width, height: legend + Double(series.count) * 18 + 4
        )
        document.text(title, x: plot.left, y: 14, class: "title")
        drawAxes(in: &document)
        for (index, one) in series.enumerated() {
            document.line(points(of: one), color: Self.color(index))
            let y = legend + Double(index) * 18
            document.bar(x: plot.left, y: y - 6, width: 16, height: 3, color: Self.color(index))
            document.text(one.name, x: plot.left + 24, y: y, class: "minor")
        }
        return document.text
    }

    private func drawAxes(in document: inout SVGDocument) {
        let plot = Self.plot
        for step in 0...4 {
            let value = top * Double(step) / 4
            let y = height(of: value)
            document.rule(x1: plot.left, y1: y, x2: plot.right, y2: y)
            document.text(
                String(format: "%g", value), x: plot.left - 8, y: y + 4, class: "minor",
                anchor: .end
            )
        }
        for (index, tick) in ticks.enumerated() {
            document.text(
                tick, x: place(index), y: plot.bottom + 18, class: "minor", anchor: .middle
            )
        }
    }

    private func points(of one: Series) -> [(x: Double, y: Double)] {
        one.values.enumerated().map { (place($0), height(of: $1)) }
    }

    private func place(_ index: Int) -> Double {
        let inset = 40.0
        let room = Self.plot.right - Self.plot.left - 2 * inset
        return Self.plot.left + inset + room * Double(index) / Double(max(ticks.count - 1, 1))
    }

    private func height(of value: Double) -> Double {
        Self.plot.bottom - (Self.plot.bottom - Self.plot.top) * value / top
    }

    /// A round number that no value exceeds: 1, 2, 4 or 8 times a power of ten.
    var top: Double {
        let largest = series.flatMap(\.values).max() ?? 0
        guard largest > 0 else { return 1 }
        let power = pow(10, log10(largest).rounded(.down))
        let step = [1.0, 2, 4, 8].first { $0 * power >= largest } ?? 10
        return step * power
    }

    /// The second color is too similar to the first one for lines.
    private static func color(_ index: Int) -> Int { index == 0 ? 0 : index + 2 }
}
