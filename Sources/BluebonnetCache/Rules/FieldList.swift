import Bluebonnet

/// The members of a list field, whose commas can stand in quoted strings (RFC 9110 section 5.6.1).
enum FieldList {
    /// Calls a closure with each member that is not empty, without surrounding white space.
    ///
    /// A quoted string without its end goes on to the end of the value.
    static func forEachMember(of value: String, _ body: (Substring) -> Void) {
        let bytes = value.utf8
        var start = bytes.startIndex
        var (isQuoted, isEscaped) = (false, false)
        func end(at place: String.Index) {
            let member = value[start..<place].trimmingOptionalWhitespace()
            if !member.isEmpty { body(member) }
        }
        for place in bytes.indices {
            switch bytes[place] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                end(at: place)
                start = bytes.index(after: place)
            default: break
            }
        }
        end(at: bytes.endIndex)
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

    /// The content of a quoted string without its escapes, or the text itself.
    var unquoted: String {
        guard utf8.first == UInt8(ascii: "\"") else { return String(self) }
        var content: [UInt8] = []
        var isEscaped = false
        for byte in utf8.dropFirst() {
            if isEscaped {
                content.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                break
            } else {
                content.append(byte)
            }
        }
        return String(decoding: content, as: UTF8.self)
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
