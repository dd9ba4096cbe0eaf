/// A text without the escapes of URLs or of JSON.
struct UnescapedText {
    private(set) var bytes: [UInt8] = []
    /// The range in the text that each byte comes from.
    private(set) var places: [Range<Int>] = []

    /// Removes the escapes that begin with one of the marks, `%` and `\`.
    init(_ text: ArraySlice<UInt8>, marks: String) {
        var index = text.startIndex
        while index < text.endIndex {
            let isMark = marks.utf8.contains(text[index])
            let escape = isMark ? Self.escape(at: text[index...]) : nil
            let (unescaped, length) = escape ?? ([text[index]], 1)
            bytes += unescaped
            places += unescaped.map { _ in index..<(index + length) }
            index += length
        }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the place in the text of a range of bytes that is not empty.
    func place(of range: Range<Int>) -> Range<Int> {
        places[range.lowerBound].lowerBound..<places[range.upperBound - 1].upperBound
    }

    private static let characters: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "/"): UInt8(ascii: "/"),
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    ]

    /// Returns the meaning and the length of the escape at the start of a text.
    private static func escape(at text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        let rest = text.dropFirst()
        if text.first == UInt8(ascii: "%") {
            return number(rest, digits: 2).map { ([UInt8(truncatingIfNeeded: $0)], 3) }
        }
        guard let kind = rest.first else { return nil }
        if let character = characters[kind] { return ([character], 2) }
        guard kind == UInt8(ascii: "u"), let unit = number(rest.dropFirst(), digits: 4) else {
            return nil
        }
        var units = [unit]
        let next = rest.dropFirst(5)
        if UTF16.isLeadSurrogate(unit), next.starts(with: "\\u".utf8),
            let second = number(next.dropFirst(2), digits: 4)
        {
            units.append(second)
        }
        return (Array(String(decoding: units, as: UTF16.self).utf8), 6 * units.count)
    }

    private static func number(_ text: ArraySlice<UInt8>, digits: Int) -> UInt16? {
        let text = text.prefix(digits)
        // Without this check, a sign would be read too.
        guard text.count == digits, text.first?.isLetterOrDigit == true else { return nil }
        return UInt16(String(decoding: text, as: UTF8.self), radix: 16)
    }
}

extension UInt8 {
    /// Whether the byte is part of a word: an ASCII letter or digit, or not an ASCII character.
    package var isLetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x61...0x7A).contains(asciiLowercased) || self >= 0x80
    }
}
