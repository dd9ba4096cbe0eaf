import Foundation

/// A chart with a group of bars for each case, scaled to the longest bar of the group.
struct BarChart {
    struct Bar {
        let name: String
        let value: Double
        let label: String
        let color: Int
    }

    struct Group {
        let title: String
        let bars: [Bar]
    }

    let title: String
    let groups: [Group]

    private static let width = 720.0
    private static let names = 130.0
    private static let longest = 440.0
    private static let line = 18.0
    private static let gap = 14.0

    var svg: String {
        let rows = groups.map(\.bars.count).reduce(0, +)
        let height =
            Double(rows + groups.count) * Self.line + Double(groups.count + 1) * Self.gap
            + Self.line
        var document = SVGDocument(width: Self.width, height: height)
        document.text(title, x: 0, y: 14, class: "title")
        var y = Self.line + Self.gap
        for group in groups {
            draw(group, at: y, in: &document)
            y += Double(group.bars.count + 1) * Self.line + Self.gap
        }
        return document.text
    }

    private func draw(_ group: Group, at top: Double, in document: inout SVGDocument) {
        document.text(group.title, x: 0, y: top + 12, class: "label")
        let largest = group.bars.map(\.value).max() ?? 0
        for (index, bar) in group.bars.enumerated() {
            let y = top + Double(index + 1) * Self.line
            let share = largest > 0 ? bar.value / largest : 0
            document.text(
                bar.name, x: Self.names - 8, y: y + 12, class: "minor", anchor: .end
            )
            document.bar(
                x: Self.names, y: y + 3, width: max(share * Self.longest, 1), height: 12,
                color: bar.color
            )
            document.text(
                bar.label, x: Self.names + share * Self.longest + 8, y: y + 12, class: "minor"
            )
        }
    }
}
