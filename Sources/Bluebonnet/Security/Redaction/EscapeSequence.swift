/// One escape sequence of JSON, JavaScript, a URL, XML or HTML.
struct EscapeSequence {
    /// The UTF-8 of the escaped text.
    let bytes: [UInt8]
    /// The length of the escape sequence in bytes.
    let length: Int

    /// Reads the escape sequence at the start of a text, or returns nil if there is none.
    init?(at text: ArraySlice<UInt8>) {
        let rest = text.dropFirst()
        let found: EscapeSequence? =
            switch text.first {
            case UInt8(ascii: "%"): Self.hexadecimal(rest, digits: 2, marks: 1)
            case UInt8(ascii: "\\"): Self.backslash(rest)
            case UInt8(ascii: "&"): Self.reference(rest)
            default: nil
            }
        guard let found else { return nil }
        self = found
    }

    private init(_ bytes: [UInt8], length: Int) {
        self.bytes = bytes
        self.length = length
    }

    /// Reads one byte from exactly the given number of digits.
    private static func hexadecimal(
        _ text: ArraySlice<UInt8>, digits: Int, marks: Int
    ) -> EscapeSequence? {
        number(text.prefix(digits), radix: 16, count: digits)
            .map { EscapeSequence([UInt8(truncatingIfNeeded: $0)], length: marks + digits) }
    }

    private static func number(_ digits: ArraySlice<UInt8>, radix: Int, count: Int) -> UInt32? {
        guard digits.count == count, digits.first?.isLetterOrDigit == true else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
    }

    private static func scalar(_ number: UInt32?, length: Int) -> EscapeSequence? {
        number.flatMap(Unicode.Scalar.init).map {
            EscapeSequence(Array(String($0).utf8), length: length)
        }
    }
}

// Escapes that start with a backslash.
extension EscapeSequence {
    private static let characters: [UInt8: UInt8] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    fileprivate static func backslash(_ rest: ArraySlice<UInt8>) -> EscapeSequence? {
        guard let kind = rest.first else { return nil }
        let digits = rest.dropFirst()
        if let character = characters[kind] { return EscapeSequence([character], length: 2) }
        switch kind {
        case UInt8(ascii: "u") where digits.first == UInt8(ascii: "{"):
            return delimited(digits.dropFirst(), radix: 16, end: UInt8(ascii: "}"), marks: 4)
        case UInt8(ascii: "u"): return unit(digits)
        case UInt8(ascii: "x"):
            return scalar(number(digits.prefix(2), radix: 16, count: 2), length: 4)
        case _ where !kind.isLetterOrDigit && kind < 0x80: return EscapeSequence([kind], length: 2)
        default: return nil
        }
    }

    /// Reads one UTF-16 code unit of four digits, or a surrogate pair.
    private static func unit(_ digits: ArraySlice<UInt8>) -> EscapeSequence? {
        guard let first = number(digits.prefix(4), radix: 16, count: 4) else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return scalar(first, length: 6) }
        let next = digits.dropFirst(4)
        guard next.starts(with: "\\u".utf8),
            let second = number(next.dropFirst(2).prefix(4), radix: 16, count: 4),
            (0xDC00..<0xE000).contains(second)
        else { return nil }
        return scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), length: 12)
    }

    /// Reads up to eight digits and the byte that ends them.
    private static func delimited(
        _ text: ArraySlice<UInt8>, radix: Int, end: UInt8, marks: Int
    ) -> EscapeSequence? {
        let digits = text.prefix(9).prefix { $0 != end }
        guard digits.count < 9, text.dropFirst(digits.count).first == end else { return nil }
        let value = number(digits, radix: radix, count: digits.count)
        return scalar(value, length: marks + digits.count)
    }
}

// Escapes that start with an ampersand.
extension EscapeSequence {
    private static let names: [String: UInt8] = [
        "amp": UInt8(ascii: "&"), "apos": UInt8(ascii: "'"), "colon": UInt8(ascii: ":"),
        "comma": UInt8(ascii: ","), "equals": UInt8(ascii: "="), "gt": UInt8(ascii: ">"),
        "lt": UInt8(ascii: "<"), "plus": UInt8(ascii: "+"), "quot": UInt8(ascii: "\""),
        "sol": UInt8(ascii: "/"),
    ]

    fileprivate static func reference(_ rest: ArraySlice<UInt8>) -> EscapeSequence? {
        let end = UInt8(ascii: ";")
        if rest.first == UInt8(ascii: "#") {
            let digits = rest.dropFirst()
            return digits.first.map { $0 | 0x20 } == UInt8(ascii: "x")
                ? delimited(digits.dropFirst(), radix: 16, end: end, marks: 4)
                : delimited(digits, radix: 10, end: end, marks: 3)
        }
        let name = rest.prefix(7).prefix { $0 != end }
        guard rest.dropFirst(name.count).first == end,
            let character = names[String(decoding: name, as: UTF8.self)]
        else { return nil }
        return EscapeSequence([character], length: name.count + 2)
    }
}
