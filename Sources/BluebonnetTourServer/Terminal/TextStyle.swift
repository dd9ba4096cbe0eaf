/// A text style, as a parameter of the control sequence SGR (ECMA-48).
package enum TextStyle: Int {
    case bold = 1
    case dim = 2
    case red = 31
    case green = 32
    case yellow = 33
}

extension Terminal {
    /// Returns the text in a style; unchanged if the terminal has no colors.
    package func styled(_ text: String, _ style: TextStyle) -> String {
        usesColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
