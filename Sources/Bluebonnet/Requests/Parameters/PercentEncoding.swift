import Foundation

/// The percent-escaping of names and values in a query or form.
struct PercentEncoding {
    var spaces: QueryEncoding.SpaceStyle
    var stringEncoding: String.Encoding
    /// The characters that are not escaped; nil means letters, digits and `-._~/?`.
    var unescaped: UnescapedCharacters?

    init(
        spaces: QueryEncoding.SpaceStyle = .percent, stringEncoding: String.Encoding = .utf8,
        unescaped: UnescapedCharacters? = nil
    ) {
        self.spaces = spaces
        self.stringEncoding = stringEncoding
        self.unescaped = unescaped
    }

    /// Returns a text with all UTF-8 bytes escaped except letters, digits and `-._~/?`.
    ///
    /// A `%` is escaped too, so escaped text is escaped again.
    static func escaped(_ text: String) -> String {
        PercentEncoding().escaped(text.utf8)
    }

    /// Returns the escaped text, or nil if the string encoding cannot encode a character.
    func escaped(_ text: String) -> String? {
        guard stringEncoding != .utf8 else { return escaped(text.utf8) }
        return text.data(using: stringEncoding).map { escaped($0) }
    }

    /// Returns the escaped text in UTF-8, whatever the string encoding.
    func escapedUTF8(_ text: String) -> String { escaped(text.utf8) }

    /// Escapes the bytes that a query cannot contain (RFC 3986 section 3.4), but no existing
    /// escapes.
    static func repaired(query: String) -> String {
        let input = Array(query.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(input.count)
        for (index, byte) in input.enumerated() {
            let isKept =
                byte == UInt8(ascii: "%")
                ? input[(index + 1)...].prefix(2).count(where: isHexadecimalDigit) == 2
                : isKept(byte) || "!$&'()*+,;=:@".utf8.contains(byte)
            append(byte, escaping: !isKept, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func escaped(_ input: some Collection<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(input.count)
        for byte in input {
            if byte == UInt8(ascii: " "), spaces == .plus {
                bytes.append(UInt8(ascii: "+"))
            } else {
                let isKept = unescaped?.contains(byte) ?? Self.isKept(byte)
                Self.append(byte, escaping: !isKept, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ byte: UInt8, escaping: Bool, to bytes: inout [UInt8]) {
        guard escaping else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hexadecimalDigit(byte >> 4))
        bytes.append(hexadecimalDigit(byte & 0xF))
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"), UInt8(ascii: "?"):
            true
        default:
            false
        }
    }

    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default:
            false
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
    }
}
