import Foundation

extension ParameterTreeEncoder {
    /// The value itself where it is a scalar of parameters; nil for every other type.
    static func scalar(_ value: some Encodable) -> ParameterValue? {
        switch value {
        case let value as String: .string(value)
        case let value as Bool: .bool(value)
        case let value as Int: .integer(value)
        case let value as Double: .floating(value)
        case let value as Float: .floating(value)
        case let value as Int64: .integer(value)
        case let value as UInt: .integer(value)
        case let value as UInt64: .integer(value)
        case let value as Int32: .integer(value)
        case let value as UInt32: .integer(value)
        case let value as Int16: .integer(value)
        case let value as UInt16: .integer(value)
        case let value as Int8: .integer(value)
        case let value as UInt8: .integer(value)
        case let value as Int128: .integer(value)
        case let value as UInt128: .integer(value)
        case let value as Float16: .floating(value)
        // Their own `encode(to:)` would make arrays and numbers of them.
        case let value as Date: .date(value)
        case let value as Data: .data(value)
        case let value as URL: .string(value.absoluteString)
        case let value as Decimal: .decimal(value)
        default: nil
        }
    }
}

/// A set of any type; the order of its members must not show.
protocol EncodableSet {
    func encodeMembers(into encoder: ParameterTreeEncoder) throws
}

extension Set: EncodableSet where Element: Encodable {
    func encodeMembers(into encoder: ParameterTreeEncoder) throws {
        encoder.open(.unorderedElements)
        for member in self {
            let node = encoder.node.addElement()
            try ParameterTreeEncoder(
                codingPath: encoder.codingPath, node: node, state: encoder.state,
                depth: encoder.depth + 1
            ).encode(member)
        }
    }
}

/// A dictionary of any type.
protocol EncodableDictionary {
    var hasStringKeys: Bool { get }
    var hasIntegerKeys: Bool { get }
}

extension Dictionary: EncodableDictionary {
    /// Whether its keys are texts; others would be encoded as numbers, or as elements of an array.
    var hasStringKeys: Bool {
        Key.self == String.self
            || Key.self != Int.self && Key.self is any CodingKeyRepresentable.Type
    }

    var hasIntegerKeys: Bool { Key.self == Int.self }
}
