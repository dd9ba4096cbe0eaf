import Foundation

extension String {
    /// The text as one word of a POSIX shell, without expansion.
    ///
    /// Characters that are not plain come from `printf`, so that terminals do not act on them.
    var shellQuoted: String {
        var (word, rest) = ("", unicodeScalars[...])
        while let first = rest.first {
            let run = rest.prefix { $0.isPlain == first.isPlain }
            word +=
                first.isPlain
                ? String(run).singleQuoted
                : #""$(printf '\#(Data(String(run).utf8).printfFormat)')""#
            rest = rest[run.endIndex...]
        }
        return word.isEmpty ? "''" : word
    }

    private var singleQuoted: String {
        "'"
            + utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }
}

extension Unicode.Scalar {
    /// Whether the character can be printed and pasted.
    ///
    /// Line feeds can. Tabs trigger completion in shells, and terminals act on other control
    /// characters. Marks that change the text direction disguise text.
    var isPlain: Bool {
        switch value {
        case 0x0A: true
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: false
        default: true
        }
    }
}

extension Data {
    /// The bytes as text that can be printed and pasted, or nil if they are anything else.
    var plainText: String? {
        guard let text = String(validating: self, as: UTF8.self),
            text.unicodeScalars.allSatisfy(\.isPlain)
        else { return nil }
        return text
    }

    /// The bytes as the format of a POSIX `printf`, for use in single quotes.
    var printfFormat: String {
        var format: [UInt8] = []
        format.reserveCapacity(2 * count)
        for (place, byte) in enumerated() {
            switch byte {
            case UInt8(ascii: "%"): format += "%%".utf8
            // With a hyphen at its start, the format would be parsed as an option.
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
