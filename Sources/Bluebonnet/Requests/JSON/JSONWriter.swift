import Foundation

/// A writer for the elements of JSON (RFC 8259), with exact numbers.
///
/// Foundation's `JSONSerialization` is not used, because it traps on unsupported values.
struct JSONWriter: ~Copyable {
    var buffer: JSONBuffer
    let options: JSONBodyEncoder.WritingOptions

    init(_ options: JSONBodyEncoder.WritingOptions, capacity: Int = 256) {
        buffer = JSONBuffer(capacity: capacity)
        self.options = options
    }

    mutating func writeNull() { buffer.append(literal: "null") }

    mutating func write(_ value: Bool) {
        value ? buffer.append(literal: "true") : buffer.append(literal: "false")
    }

    @inline(__always)
    mutating func write(_ value: some FixedWidthInteger) {
        guard let magnitude = UInt64(exactly: value.magnitude) else {
            return buffer.append(String(value))
        }
        write(magnitude, isNegative: value < 0)
    }

    private mutating func write(_ magnitude: UInt64, isNegative: Bool) {
        buffer.append(atMost: 20) { place in
            var length = isNegative ? 2 : 1
            var power: UInt64 = 10
            while magnitude >= power {
                length += 1
                let (next, overflow) = power.multipliedReportingOverflow(by: 10)
                if overflow { break }
                power = next
            }
            if isNegative { place[0] = UInt8(ascii: "-") }
            var (rest, index) = (magnitude, length)
            repeat {
                index -= 1
                place[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            return length
        }
    }

    /// Writes a finite number with the fewest digits that read back as the same value, and `1.0` as
    /// `1`.
    @inline(__always)
    mutating func write(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        value.description.withBytes { digits in
            let isWhole =
                digits.count > 2 && digits[digits.count - 2] == UInt8(ascii: ".")
                && digits[digits.count - 1] == UInt8(ascii: "0")
            buffer.append(UnsafeBufferPointer(rebasing: digits.dropLast(isWhole ? 2 : 0)))
        }
    }

    /// Starts a new line at a depth of nested arrays and objects, if the text is pretty-printed.
    @inline(__always)
    mutating func breakLine(_ depth: Int) {
        guard options.contains(.prettyPrinted) else { return }
        buffer.append(UInt8(ascii: "\n"))
        buffer.append(repeating: UInt8(ascii: " "), count: 2 * depth)
    }

    mutating func writeColon() {
        buffer.append(UInt8(ascii: ":"))
        if options.contains(.prettyPrinted) { buffer.append(UInt8(ascii: " ")) }
    }

    // MARK: Strings

    /// Writes a string.
    ///
    /// - Returns: Whether the string is all ASCII and needed no escapes.
    @discardableResult
    mutating func write(_ string: String) -> Bool {
        if options.contains(.escapedNonASCII) {
            buffer.append(UInt8(ascii: "\""))
            let start = buffer.count
            for unit in string.utf16 { write(unit) }
            let isPlain = buffer.count - start == string.utf8.count
            buffer.append(UInt8(ascii: "\""))
            return isPlain
        }
        return string.withBytes { write($0) }
    }

    @inline(__always)
    private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let escapesSlashes = options.contains(.escapedSlashes)
        var copied = (count: 0, isASCII: true)
        buffer.append(atMost: bytes.count + 2) { place in
            place[0] = UInt8(ascii: "\"")
            copied = Self.copyPlain(bytes, to: place + 1, escapesSlashes)
            guard copied.count == bytes.count else { return copied.count + 1 }
            place[copied.count + 1] = UInt8(ascii: "\"")
            return copied.count + 2
        }
        if copied.count == bytes.count { return copied.isASCII }
        escape(UnsafeBufferPointer(rebasing: bytes[copied.count...]), escapesSlashes)
        return false
    }

    /// Writes the rest of a string, whose first byte must be escaped, and the closing quote.
    @inline(never)
    private mutating func escape(_ bytes: UnsafeBufferPointer<UInt8>, _ escapesSlashes: Bool) {
        var rest = bytes
        while let first = rest.first {
            write(first)
            rest = UnsafeBufferPointer(rebasing: rest.dropFirst())
            buffer.append(atMost: rest.count) { place in
                let copied = Self.copyPlain(rest, to: place, escapesSlashes).count
                rest = UnsafeBufferPointer(rebasing: rest.dropFirst(copied))
                return copied
            }
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Copies bytes up to the first one that must be escaped.
    @inline(__always)
    private static func copyPlain(
        _ bytes: UnsafeBufferPointer<UInt8>, to place: UnsafeMutablePointer<UInt8>,
        _ escapesSlashes: Bool
    ) -> (count: Int, isASCII: Bool) {
        let source = UnsafeRawBufferPointer(bytes)
        let target = UnsafeMutableRawPointer(place)
        var (index, highBits) = (0, UInt64(0))
        /// Copies a word, unless one of its bytes must be escaped.
        func copied<Word: FixedWidthInteger & UnsignedInteger>(_ type: Word.Type) -> Bool {
            // The last word can overlap the one before.
            let offset = min(index, bytes.count - Word.bitWidth / 8)
            let word = source.loadUnaligned(fromByteOffset: offset, as: type)
            if UInt64(word).hasEscapes(escapesSlashes, filling: Word.bitWidth) { return false }
            target.storeBytes(of: word, toByteOffset: offset, as: type)
            highBits |= UInt64(word)
            index = offset + Word.bitWidth / 8
            return true
        }
        if bytes.count >= 8 {
            while index < bytes.count, copied(UInt64.self) {}
        } else if bytes.count >= 4 {
            while index < bytes.count, copied(UInt32.self) {}
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                || escapesSlashes && byte == UInt8(ascii: "/")
            {
                break
            }
            place[index] = byte
            highBits |= UInt64(byte)
            index += 1
        }
        return (index, highBits & UInt64.highBits == 0)
    }

    private mutating func write(_ unit: UInt16) {
        if let byte = UInt8(exactly: unit), byte < 0x80 { write(byte) } else { escape(unit) }
    }

    /// Writes a byte of a string, escaped if necessary.
    private mutating func write(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): buffer.append(literal: "\\\"")
        case UInt8(ascii: "\\"): buffer.append(literal: "\\\\")
        case UInt8(ascii: "/") where options.contains(.escapedSlashes):
            buffer.append(literal: "\\/")
        case 0x08: buffer.append(literal: "\\b")
        case 0x09: buffer.append(literal: "\\t")
        case 0x0A: buffer.append(literal: "\\n")
        case 0x0C: buffer.append(literal: "\\f")
        case 0x0D: buffer.append(literal: "\\r")
        case 0..<0x20: escape(UInt16(byte))
        default: buffer.append(byte)
        }
    }

    private mutating func escape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        buffer.append(literal: "\\u")
        buffer.append(repeating: UInt8(ascii: "0"), count: 4 - digits.utf8.count)
        buffer.append(digits)
    }
}

// These test eight bytes at a time. Only the existence of a match is exact: bytes after the first
// match can match falsely.
extension UInt64 {
    fileprivate static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Returns whether one of the bytes in the lowest `bitWidth` bits must be escaped.
    ///
    /// Control characters, quotation marks and backslashes must be, and slashes if `slashesCount`.
    @inline(__always)
    fileprivate func hasEscapes(_ slashesCount: Bool, filling bitWidth: Int) -> Bool {
        // Fills the rest with spaces, which need no escape.
        let word = bitWidth == 64 ? self : self | Self.ones << UInt64(bitWidth) &* 0x20
        let isControl = (word &- Self.ones &* 0x20) & ~word & Self.highBits != 0
        return isControl || word.has(UInt8(ascii: "\"")) || word.has(UInt8(ascii: "\\"))
            || slashesCount && word.has(UInt8(ascii: "/"))
    }

    private func has(_ byte: UInt8) -> Bool {
        let difference = self ^ Self.ones &* UInt64(byte)
        return (difference &- Self.ones) & ~difference & Self.highBits != 0
    }
}
