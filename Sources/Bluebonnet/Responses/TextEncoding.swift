import Foundation

/// Reads text strictly: bytes that are not in the encoding are never replaced or dropped.
enum TextEncoding {
    /// The encoding for a charset of a content type, in lower case; nil when it is unknown.
    static func named(_ charset: String) -> String.Encoding? { encodings[charset] }

    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8,
        "iso-8859-1": .isoLatin1, "iso8859-1": .isoLatin1, "iso_8859-1": .isoLatin1,
        "latin1": .isoLatin1, "latin-1": .isoLatin1, "l1": .isoLatin1,
        "us-ascii": .ascii, "ascii": .ascii,
        // RFC 2781: UTF-16 without a byte order mark is big-endian.
        "utf-16": .utf16BigEndian, "utf16": .utf16BigEndian,
        "utf-16be": .utf16BigEndian, "utf-16le": .utf16LittleEndian,
        "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252,
        "iso-8859-2": .isoLatin2, "latin2": .isoLatin2,
        "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
        "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC,
    ]

    static func decode(_ data: Data, as encoding: String.Encoding) -> String? {
        switch encoding {
        case .utf8:
            data.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        case .ascii:
            data.contains { $0 >= 0x80 } ? nil : decode(data, as: .utf8)
        case .isoLatin1:
            text(data) { Unicode.Scalar($0) }
        case .windowsCP1252:
            text(data) { byte in
                guard (0x80..<0xA0).contains(byte) else { return Unicode.Scalar(byte) }
                return Unicode.Scalar(windows1252[Int(byte) - 0x80])
            }
        case .utf16BigEndian, .utf16:
            utf16(data) { UInt16($0) << 8 | UInt16($1) }
        case .utf16LittleEndian:
            utf16(data) { UInt16($1) << 8 | UInt16($0) }
        // Foundation makes up a character for the last of the three that stand for nothing.
        case .windowsCP1253 where data.contains { [0xAA, 0xD2, 0xFF].contains($0) }:
            nil
        default:
            String(data: data, encoding: encoding)
        }
    }

    /// The first byte that is not in an encoding; nil where all are, or that is not known.
    static func firstInvalidByte(of data: Data, in encoding: String.Encoding) -> Int? {
        switch encoding {
        case .utf8: invalidUnit(data, UTF8.self)
        case .ascii: data.enumerated().first { $1 >= 0x80 }?.offset
        case .utf16BigEndian, .utf16:
            invalidUnit(units(data) { UInt16($0) << 8 | UInt16($1) }, UTF16.self).map { 2 * $0 }
        case .utf16LittleEndian:
            invalidUnit(units(data) { UInt16($1) << 8 | UInt16($0) }, UTF16.self).map { 2 * $0 }
        default: nil
        }
    }

    private static func invalidUnit<Encoding: Unicode.Encoding>(
        _ units: some Sequence<Encoding.CodeUnit>,
        _ encoding: Encoding.Type
    ) -> Int? {
        var parser = Encoding.ForwardParser()
        var iterator = units.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .error: return offset
            case .emptyInput: return nil
            }
        }
    }

    private static func text(_ data: Data, _ scalar: (UInt8) -> Unicode.Scalar?) -> String? {
        var scalars = String.UnicodeScalarView()
        for byte in data {
            guard let scalar = scalar(byte) else { return nil }
            scalars.append(scalar)
        }
        return String(scalars)
    }

    private static func utf16(_ data: Data, _ unit: (UInt8, UInt8) -> UInt16) -> String? {
        guard data.count.isMultiple(of: 2) else { return nil }
        return String(validating: units(data, unit), as: UTF16.self)
    }

    /// The whole units of two bytes.
    private static func units(_ data: Data, _ unit: (UInt8, UInt8) -> UInt16) -> [UInt16] {
        data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 1, by: 2).map { unit(bytes[$0], bytes[$0 + 1]) }
        }
    }

    /// The bytes 0x80 to 0x9F; the five that Windows leaves open stay control characters, as in
    /// browsers.
    private static let windows1252: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
        0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
    ]
}

extension TextEncoding {
    /// A mark that begins a text and tells its encoding.
    struct ByteOrderMark {
        let encoding: String.Encoding
        let name: String
        let length: Int

        init?(of data: Data) {
            if data.starts(with: [0xEF, 0xBB, 0xBF]) {
                (encoding, name, length) = (.utf8, "UTF-8", 3)
            } else if data.starts(with: [0xFF, 0xFE]) {
                (encoding, name, length) = (.utf16LittleEndian, "UTF-16", 2)
            } else if data.starts(with: [0xFE, 0xFF]) {
                (encoding, name, length) = (.utf16BigEndian, "UTF-16", 2)
            } else {
                return nil
            }
        }
    }
}
