/// Indents a valid JSON text.
///
/// Members keep their order. Numbers and strings keep their spelling.
struct JSONLayout {
    /// A kind of token, which can have its own style.
    enum Part: Equatable {
        case mark, name, string, literal
    }

    private var lines = ""
    private var depth = 0
    private let styled: (String, Part) -> String

    /// Returns the indented text, with each token as the closure returns it.
    static func text(
        _ json: String, styled: @escaping (String, Part) -> String = { text, _ in text }
    ) -> String {
        var layout = JSONLayout(styled: styled)
        layout.add(Substring(json).unicodeScalars)
        return layout.lines
    }

    private init(styled: @escaping (String, Part) -> String) {
        self.styled = styled
    }

    private mutating func add(_ json: Substring.UnicodeScalarView) {
        var rest = json.drop(while: Self.isSpace)
        while let scalar = rest.first {
            switch scalar {
            case "{", "[": open(&rest)
            case "}", "]":
                depth -= 1
                newLine()
                mark(&rest)
            case ",":
                mark(&rest)
                newLine()
            case ":":
                mark(&rest)
                lines += " "
            case "\"":
                let string = Self.takeString(&rest)
                let isName = rest.drop(while: Self.isSpace).first == ":"
                lines += styled(string, isName ? .name : .string)
            default:
                let ends = ",]}:".unicodeScalars
                let literal = rest.prefix { !Self.isSpace($0) && !ends.contains($0) }
                rest = rest[literal.endIndex...]
                lines += styled(String(literal), .literal)
            }
            rest = rest.drop(while: Self.isSpace)
        }
    }

    /// Opens an object or array; an empty one stays on its line.
    private mutating func open(_ rest: inout Substring.UnicodeScalarView) {
        mark(&rest)
        rest = rest.drop(while: Self.isSpace)
        if let next = rest.first, next == "}" || next == "]" { return mark(&rest) }
        depth += 1
        newLine()
    }

    private mutating func mark(_ rest: inout Substring.UnicodeScalarView) {
        guard let mark = rest.popFirst() else { return }
        lines += styled(String(mark), .mark)
    }

    private mutating func newLine() {
        lines += "\n" + String(repeating: "  ", count: max(depth, 0))
    }

    private static func takeString(_ rest: inout Substring.UnicodeScalarView) -> String {
        var isEscaped = false
        var end = rest.index(after: rest.startIndex)
        while end < rest.endIndex {
            let scalar = rest[end]
            rest.formIndex(after: &end)
            if scalar == "\"", !isEscaped { break }
            isEscaped = scalar == "\\" && !isEscaped
        }
        defer { rest = rest[end...] }
        return String(rest[..<end])
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\n" || scalar == "\r" || scalar == "\t"
    }
}
