import Foundation

/// The content of parameters: a copy of the caller's values, before a format is chosen.
package enum ParameterTree: Sendable {
    /// A scalar or null.
    case value(ParameterValue)
    case array([ParameterTree])
    case set([ParameterTree])
    /// A dictionary whose keys are the caller's data.
    case dictionary(ParameterMembers)
    /// The members that a type encodes under its coding keys, which an encoder can respell.
    case object(ParameterMembers)
    /// A value that cannot be sent in any format; ``ParameterWalk`` adds the place to its error.
    case invalid(RequestSerializationError)
}

extension ParameterTree {
    /// Creates a copy of a value of any type that is a member of a dictionary.
    package init(member value: Any?) {
        self = ParameterReader(depth: 1).tree(of: value)
    }

    /// Creates a copy of an encodable value, which is null for nil.
    ///
    /// - Throws: An error from the value's own `encode(to:)`, or a ``RequestSerializationError``.
    package init(
        encoding value: some Encodable,
        options: ParameterTreeEncoder.Options = ParameterTreeEncoder.Options()
    ) throws {
        self = try ParameterTreeEncoder.tree(of: value, options: options)
    }

    var isNull: Bool { if case .value(.null) = self { true } else { false } }

    /// Whether the tree is a value or a list, whose contents have no names.
    var isNameless: Bool {
        switch self {
        case .value, .array, .set: true
        case .dictionary, .object, .invalid: false
        }
    }

    /// Returns whether arrays, sets and dictionaries are nested more than `room` levels deep.
    func isDeeper(than room: Int) -> Bool {
        let inner: [ParameterTree]
        switch self {
        case .value, .invalid: return false
        case .array(let elements), .set(let elements): inner = elements
        case .dictionary(let members), .object(let members): inner = members.inOrder.map(\.value)
        }
        return room <= 0 || inner.contains { $0.isDeeper(than: room - 1) }
    }

    /// Returns the error, with its place, of the first value that no format can represent, or nil.
    package func fault() -> RequestSerializationError? { fault(at: ParameterPath()) }

    private func fault(at path: ParameterPath) -> RequestSerializationError? {
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

    /// The members of a dictionary or an object; nil for everything else.
    var members: ParameterMembers? {
        switch self {
        case .dictionary(let members), .object(let members): members
        case .value, .array, .set, .invalid: nil
        }
    }

    /// The copy as Swift types; nil for a value that could not be copied.
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
