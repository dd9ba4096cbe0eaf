import Foundation

/// A reader of property lists in XML.
///
/// It is recursive, up to the depth to which ``XMLTree`` limits nested elements.
enum XMLPropertyList {
    static func root(_ node: XMLTree.Node) throws -> any Sendable {
        do {
            guard XMLTree.isSame(node.name, "plist") else { return try value(node) }
            let children = node.children
            guard children.count == 1 else {
                throw Fault("<plist> contains \(children.count) elements instead of one")
            }
            return try value(children[0])
        } catch let fault as Fault {
            throw ResponseSerializationError(reason: "malformed property list: \(fault.text)")
        }
    }

    /// A problem, with the part of its key path that is known so far.
    private struct Fault: Error {
        private let reason: String
        private var path = ""

        init(_ reason: String) {
            self.reason = reason
        }

        var text: String {
            // By scalars: a combining mark at the start of a key forms one `Character` with the
            // dot.
            let isKey = path.utf8.first == UInt8(ascii: ".")
            let place = isKey ? String(path.unicodeScalars.dropFirst()) : path
            return place.isEmpty ? reason : "\(place): \(reason)"
        }

        func below(_ step: String) -> Fault {
            var fault = self
            fault.path = step + path
            return fault
        }
    }

    private static func value(_ node: XMLTree.Node) throws -> any Sendable {
        switch node.name.utf8 {
        case "dict": return try dictionary(node)
        case "array":
            return try node.children.enumerated().map { try value($1, below: "[\($0)]") }
        case "true": return true
        case "false": return false
        default: return try scalar(node)
        }
    }

    private static func value(_ node: XMLTree.Node, below step: String) throws -> any Sendable {
        do {
            return try value(node)
        } catch let fault as Fault {
            throw fault.below(step)
        }
    }

    private static func dictionary(_ node: XMLTree.Node) throws -> any Sendable {
        let children = node.children
        var result: [String: any Sendable] = [:]
        for place in stride(from: 0, to: children.count, by: 2) {
            guard XMLTree.isSame(children[place].name, "key") else {
                throw Fault("expected <key> but found <\(excerpt(children[place].name))>")
            }
            let key = try text(children[place])
            guard !CombiningMarks.areTooMany(in: key) else { throw Fault(CombiningMarks.excess) }
            guard place + 1 < children.count else {
                throw Fault("the key \"\(excerpt(key))\" has no value")
            }
            result[key] = try value(children[place + 1], below: ".\(excerpt(key))")
        }
        return result
    }

    private static func scalar(_ node: XMLTree.Node) throws -> any Sendable {
        let text = try text(node)
        let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let result: (any Sendable)? =
            switch node.name.utf8 {
            case "string": text
            case "integer": integer(word)
            case "real": Double(word)
            case "date": TimestampText.gregorianDate(of: word)
            case "data": Data(base64Encoded: text.filter { !$0.isWhitespace })
            default: throw Fault("<\(excerpt(node.name))> is not a property list element")
            }
        guard let result else {
            throw Fault("\"\(excerpt(word))\" is not a valid <\(node.name)>")
        }
        return result
    }

    private static func integer(_ word: String) -> (any Sendable)? {
        if let integer = Int(word) { return integer }
        if let integer = UInt64(word) { return integer }
        // By bytes: combining marks after the sign would make comparing `Character` values slow.
        let isNegative = word.utf8.first == UInt8(ascii: "-")
        let isSigned = isNegative || word.utf8.first == UInt8(ascii: "+")
        let digits = word.utf8.dropFirst(isSigned ? 1 : 0)
        guard digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) else { return nil }
        let hexadecimal = String(decoding: digits.dropFirst(2), as: UTF8.self)
        // `Int(_:radix:)` would accept a second sign here.
        guard !"+-".utf8.contains(hexadecimal.utf8.first ?? 0) else { return nil }
        if let integer = Int((isNegative ? "-" : "") + hexadecimal, radix: 16) { return integer }
        return isNegative ? nil : UInt64(hexadecimal, radix: 16)
    }

    private static func text(_ node: XMLTree.Node) throws -> String {
        guard node.children.isEmpty else {
            throw Fault("<\(excerpt(node.name))> contains elements instead of text")
        }
        return node.text
    }

    /// Returns the beginning of untrusted text, for an error message.
    ///
    /// The text is cut by code points, since a single character can have megabytes of combining
    /// marks.
    private static func excerpt(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(40)
        return start.endIndex == text.endIndex ? text : String(start) + "…"
    }
}

/// Lets a `switch` compare names code point by code point, as XML does.
private func ~= (name: String, bytes: String.UTF8View) -> Bool {
    bytes.elementsEqual(name.utf8)
}
