import Foundation

// The generic `encode` of each container also covers the scalar types, except those whose default
// implementation in the standard library throws.
extension ParameterTreeEncoder {
    struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: ParameterTreeEncoder

        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil(forKey key: Key) throws {
            encoder.node.replaceMember(key.stringValue).set(.value(.null))
        }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            let node = encoder.node.replaceMember(key.stringValue)
            try encoder.inner(key, node).encode(value)
        }

        func encode(_ value: Int128, forKey key: Key) throws {
            encoder.node.replaceMember(key.stringValue).set(.value(.integer(value)))
        }

        func encode(_ value: UInt128, forKey key: Key) throws {
            encoder.node.replaceMember(key.stringValue).set(.value(.integer(value)))
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type,
            forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            member(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            member(key).unkeyedContainer()
        }

        func superEncoder() -> any Encoder {
            encoder.state.options.inheritsInPlace ? encoder.inherited() : member(SuperKey())
        }

        func superEncoder(forKey key: Key) -> any Encoder { member(key) }

        private func member(_ key: any CodingKey) -> ParameterTreeEncoder {
            encoder.inner(key, encoder.node.member(key.stringValue))
        }
    }

    struct UnkeyedContainer: UnkeyedEncodingContainer {
        let encoder: ParameterTreeEncoder

        var codingPath: [any CodingKey] { encoder.codingPath }

        var count: Int { encoder.node.elementCount }

        func encodeNil() throws { encoder.node.addElement().set(.value(.null)) }

        func encode<Value: Encodable>(_ value: Value) throws { try element().encode(value) }

        func encode(_ value: Int128) throws {
            encoder.node.addElement().set(.value(.integer(value)))
        }

        func encode(_ value: UInt128) throws {
            encoder.node.addElement().set(.value(.integer(value)))
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
            encoder.inner(IndexKey(index: count), encoder.node.addElement())
        }
    }

    struct SingleValueContainer: SingleValueEncodingContainer {
        let encoder: ParameterTreeEncoder

        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil() throws { encoder.node.set(.value(.null)) }

        func encode<Value: Encodable>(_ value: Value) throws { try encoder.encode(value) }

        func encode(_ value: Int128) throws { encoder.node.set(.value(.integer(value))) }

        func encode(_ value: UInt128) throws { encoder.node.set(.value(.integer(value))) }
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
