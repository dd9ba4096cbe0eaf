import Foundation

/// Parses queries with bracketed names, independently of the encoder.
struct BracketParser {
    /// The content of a query, in which every value is text.
    indirect enum Node: Equatable {
        /// A name without `=`.
        case null
        case text(String)
        /// Elements by their index.
        case list([Int: Node])
        case object([String: Node])
    }

    /// The styles of array elements.
    enum Arrays: CaseIterable {
        case brackets, repeated, indices
    }

    var arrays = Arrays.brackets

    func object(_ query: String) throws -> Node {
        var root = Node.object([:])
        for pair in query.split(separator: "&", omittingEmptySubsequences: true) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? Node.text(try decoded(parts[1])) : .null
            try insert(value, at: path(try decoded(parts[0]))[...], into: &root)
        }
        return root
    }

    struct Malformed: Error { var text: String }

    private func decoded(_ text: Substring) throws -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.count == 2, let value = UInt8(digits, radix: 16) else {
                    throw Malformed(text: String(text))
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            case 0x21..<0x7F: bytes.append(byte)
            default: throw Malformed(text: String(text))
            }
        }
        guard let result = String(validating: bytes, as: UTF8.self) else {
            throw Malformed(text: String(text))
        }
        return result
    }

    /// Returns the path `a`, `b`, and an empty string for `a[b][]`.
    private func path(_ name: String) throws -> [String] {
        let parts = name.split(separator: "[", omittingEmptySubsequences: false)
        return try [String(parts[0])]
            + parts.dropFirst().map { part in
                guard part.hasSuffix("]") else { throw Malformed(text: name) }
                return String(part.dropLast())
            }
    }

    private func insert(_ value: Node, at path: ArraySlice<String>, into node: inout Node) throws {
        guard let step = path.first else {
            guard arrays == .repeated, node != .object([:]) else { return node = value }
            if case .list(var elements) = node {
                elements[elements.count] = value
                node = .list(elements)
            } else {
                node = .list([0: node, 1: value])
            }
            return
        }
        if step.isEmpty || arrays == .indices && Int(step) != nil {
            var elements: [Int: Node] = [:]
            if case .list(let known) = node { elements = known }
            let index = Int(step) ?? elements.count
            try insert(value, at: path.dropFirst(), into: &elements[index, default: .object([:])])
            node = .list(elements)
        } else {
            var members: [String: Node] = [:]
            if case .object(let known) = node { members = known }
            try insert(value, at: path.dropFirst(), into: &members[step, default: .object([:])])
            node = .object(members)
        }
    }
}
