import Foundation

extension JSONText {
    /// Refuses texts for which Foundation's decoder of JSON5 traps.
    ///
    /// - Throws: A ``JSONResponseSerializer/ParseError`` for invalid UTF-8, a malformed number, or a
    ///   start that the decoder would take for another encoding.
    func checkJSON5() throws {
        if String(validating: data, as: UTF8.self) == nil {
            let offset = TextEncoding.firstInvalidByte(of: data, in: .utf8) ?? data.count
            throw error(at: offset, "invalid UTF-8")
        }
        if let offset = data.withUnsafeBytes(Self.encodingMark) {
            throw error(at: offset, "unexpected mark of an encoding")
        }
        if let offset = data.withUnsafeBytes(JSON5Numbers.firstFault) {
            throw error(at: offset, "malformed number")
        }
    }

    /// Returns the offset of a second byte order mark, or of a zero byte that hints at UTF-16.
    private static func encodingMark(_ bytes: UnsafeRawBufferPointer) -> Int? {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 0 : bytes.prefix(4).firstIndex(of: 0)
    }
}

/// Finds malformed numbers in a JSON5 text in UTF-8.
///
/// It finds tokens in the same way as Foundation's decoder, and stops at some other errors, which
/// the decoder reports before it reads a number.
struct JSON5Numbers {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// Returns the offset of the first malformed number, or nil if there is none.
    static func firstFault(in bytes: UnsafeRawBufferPointer) -> Int? {
        var numbers = JSON5Numbers(bytes: bytes)
        return numbers.firstFault()
    }

    private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private mutating func firstFault() -> Int? {
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(byte)
            case UInt8(ascii: "/"): skipComment()
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                let start = offset
                guard skipNumber() else { return start }
            case _ where Self.isOfWord(byte): skip(while: Self.isOfWord)
            default: offset += 1
            }
        }
        return nil
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    // MARK: Other tokens

    private mutating func skipString(_ quote: UInt8) {
        offset += 1
        while let byte = current, byte != quote {
            guard byte == UInt8(ascii: "\\") else {
                offset += 1
                continue
            }
            offset += 1
            // The decoder skips as many digits as the escape has, whatever they are.
            let count = current == UInt8(ascii: "u") ? 5 : current == UInt8(ascii: "x") ? 3 : 1
            guard offset + count <= bytes.count,
                count == 1 || !bytes[offset..<(offset + count)].contains(quote)
            else { return offset = bytes.count }
            offset += count
        }
        offset += 1
    }

    private mutating func skipComment() {
        offset += 1
        if current == UInt8(ascii: "/") {
            skip { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        } else if current == UInt8(ascii: "*") {
            offset += 1
            while let byte = current,
                byte != UInt8(ascii: "*")
                    || offset + 1 < bytes.count
                        && bytes[offset + 1] != UInt8(ascii: "/")
            {
                offset += 1
            }
            offset += 2
        }
    }

    /// Returns whether a byte can be in a key without quotation marks, or in a word like `true`.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
            UInt8(ascii: "\\"), 0x80...:
            true
        default: false
        }
    }

    // MARK: Numbers

    /// Skips a number; returns false if it is malformed.
    private mutating func skipNumber() -> Bool {
        if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
        if current == UInt8(ascii: "I") || current == UInt8(ascii: "N") {
            // The decoder reports a misspelled infinity or NaN as an error.
            skip(while: Self.isOfNumber)
            return true
        }
        if skip(UInt8(ascii: "0")), skip(UInt8(ascii: "x")) || skip(UInt8(ascii: "X")) {
            let start = offset
            skip { Character(Unicode.Scalar($0)).isHexDigit }
            return offset > start && !isInNumber
        }
        let (start, isZero) = (offset, offset > 0 && bytes[offset - 1] == UInt8(ascii: "0"))
        skip(while: Self.isDigit)
        var digitCount = offset - start + (isZero ? 1 : 0)
        if skip(UInt8(ascii: ".")) {
            let start = offset
            skip(while: Self.isDigit)
            digitCount += offset - start
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            let start = offset
            skip(while: Self.isDigit)
            if offset == start { return false }
        }
        return digitCount > 0 && !isInNumber
    }

    /// Whether the decoder counts the current byte to the number.
    private var isInNumber: Bool { current.map(Self.isOfNumber) ?? false }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        offset += 1
        return true
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while let byte = current, isSkipped(byte) { offset += 1 }
    }
}
