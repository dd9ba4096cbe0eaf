import Foundation

/// A collection whose contents are encoded in the same way in every process.
protocol EncodableContents {
    func encodeContents(into encoder: ParameterTreeEncoder) throws
}

/// A set of any type, whose order of members must not affect the result.
protocol EncodableSet: EncodableContents {}

extension Set: EncodableContents, EncodableSet where Element: Encodable {
    func encodeContents(into encoder: ParameterTreeEncoder) throws {
        encoder.open(.unorderedElements)
        for member in self {
            let node = ParameterNode()
            try ParameterTreeEncoder(
                codingPath: encoder.codingPath, node: node, state: encoder.state,
                depth: encoder.depth + 1
            ).encode(member)
            encoder.node.add(node)
        }
    }
}

/// A dictionary of any type.
protocol EncodableDictionary {
    /// Whether keys are encoded as strings, rather than as elements of an array.
    static var hasNames: Bool { get }
}

extension Dictionary: EncodableDictionary {
    static var hasNames: Bool { Key.self is any CodingKeyRepresentable.Type }
}

extension Dictionary: EncodableContents where Key: CodingKeyRepresentable, Value: Encodable {
    func encodeContents(into encoder: ParameterTreeEncoder) throws {
        encoder.open(.pairs)
        for (name, value) in try membersByName(encoder.error) {
            let node = ParameterNode()
            try encoder.inner(JSONPathKey(stringValue: name), node).encode(value)
            encoder.node.setMember(name, node)
        }
    }
}

extension Dictionary where Key: CodingKeyRepresentable {
    /// Returns the members sorted by name, so that the first fault is the same in every process.
    ///
    /// Throws `error` if two members have the same name.
    func membersByName(
        _ error: (_ reason: String) -> RequestSerializationError
    ) throws -> [(name: String, value: Value)] {
        let members = map { (name: $0.key.codingKey.stringValue, value: $0.value) }
            .sorted { $0.name < $1.name }
        for (one, next) in zip(members, members.dropFirst()) where one.name == next.name {
            throw error(RequestSerializationError.equalKeys(one.name).reason)
        }
        return members
    }
}
