import Foundation

extension String {
    /// The text as one word of a POSIX shell, in which nothing is expanded.
    var shellQuoted: String {
        "'"
            + utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }
}

extension Data {
    /// The bytes as text that can be printed and pasted; nil for anything else.
    ///
    /// Tabs and line feeds count as text. Other control characters do not, since a terminal acts on them. Nor do the
    /// marks that change the direction of text, which make it look like other text.
    var plainText: String? {
        guard let text = String(validating: self, as: UTF8.self) else { return nil }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A: true
            case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: false
            default: true
            }
        }
        return isPlain ? text : nil
    }

    /// The bytes as the format of a POSIX `printf`, to be put into single quotes.
    var printfFormat: String {
        var format: [UInt8] = []
        format.reserveCapacity(2 * count)
        for (place, byte) in enumerated() {
            switch byte {
            case UInt8(ascii: "%"): format += "%%".utf8
            // A hyphen at the beginning would make an option of the format.
            case UInt8(ascii: "-") where place > 0: format.append(byte)
            case UInt8(ascii: "-"), UInt8(ascii: "'"), UInt8(ascii: "\\"), 0..<0x20, 0x7F...0xFF:
                format += [
                    UInt8(ascii: "\\"), Self.octalDigit(byte >> 6), Self.octalDigit(byte >> 3),
                    Self.octalDigit(byte),
                ]
            default: format.append(byte)
            }
        }
        return String(decoding: format, as: UTF8.self)
    }

    private static func octalDigit(_ value: UInt8) -> UInt8 { UInt8(ascii: "0") + value & 7 }
}
