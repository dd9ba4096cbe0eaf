/// A text style, as a parameter of the control sequence SGR (ECMA-48).
enum TextStyle: Int {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case cyan = 36
}

extension Terminal {
    /// Returns the text in a style; unchanged if the terminal has no colors.
    func styled(_ text: String, _ style: TextStyle) -> String {
        guard usesColor, !text.isEmpty else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    /// Returns text without control characters if this is a terminal; unchanged otherwise.
    func oneLine(_ text: String) -> String {
        guard isTerminal else { return text }
        // Marks that the library uses in its texts.
        let spelled =
            usesUTF8 ? text : text.replacing("…", with: "...").replacing("–", with: "-")
        return TerminalText(spelled, usesUTF8: usesUTF8).text
    }
}
