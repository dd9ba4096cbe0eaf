import Foundation

/// What parameters hold: a copy of the caller's values, before a format is chosen.
enum ParameterTree: Sendable {
    /// A scalar or null.
    case value(ParameterValue)
    case array([ParameterTree])
    case set([ParameterTree])
    /// A dictionary, whose keys are the caller's data.
    case dictionary([String: ParameterTree])
    /// What a type encodes under its coding keys, which an encoder may spell in another way.
    case object([String: ParameterTree])
    /// What cannot be sent in any format; its place is told by ``ParameterWalk``.
    case invalid(RequestSerializationError)
}

extension ParameterTree {
    /// A copy of a value of any type.
    init(_ value: Any?) {
        self = ParameterReader().tree(of: value)
    }

    /// A copy of what a value encodes; null for nil.
    ///
    /// - Throws: What the value's own `encode(to:)` throws, or a ``RequestSerializationError``.
    init(encoding value: some Encodable) throws {
        self = try ParameterTreeEncoder.tree(of: value)
    }

    var isNull: Bool { if case .value(.null) = self { true } else { false } }

    /// Whether nothing in it has a name.
    var isNameless: Bool {
        switch self {
        case .value, .array, .set: true
        case .dictionary, .object, .invalid: false
        }
    }

    /// What is under the keys of a dictionary or an object; nil for everything else.
    var members: [String: ParameterTree]? {
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
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
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
