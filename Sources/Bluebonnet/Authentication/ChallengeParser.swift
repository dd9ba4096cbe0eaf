import BluebonnetTransport

/// Reads `WWW-Authenticate` and `Proxy-Authenticate` (RFC 9110 section 11.6.1).
///
/// The comma separates both challenges and their parameters, so an element of the list is a
/// parameter if an equals sign follows its first token, else the start of the next challenge.
/// A challenge with an error in it is left out, and what follows it is read on.
struct ChallengeParser {
    static let maximumChallengeCount = 32
    /// Bytes of one field's value; longer ones are passed over.
    static let maximumValueSize = 16 * 1024
    /// Bytes of all values; those beyond are not read.
    static let maximumTotalSize = 64 * 1024

    /// The well-formed challenges of fields of one name, in order.
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

    /// The parameters of a field that has nothing else, such as `Authentication-Info`; nil when it
    /// is malformed.
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

    /// Reads what is a token68 up to the end of the element, or nothing.
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

    /// Reads a quoted string and returns it without quotes and escapes (RFC 9110 section 5.6.4).
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

    /// Goes to the next element, and returns whether there is one.
    private mutating func skipSeparators() -> Bool {
        while let byte = peek(), byte.isSpace || byte == comma { place += 1 }
        return peek() != nil
    }

    /// Goes to the end of a malformed element; commas in quotes do not end it, and quotes that are
    /// never closed hide all that follows.
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

    /// Whether nothing but white space is left before the next comma; goes there if so.
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
