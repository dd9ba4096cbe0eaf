/// A JSON tree whose numbers and strings are tokens of the text, so that no detail is lost.
struct JSONValue: Sendable {
    enum Content: Sendable {
        /// A number, `true`, `false` or `null`, as written.
        case literal(String)
        case string(JSONString)
        case array([JSONValue])
        /// The members in their original order.
        case object([Member])
    }

    struct Member: Sendable {
        let key: JSONString
        /// The line of the key, from 1.
        var line = 0
        let value: JSONValue
    }

    let content: Content
    /// The line on which the value begins, from 1.
    var line = 0
    /// The range of its bytes in the text.
    var range = 0..<0

    /// The kind of the value, as errors name it.
    var kind: String {
        switch content {
        case .literal("null"): "null"
        case .literal("true"), .literal("false"): "a boolean"
        case .literal: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

// Creating.
extension JSONValue {
    static func number(_ number: Int) -> Self { Self(content: .literal("\(number)")) }
    static func string(_ text: String) -> Self { Self(content: .string(JSONString(text))) }
    static func strings(_ texts: [String]) -> Self {
        Self(content: .array(texts.map { .string($0) }))
    }
    static let `true` = Self(content: .literal("true"))

    /// Returns an object with the members that have a value.
    static func object(_ members: KeyValuePairs<String, JSONValue?>) -> Self {
        let members = members.compactMap { key, value in
            value.map { Member(key: JSONString(key), value: $0) }
        }
        return Self(content: .object(members))
    }
}

// Reading.
extension JSONValue {
    var text: String? {
        guard case .string(let string) = content else { return nil }
        return string.text
    }

    /// The integer; nil if the value is not one.
    var integer: Int? {
        guard case .literal(let token) = content else { return nil }
        return Int(token)
    }
}

// Writing.
extension JSONValue {
    /// The text without white space.
    var compactText: String { text(indentedBy: nil) }
    /// The text with each member and element on its own line.
    var prettyText: String { text(indentedBy: 0) }

    private func text(indentedBy depth: Int?) -> String {
        var text = ""
        write(into: &text, depth)
        return text
    }

    private func write(into text: inout String, _ depth: Int?) {
        switch content {
        case .literal(let token): text += token
        case .string(let string): text += string.token
        case .array(let elements):
            Self.write(elements, between: ("[", "]"), into: &text, depth) { element, text, depth in
                element.write(into: &text, depth)
            }
        case .object(let members):
            Self.write(members, between: ("{", "}"), into: &text, depth) { member, text, depth in
                text += member.key.token + (depth == nil ? ":" : ": ")
                member.value.write(into: &text, depth)
            }
        }
    }

    private static func write<Part>(
        _ parts: [Part], between marks: (String, String), into text: inout String, _ depth: Int?,
        _ writePart: (Part, inout String, Int?) -> Void
    ) {
        let inner = depth.map { $0 + 1 }
        text += marks.0
        for (index, part) in parts.enumerated() {
            if index > 0 { text += "," }
            text += lineBreak(inner)
            writePart(part, &text, inner)
        }
        if !parts.isEmpty { text += lineBreak(depth) }
        text += marks.1
    }

    private static func lineBreak(_ depth: Int?) -> String {
        depth.map { "\n" + String(repeating: "  ", count: $0) } ?? ""
    }
}
