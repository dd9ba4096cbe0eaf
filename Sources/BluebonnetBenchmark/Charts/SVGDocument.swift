import Foundation

/// An SVG drawing that is readable on light and dark pages.
struct SVGDocument {
    enum Anchor: String {
        case start, middle, end
    }

    let width: Double
    let height: Double
    private var elements: [String] = []

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// Adds a text of the class `title`, `label` or `minor`.
    mutating func text(
        _ text: String, x: Double, y: Double, class name: String, anchor: Anchor = .start
    ) {
        elements.append(
            "<text x=\"\(number(x))\" y=\"\(number(y))\" class=\"\(name)\""
                + " text-anchor=\"\(anchor.rawValue)\">\(Self.escaped(text))</text>"
        )
    }

    mutating func bar(x: Double, y: Double, width: Double, height: Double, color: Int) {
        elements.append(
            "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\""
                + " height=\"\(number(height))\" rx=\"1.5\" class=\"fill\(color)\"/>"
        )
    }

    mutating func rule(x1: Double, y1: Double, x2: Double, y2: Double) {
        elements.append(
            "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\""
                + " y2=\"\(number(y2))\" class=\"rule\"/>"
        )
    }

    mutating func line(_ points: [(x: Double, y: Double)], color: Int) {
        let list = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
        elements.append("<polyline points=\"\(list)\" class=\"line\(color)\"/>")
        for point in points {
            elements.append(
                "<circle cx=\"\(number(point.x))\" cy=\"\(number(point.y))\" r=\"3\""
                    + " class=\"fill\(color)\"/>"
            )
        }
    }

    var text: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
        width="\(number(width))" height="\(number(height))" role="img">
        <style>
        \(Self.style)
        </style>
        \(elements.joined(separator: "\n"))
        </svg>

        """
    }

    /// The colors for the reader's theme, which also applies to a page that embeds the file as an
    /// image.
    private static var style: String {
        let light = ["#3b5bdb", "#7a94f0", "#868e96", "#2b8a3e", "#e8590c", "#9c36b5"]
        let dark = ["#7c9bff", "#4a63c0", "#8b949e", "#57c26d", "#ff9d5c", "#d68ae8"]
        return """
            text { font: 12px system-ui, sans-serif; fill: #24292f; }
            .title { font-weight: 600; }
            .minor { fill: #57606a; font-size: 11px; }
            .rule { stroke: #d0d7de; }
            polyline { fill: none; stroke-width: 2; }
            \(rules(light))
            @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3; }
            .minor { fill: #9da7b3; }
            .rule { stroke: #3d444d; }
            \(rules(dark))
            }
            """
    }

    private static func rules(_ colors: [String]) -> String {
        colors.enumerated().map { index, color in
            ".fill\(index) { fill: \(color); } .line\(index) { stroke: \(color); }"
        }
        .joined(separator: "\n")
    }

    static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }

    private func number(_ value: Double) -> String {
        value == value.rounded() ? "\(Int(value))" : String(format: "%.1f", value)
    }
}
