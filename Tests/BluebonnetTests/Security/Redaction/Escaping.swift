/// A way to escape each character of an echoed text.
enum Escaping: CaseIterable, Sendable {
    case none, json, slashes, unicode, braces, percent, smallPercent, form, reference,
        hexadecimalReference, decimalReference, uppercase

    func applied(to text: String) -> String { text.map(applied).joined() }

    private func applied(to character: Character) -> String {
        switch self {
        case .none: String(character)
        case .json: "\\\"".contains(character) ? "\\\(character)" : String(character)
        case .slashes: "\\\"/".contains(character) ? "\\\(character)" : String(character)
        case .unicode: character.utf16.map { "\\u" + Self.digits($0, 4) }.joined()
        case .braces:
            character.unicodeScalars.map { "\\u{" + Self.digits($0.value, 2) + "}" }.joined()
        case .percent: character.utf8.map { "%" + Self.digits($0, 2).uppercased() }.joined()
        case .smallPercent: character.utf8.map { "%" + Self.digits($0, 2) }.joined()
        case .form: character == " " ? "+" : Self.percent.applied(to: character)
        case .reference: Self.names[character].map { "&\($0);" } ?? String(character)
        case .hexadecimalReference:
            character.unicodeScalars.map { "&#x" + Self.digits($0.value, 2) + ";" }.joined()
        case .decimalReference: character.unicodeScalars.map { "&#\($0.value);" }.joined()
        case .uppercase:
            character.isASCII
                ? Self.reference.applied(to: character).uppercasedLetters : String(character)
        }
    }

    private static let names: [Character: String] = [
        "&": "amp", "<": "lt", ">": "gt", "\"": "quot", "'": "apos",
    ]

    private static func digits(_ number: some BinaryInteger, _ count: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

extension String {
    /// The uppercase text, unless it is an escape sequence.
    fileprivate var uppercasedLetters: String { count == 1 ? uppercased() : self }
}
