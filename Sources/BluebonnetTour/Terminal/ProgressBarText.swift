/// The bar of a progress line, in block elements or in ASCII.
struct ProgressBarText {
    let columns: Int
    let usesUTF8: Bool

    /// Filled from the left, to the right end only when the share is whole.
    func filled(share: Double) -> String {
        let count = Int(share * Double(inner))
        return bar(marked: 0..<min(max(count, 0), inner))
    }

    /// A mark that wanders from end to end and back, a column with each step.
    func moving(step: Int) -> String {
        let mark = min(3, inner)
        let way = inner - mark
        guard way > 0 else { return bar(marked: 0..<mark) }
        let phase = max(step, 0) % (2 * way)
        let start = phase <= way ? phase : 2 * way - phase
        return bar(marked: start..<start + mark)
    }

    private var inner: Int { max(usesUTF8 ? columns : columns - 2, 0) }

    private func bar(marked: Range<Int>) -> String {
        let marks = (0..<inner).map { column in
            if usesUTF8 { return marked.contains(column) ? "█" : "░" }
            return marked.contains(column) ? "#" : "-"
        }
        return usesUTF8 ? marks.joined() : "[\(marks.joined())]"
    }
}
