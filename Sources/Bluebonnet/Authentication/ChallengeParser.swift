import BluebonnetTransport

/// A parser of `WWW-Authenticate` and `Proxy-Authenticate` (RFC 9110 section 11.6.1).
///
/// Commas separate both challenges and their parameters. A list element is a parameter if an equals
/// sign follows its first token. Otherwise it starts the next challenge. A malformed challenge is
/// discarded, and parsing continues after it.
struct ChallengeParser {
    static let maximumChallengeCount = 32
    /// The maximum size in bytes of a field value that is parsed.
    static let maximumValueSize = 16 * 1024
    /// The maximum total size in bytes of the field values that are parsed.
    static let maximumTotalSize = 64 * 1024

    /// Returns the well-formed challenges in fields of the same name, in order.
    static func challenges(in values: [String]) -> [OfferedChallenge] {
        var found: [OfferedChallenge] = []
        var size = 0
        for value in values where value.utf8.count <= maximumValueSize {
            size += value.utf8.count
            guard size <= maximumTotalSize, found.count < maximumChallengeCount else { break }
            var parser = ChallengeParser(value)
            parser.parse()
            found += parser.challenges.prefix(maximumChallengeCount - found.count)
        }
        return found
    }

    /// Returns the parameters of a field without a scheme, or nil if the field is malformed.
    ///
    /// `Authentication-Info` is such a field.
    static func parameters(in value: String) -> [String: String]? {
        guard value.utf8.count <= maximumValueSize else { return nil }
        var parser = ChallengeParser(value)
        parser.current = OfferedChallenge(scheme: .other(""))
        parser.parse()
        return parser.challenges.count == 1 ? parser.challenges[0].parameters : nil
    }

    private let bytes: [UInt8]
    private var place = 0
    private var current: OfferedChallenge?
    private var challenges: [OfferedChallenge] = []

    private init(_ value: String) {
        bytes = Array(value.utf8)
    }

    private mutating func parse() {
        while skipSeparators() {
            let start = place
            if !readElement() {
                current?.refuse()
                place = start
                skipElement()
            }
        }
        finishChallenge()
    }

    private mutating func finishChallenge() {
        if let current, !current.isMalformed, challenges.count < Self.maximumChallengeCount {
            challenges.append(current)
        }
        current = nil
    }

    // MARK: Elements

    /// Reads one element of the list, and returns whether it was well-formed.
    private mutating func readElement() -> Bool {
        guard let name = readToken() else { return false }
        let end = place
        if readEqualsSign() { return readValue(of: name) }
        place = end
        finishChallenge()
        current = OfferedChallenge(scheme: AuthenticationScheme(name: name))
        if isAtElementEnd() { return true }
        guard let byte = peek(), byte.isSpace else { return false }
        skipSpace()
        if let token = readToken68() {
            current?.set(token68: token)
            return true
        }
        guard let parameter = readToken(), readEqualsSign() else { return false }
        return readValue(of: parameter)
    }

    private mutating func readValue(of name: String) -> Bool {
        let value = peek() == quotationMark ? readQuotedString() : readToken()
        guard let value, isAtElementEnd() else { return false }
        current?.add(name, value)
        return true
    }

    private mutating func readEqualsSign() -> Bool {
        skipSpace()
        guard peek() == equalsSign else { return false }
        place += 1
        skipSpace()
        return true
    }

    private mutating func readToken() -> String? {
        let start = place
        while let byte = peek(), byte.isTokenByte { place += 1 }
        return start == place ? nil : text(bytes[start..<place])
    }

    /// Reads a token68 that extends to the end of the element, or reads nothing.
    private mutating func readToken68() -> String? {
        let start = place
        while let byte = peek(), byte.isToken68Byte { place += 1 }
        let hasContent = place > start
        while peek() == equalsSign { place += 1 }
        let end = place
        guard hasContent, isAtElementEnd() else {
            place = start
            return nil
        }
        return text(bytes[start..<end])
    }

    /// Reads a quoted string, and returns it without quotes and escapes (RFC 9110 section 5.6.4).
    private mutating func readQuotedString() -> String? {
        var content: [UInt8] = []
        place += 1
        while let byte = peek(), byte != quotationMark {
            place += 1
            guard byte == backslash else {
                guard byte.isText else { return nil }
                content.append(byte)
                continue
            }
            guard let escaped = peek(), escaped.isText else { return nil }
            content.append(escaped)
            place += 1
        }
        guard peek() == quotationMark else { return nil }
        place += 1
        return text(content[...])
    }

    // MARK: Between elements

    /// Advances to the next element, and returns whether there is one.
    private mutating func skipSeparators() -> Bool {
        while let byte = peek(), byte.isSpace || byte == comma { place += 1 }
        return peek() != nil
    }

    /// Advances to the end of a malformed element.
    ///
    /// Commas in quotes do not end it. After an unclosed quote, the rest of the value is skipped.
    private mutating func skipElement() {
        while let byte = peek(), byte != comma {
            place += 1
            if byte == quotationMark { skipQuotedString() }
        }
    }

    private mutating func skipQuotedString() {
        while let byte = peek() {
            place += byte == backslash ? 2 : 1
            if byte == quotationMark { return }
        }
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte.isSpace { place += 1 }
    }

    /// Advances past whitespace if it ends the element, and returns whether it does.
    private mutating func isAtElementEnd() -> Bool {
        let start = place
        skipSpace()
        let byte = peek()
        if byte == nil || byte == comma { return true }
        place = start
        return false
    }

    private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

private let quotationMark = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")
private let equalsSign = UInt8(ascii: "=")
private let comma = UInt8(ascii: ",")

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || self == 0x09 }

    fileprivate var isText: Bool { self == 0x09 || (self >= 0x20 && self != 0x7F) }

    fileprivate var isToken68Byte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
