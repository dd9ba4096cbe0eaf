/// A way to escape each character of an echoed text.
enum Escaping: CaseIterable, Sendable {
    case none, json, slashes, unicode, percent, smallPercent, form

    func applied(to text: String) -> String { text.map(applied).joined() }

    private func applied(to character: Character) -> String {
        switch self {
        case .none: String(character)
        case .json: "\\\"".contains(character) ? "\\\(character)" : String(character)
        case .slashes: "\\\"/".contains(character) ? "\\\(character)" : String(character)
        case .unicode: character.utf16.map { "\\u" + Self.digits($0, 4) }.joined()
        case .percent: character.utf8.map { "%" + Self.digits($0, 2).uppercased() }.joined()
        case .smallPercent: character.utf8.map { "%" + Self.digits($0, 2) }.joined()
        case .form: character == " " ? "+" : Self.percent.applied(to: character)
        }
    }

    private static func digits(_ number: some BinaryInteger, _ count: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
