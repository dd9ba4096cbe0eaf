import Foundation

// The generic `encode` of each container also covers the scalar types, except those whose default
// implementation in the standard library throws.
extension ParameterTreeEncoder {
    struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: ParameterTreeEncoder

        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil(forKey key: Key) throws {
            try add(key) { try $0.set(.value(.null)) }
        }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            try add(key) { try $0.encode(value) }
        }

        func encode(_ value: Int128, forKey key: Key) throws {
            try add(key) { try $0.set(.value(.integer(value))) }
        }

        func encode(_ value: UInt128, forKey key: Key) throws {
            try add(key) { try $0.set(.value(.integer(value))) }
        }

        /// Adds a member if it can be encoded; it replaces an existing one.
        private func add(_ key: Key, _ encode: (ParameterTreeEncoder) throws -> Void) throws {
            try encoder.check(.members)
            let node = ParameterNode()
            try encode(encoder.inner(key, node))
            encoder.node.setMember(key.stringValue, node)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            member(key, sharing: encoder.state.options.replacesContainers ? nil : .members)
                .container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            member(key, sharing: encoder.state.options.replacesContainers ? nil : .elements)
                .unkeyedContainer()
        }

        func superEncoder() -> any Encoder {
            encoder.state.options.inheritsInPlace ? encoder.inherited() : member(SuperKey())
        }

        func superEncoder(forKey key: Key) -> any Encoder { member(key) }

        private func member(
            _ key: any CodingKey, sharing kind: ParameterNode.Kind? = nil
        ) -> ParameterTreeEncoder {
            encoder.requireOpen(.members)
            return encoder.inner(
                key, encoder.node.nestedMember(key.stringValue, sharing: kind))
        }
    }

    struct UnkeyedContainer: UnkeyedEncodingContainer {
        let encoder: ParameterTreeEncoder

        var codingPath: [any CodingKey] { encoder.codingPath }

        var count: Int { encoder.node.content.elements.count }

        func encodeNil() throws { try add { try $0.set(.value(.null)) } }

        func encode<Value: Encodable>(_ value: Value) throws { try add { try $0.encode(value) } }

        func encode(_ value: Int128) throws { try add { try $0.set(.value(.integer(value))) } }

        func encode(_ value: UInt128) throws { try add { try $0.set(.value(.integer(value))) } }

        /// Adds an element if it can be encoded.
        private func add(_ encode: (ParameterTreeEncoder) throws -> Void) throws {
            try encoder.check(.elements)
            let node = ParameterNode()
            try encode(encoder.inner(IndexKey(index: count), node))
            encoder.node.add(node)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) -> KeyedEncodingContainer<Nested> {
            element().container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            element().unkeyedContainer()
        }

        func superEncoder() -> any Encoder { element() }

        private func element() -> ParameterTreeEncoder {
            encoder.requireOpen(.elements)
            let node = ParameterNode()
            let inner = encoder.inner(IndexKey(index: count), node)
            encoder.node.add(node)
            return inner
        }
    }

    struct SingleValueContainer: SingleValueEncodingContainer {
        let encoder: ParameterTreeEncoder

        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil() throws { try encoder.set(.value(.null)) }

        func encode<Value: Encodable>(_ value: Value) throws { try encoder.encode(value) }

        func encode(_ value: Int128) throws { try encoder.set(.value(.integer(value))) }

        func encode(_ value: UInt128) throws { try encoder.set(.value(.integer(value))) }
    }

    /// The coding key of an element.
    struct IndexKey: CodingKey {
        let index: Int

        var stringValue: String { String(index) }
        var intValue: Int? { index }

        init(index: Int) { self.index = index }
        init?(stringValue: String) { nil }
        init?(intValue: Int) { index = intValue }
    }

    /// The coding key under which a class encodes its inherited members.
    private struct SuperKey: CodingKey {
        var stringValue: String { "super" }
        var intValue: Int? { nil }

        init() {}
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }
    }
}
