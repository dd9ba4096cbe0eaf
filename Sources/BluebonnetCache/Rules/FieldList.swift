import Bluebonnet

/// The members of a list field, whose commas can stand in quoted strings (RFC 9110 section 5.6.1).
enum FieldList {
    /// Calls a closure with each member, by default only if it is not empty, without surrounding white space.
    ///
    /// A quote without an end quotes nothing, so that it hides no member.
    static func forEachMember(
        of value: String, skipsEmpty: Bool = true, _ body: (Substring) -> Void
    ) {
        let bytes = value.utf8
        var start = bytes.startIndex
        var (isQuoted, isEscaped) = (false, false)
        let lastQuote = lastClosingQuote(of: bytes)
        func end(at place: String.Index) {
            let member = value[start..<place].trimmingOptionalWhitespace()
            if !member.isEmpty || !skipsEmpty { body(member) }
        }
        for place in bytes.indices {
            switch bytes[place] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\"") where lastQuote.map { place <= $0 } ?? false:
                isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                end(at: place)
                start = bytes.index(after: place)
            default: break
            }
        }
        end(at: bytes.endIndex)
    }

    /// Returns the end of the last quoted string that has one.
    private static func lastClosingQuote(of bytes: String.UTF8View) -> String.Index? {
        var last: String.Index?
        var (isQuoted, isEscaped) = (false, false)
        for place in bytes.indices {
            if isEscaped {
                isEscaped = false
            } else if bytes[place] == UInt8(ascii: "\\"), isQuoted {
                isEscaped = true
            } else if bytes[place] == UInt8(ascii: "\"") {
                if isQuoted { last = place }
                isQuoted.toggle()
            }
        }
        return last
    }

    /// Returns the members of all values.
    static func members(of values: some Sequence<String>) -> [Substring] {
        var members: [Substring] = []
        for value in values { forEachMember(of: value) { members.append($0) } }
        return members
    }
}

extension Substring {
    /// Removes spaces and tabs at both ends.
    func trimmingOptionalWhitespace() -> Substring {
        func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        guard let first = utf8.firstIndex(where: { !isWhitespace($0) }),
            let last = utf8.lastIndex(where: { !isWhitespace($0) })
        else { return self[endIndex...] }
        return self[first...last]
    }

    /// The content of a quoted string without its escapes, or the text itself; nil for a quoted string
    /// without its end, or with more behind it.
    var unquoted: String? {
        guard utf8.first == UInt8(ascii: "\"") else { return String(self) }
        var content: [UInt8] = []
        var isEscaped = false
        for place in utf8.indices.dropFirst() {
            let byte = utf8[place]
            if isEscaped {
                content.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                let isLast = utf8.index(after: place) == utf8.endIndex
                return isLast ? String(decoding: content, as: UTF8.self) : nil
            } else {
                content.append(byte)
            }
        }
        return nil
    }
}

extension Sequence<Exchange.Field> {
    /// Returns the values of all fields with a name.
    func values(of name: String) -> [String] {
        compactMap { $0.name.equalsIgnoringCase(name) ? $0.value : nil }
    }

    /// Returns the value of the first field with a name.
    func firstValue(of name: String) -> String? {
        first { $0.name.equalsIgnoringCase(name) }?.value
    }
}

extension StringProtocol {
    /// Returns whether two texts differ at most in the case of ASCII letters.
    func equalsIgnoringCase(_ other: some StringProtocol) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { left, right in
            left == right
                || (left | 0x20 == right | 0x20
                    && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(left | 0x20))
        }
    }
}
