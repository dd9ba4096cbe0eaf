import Foundation

/// A set of any type, whose order of members must not affect the result.
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
    static var hasStringKeys: Bool { get }
    static var hasIntegerKeys: Bool { get }
}

extension Dictionary: EncodableDictionary {
    /// Whether keys are encoded as strings, rather than as numbers or as elements of an array.
    static var hasStringKeys: Bool {
        Key.self == String.self
            || Key.self != Int.self && Key.self is any CodingKeyRepresentable.Type
    }

    static var hasIntegerKeys: Bool { Key.self == Int.self }
}
