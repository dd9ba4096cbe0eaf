import Foundation

/// What parameters hold: a copy of the caller's values, before a format is chosen.
enum ParameterTree: Sendable {
    /// A scalar or null.
    case value(ParameterValue)
    case array([ParameterTree])
    case set([ParameterTree])
    /// A dictionary, whose keys are the caller's data.
    case dictionary(ParameterMembers)
    /// What a type encodes under its coding keys, which an encoder may spell in another way.
    case object(ParameterMembers)
    /// What cannot be sent in any format; its place is told by ``ParameterWalk``.
    case invalid(RequestSerializationError)
}

extension ParameterTree {
    /// A copy of a value of any type that lies in a dictionary.
    init(member value: Any?) {
        self = ParameterReader(depth: 1).tree(of: value)
    }

    /// A copy of what a value encodes; null for nil.
    ///
    /// - Throws: What the value's own `encode(to:)` throws, or a ``RequestSerializationError``.
    init(
        encoding value: some Encodable,
        options: ParameterTreeEncoder.Options = ParameterTreeEncoder.Options()
    ) throws {
        self = try ParameterTreeEncoder.tree(of: value, options: options)
    }

    var isNull: Bool { if case .value(.null) = self { true } else { false } }

    /// Whether nothing in it has a name.
    var isNameless: Bool {
        switch self {
        case .value, .array, .set: true
        case .dictionary, .object, .invalid: false
        }
    }

    /// Whether more arrays, sets and dictionaries lie in each other than there is room for.
    func isDeeper(than room: Int) -> Bool {
        let inner: [ParameterTree]
        switch self {
        case .value, .invalid: return false
        case .array(let elements), .set(let elements): inner = elements
        case .dictionary(let members), .object(let members): inner = members.inOrder.map(\.value)
        }
        return room <= 0 || inner.contains { $0.isDeeper(than: room - 1) }
    }

    /// The first in it that cannot be sent in any format, with its place; nil if there is none.
    func fault(at path: ParameterPath = ParameterPath()) -> RequestSerializationError? {
        var inner = path
        switch self {
        case .value: return nil
        case .invalid(let error): return error.moved(below: path.text)
        case .array(let elements), .set(let elements):
            for (index, element) in elements.enumerated() {
                inner.steps = path.steps + [.index(index)]
                if let fault = element.fault(at: inner) { return fault }
            }
        case .dictionary(let members), .object(let members):
            for (key, member) in members.sorted {
                inner.steps = path.steps + [.key(key)]
                if let fault = member.fault(at: inner) { return fault }
            }
        }
        return nil
    }

    /// What is under the keys of a dictionary or an object; nil for everything else.
    var members: ParameterMembers? {
        switch self {
        case .dictionary(let members), .object(let members): members
        case .value, .array, .set, .invalid: nil
        }
    }

    /// The copy as Swift's own types; nil for what could not be copied.
    var object: (any Sendable)? {
        switch self {
        case .value(let value): value.object
        case .array(let elements), .set(let elements): elements.map { $0.object ?? NSNull() }
        case .dictionary(let members), .object(let members):
            members.compactMapValues(\.object)
        case .invalid: nil
        }
    }

    /// Encodes the copy as a dictionary, an array or a scalar.
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .value(let value):
            var container = encoder.singleValueContainer()
            try value.encode(into: &container)
        case .array(let elements), .set(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(Node(tree: element)) }
        case .dictionary(let members), .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for (key, member) in members.inOrder {
                try container.encode(Node(tree: member), forKey: Key(stringValue: key))
            }
        case .invalid(let error): throw error
        }
    }

    private struct Node: Encodable {
        let tree: ParameterTree

        func encode(to encoder: any Encoder) throws { try tree.encode(to: encoder) }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
