extension String {
    /// The string as a quoted string (RFC 9110 section 5.6.4).
    ///
    /// The string must not contain control characters.
    var quotedString: String {
        guard utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            return "\"\(self)\""
        }
        var text = "\""
        for scalar in unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }

    /// The string as an extended parameter value in UTF-8 (RFC 8187 section 3.2.1).
    var extendedValue: String {
        var text = "UTF-8''"
        for byte in utf8 {
            if byte.isAttributeByte {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }

    var holdsControlCharacter: Bool { utf8.contains { $0 < 0x20 || $0 == 0x7F } }
}

extension UInt8 {
    /// Whether the byte is an `attr-char` of RFC 8187.
    fileprivate var isAttributeByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$&+-.^_`|~".utf8.contains(self)
        }
    }
}
