extension JSONSyntax {
    mutating func scanString() throws(Failure) {
        offset += 1
        while true {
            switch try current() {
            case UInt8(ascii: "\""):
                offset += 1
                return
            case UInt8(ascii: "\\"): try scanEscape()
            case 0x20..<0x80: offset += 1
            case 0x80...: try scanScalar()
            default: throw failure("an unescaped control character in a string")
            }
        }
    }

    private mutating func scanEscape() throws(Failure) {
        let start = offset
        offset += 1
        let byte = try current()
        switch byte {
        case UInt8(ascii: "u"):
            try scanEscapedUnit(from: start)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 1
        default: throw unexpected(byte, "after a backslash")
        }
    }

    /// Scans an escaped UTF-16 unit, or two of them that form a surrogate pair.
    ///
    /// RFC 8259 section 8.2 does not define the meaning of half a pair, and no Swift string can
    /// hold it.
    private mutating func scanEscapedUnit(from start: Int) throws(Failure) {
        let unit = try scanHexadecimalUnit()
        guard UTF16.isSurrogate(unit) else { return }
        if UTF16.isLeadSurrogate(unit), bytes[offset...].starts(with: [0x5C, 0x75]) {
            offset += 1
            if UTF16.isTrailSurrogate(try scanHexadecimalUnit()) { return }
        }
        throw Failure(offset: start, message: "half of a surrogate pair")
    }

    private mutating func scanHexadecimalUnit() throws(Failure) -> UInt16 {
        offset += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let byte = try current()
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected(byte, "where a hexadecimal digit should be")
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    /// Scans a character beyond ASCII, by the table of well-formed UTF-8 (Unicode, table 3-7).
    private mutating func scanScalar() throws(Failure) {
        guard let (count, second) = Self.sequence(after: bytes[offset]),
            offset + count < bytes.count,
            second.contains(bytes[offset + 1]),
            bytes[(offset + 1)...(offset + count)].allSatisfy({ $0 & 0xC0 == 0x80 })
        else { throw failure("invalid UTF-8") }
        offset += count + 1
    }

    /// Returns the number of bytes that follow a first byte, and the range of the second byte.
    private static func sequence(after first: UInt8) -> (count: Int, second: ClosedRange<UInt8>)? {
        switch first {
        case 0xC2...0xDF: (1, 0x80...0xBF)
        case 0xE0: (2, 0xA0...0xBF)
        case 0xED: (2, 0x80...0x9F)
        case 0xE1...0xEF: (2, 0x80...0xBF)
        case 0xF0: (3, 0x90...0xBF)
        case 0xF1...0xF3: (3, 0x80...0xBF)
        case 0xF4: (3, 0x80...0x8F)
        default: nil
        }
    }
}
