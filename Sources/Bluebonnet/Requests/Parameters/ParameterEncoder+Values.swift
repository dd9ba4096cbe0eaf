import Foundation

extension ParameterEncoder {
    /// The value itself where ``Parameters`` may hold it as a scalar; nil for every other type.
    static func scalar(_ value: some Encodable) -> (any Sendable)? {
        switch value {
        case let value as String: value
        case let value as Bool: value
        case let value as Int: value
        case let value as Double: value
        case let value as Float: value
        case let value as Int64: value
        case let value as UInt: value
        case let value as UInt64: value
        case let value as Int32: value
        case let value as UInt32: value
        case let value as Int16: value
        case let value as UInt16: value
        case let value as Int8: value
        case let value as UInt8: value
        case let value as Int128: value
        case let value as UInt128: value
        case let value as Float16: value
        // Their own `encode(to:)` would make arrays and numbers of them.
        case let value as Date: value
        case let value as Data: value
        case let value as URL: value
        case let value as Decimal: value
        default: nil
        }
    }
}

/// A set of whatever members, whose order must not show.
protocol EncodableSet {
    func encodeMembers(into encoder: ParameterEncoder) throws
}

extension Set: EncodableSet where Element: Encodable {
    func encodeMembers(into encoder: ParameterEncoder) throws {
        encoder.node.open(.unorderedElements)
        for member in self {
            let node = encoder.node.addElement()
            try ParameterEncoder(
                codingPath: encoder.codingPath, node: node, state: encoder.state
            ).encode(member)
        }
    }
}

/// A dictionary of whatever types.
protocol EncodableDictionary {
    var hasStringKeys: Bool { get }
}

extension Dictionary: EncodableDictionary {
    /// Whether its keys are texts; others would be encoded as numbers, or as elements of an array.
    var hasStringKeys: Bool {
        Key.self == String.self
            || Key.self != Int.self && Key.self is any CodingKeyRepresentable.Type
    }
}
