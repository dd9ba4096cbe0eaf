/// A JSON string with its quotes and escapes, as written.
struct JSONString: Sendable {
    let token: String

    /// Creates a string from a token that a reader has checked.
    init(token: String) {
        self.token = token
    }

    /// Creates a string with only the escapes that RFC 8259 section 7 requires.
    init(_ text: String) {
        var token = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": token += "\\\(scalar)"
            case "\n": token += "\\n"
            case "\r": token += "\\r"
            case "\t": token += "\\t"
            case "\u{0}"..<" ":
                let digits = String(scalar.value, radix: 16)
                token += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: token.unicodeScalars.append(scalar)
            }
        }
        self.token = token + "\""
    }

    /// The text that the token represents; half of a surrogate pair becomes U+FFFD.
    var text: String {
        let inside = token.utf8.dropFirst().dropLast()
        guard inside.contains(UInt8(ascii: "\\")) else { return String(Substring(inside)) }
        var units: [UInt16] = []
        var rest = inside[...]
        while let byte = rest.first {
            guard byte == UInt8(ascii: "\\") else {
                let plain = rest.prefix { $0 != UInt8(ascii: "\\") }
                units += Substring(plain).utf16
                rest = rest.dropFirst(plain.count)
                continue
            }
            let kind = rest.dropFirst().first ?? byte
            let digits = kind == UInt8(ascii: "u") ? rest.dropFirst(2).prefix(4) : rest.prefix(0)
            units.append(
                UInt16(Substring(digits), radix: 16) ?? UInt16(Self.characters[kind] ?? kind))
            rest = rest.dropFirst(2 + digits.count)
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static let characters: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]
}
