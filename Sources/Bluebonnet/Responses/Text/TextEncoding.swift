import Foundation

/// Strict decoding of text: invalid bytes are never replaced or dropped.
enum TextEncoding {
    static func decode(_ data: Data, as encoding: String.Encoding) -> String? {
        switch encoding {
        case .utf8:
            return data.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        case .ascii:
            return data.contains { $0 >= 0x80 } ? nil : decode(data, as: .utf8)
        case .isoLatin1:
            return text { take in
                for byte in data { take(Unicode.Scalar(byte)) }
                return nil
            }
        case .utf16BigEndian, .utf16, .utf16LittleEndian:
            guard data.count.isMultiple(of: 2) else { return nil }
            return String(validating: units16(data, encoding), as: UTF16.self)
        case .utf32BigEndian, .utf32, .utf32LittleEndian:
            guard data.count.isMultiple(of: 4) else { return nil }
            return String(validating: units32(data, encoding), as: UTF32.self)
        case .japaneseEUC:
            return text { JapaneseEUC.read(data, $0) }
        default:
            guard let table = CharacterTable.of(encoding) else {
                return String(data: data, encoding: encoding)
            }
            return text { table.read(data, $0) }
        }
    }

    /// Returns the offset of the first invalid byte; nil if all bytes are valid, or if it is not
    /// known.
    ///
    /// An incomplete last unit of UTF-16 or UTF-32 is invalid.
    static func firstInvalidByte(of data: Data, in encoding: String.Encoding) -> Int? {
        switch encoding {
        case .utf8: return invalidUnit(data, UTF8.self)
        case .ascii: return data.enumerated().first { $1 >= 0x80 }?.offset
        case .utf16BigEndian, .utf16, .utf16LittleEndian:
            if let unit = invalidUnit(units16(data, encoding), UTF16.self) { return 2 * unit }
            return data.count.isMultiple(of: 2) ? nil : data.count - 1
        case .utf32BigEndian, .utf32, .utf32LittleEndian:
            if let unit = invalidUnit(units32(data, encoding), UTF32.self) { return 4 * unit }
            return data.count.isMultiple(of: 4) ? nil : data.count / 4 * 4
        case .japaneseEUC: return JapaneseEUC.read(data) { _ in }
        default: return CharacterTable.of(encoding)?.read(data) { _ in }
        }
    }

    /// Collects the characters of a text; nil if `read` returns the offset of an invalid byte.
    private static func text(_ read: ((Unicode.Scalar) -> Void) -> Int?) -> String? {
        var scalars = String.UnicodeScalarView()
        return read { scalars.append($0) } == nil ? String(scalars) : nil
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

    /// Returns the complete units of two bytes.
    private static func units16(_ data: Data, _ encoding: String.Encoding) -> [UInt16] {
        data.withUnsafeBytes { bytes in
            let isLittle = encoding == .utf16LittleEndian
            return stride(from: 0, to: bytes.count - 1, by: 2).map { offset in
                let unit = bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
                return isLittle ? UInt16(littleEndian: unit) : UInt16(bigEndian: unit)
            }
        }
    }

    /// Returns the complete units of four bytes.
    private static func units32(_ data: Data, _ encoding: String.Encoding) -> [UInt32] {
        data.withUnsafeBytes { bytes in
            let isLittle = encoding == .utf32LittleEndian
            return stride(from: 0, to: bytes.count - 3, by: 4).map { offset in
                let unit = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                return isLittle ? UInt32(littleEndian: unit) : UInt32(bigEndian: unit)
            }
        }
    }
}
