/// What a terminal shows of an output: text, line ends, carriage returns and erasures to the right.
///
/// Colors and other styles are left out.
struct ScreenText {
    /// The lines from the top to the one with the cursor.
    private(set) var lines = [""]
    private var column = 0

    init(_ output: String) {
        // By scalars: a carriage return and a line feed are one `Character`.
        var rest = output.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\n": lines.append("")
            case "\r": column = 0
            case "\u{1B}" where rest.starts(with: "[K".unicodeScalars):
                rest.removeFirst(2)
                replace(from: column, to: .max, by: "")
            case "\u{1B}" where rest.first == "[":
                let style = rest.prefix { $0 != "m" }
                rest = rest[style.endIndex...].dropFirst()
            default:
                replace(from: column, to: column + 1, by: String(scalar))
                column += 1
            }
        }
    }

    private mutating func replace(from start: Int, to end: Int, by text: String) {
        let line = lines.removeLast()
        lines.append(line.prefix(start) + text + line.dropFirst(end))
    }
}
