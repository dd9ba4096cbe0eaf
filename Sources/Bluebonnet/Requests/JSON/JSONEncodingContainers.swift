// The generic `encode` of each container also covers the scalar types, except those whose default
// implementation in the standard library throws.

/// An object, to which members can be added in any order.
struct JSONObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let place: JSONPlace

    @inline(__always)
    init(opening place: JSONPlace) {
        self.place = place
        place.fragment.open(.object, at: place)
    }

    var codingPath: [any CodingKey] { place.codingPath }

    func encodeNil(forKey key: Key) throws {
        try place.fragment.encodeMember(String?.none, key.stringValue, in: place)
    }

    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try place.fragment.encodeMember(value, key.stringValue, in: place)
    }

    func encode(_ value: Int128, forKey key: Key) throws {
        try place.fragment.encodeMember(value, key.stringValue, in: place)
    }

    func encode(_ value: UInt128, forKey key: Key) throws {
        try place.fragment.encodeMember(value, key.stringValue, in: place)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key.stringValue, sharing: .object).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key.stringValue, sharing: .array).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nested("super") }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key.stringValue) }

    private func nested(_ key: String, sharing kind: JSONFragment.Kind? = nil) -> JSONPlace {
        place.fragment.addNestedMember(key, sharing: kind, in: place)
    }
}

/// An array, to which elements are added.
struct JSONArray: UnkeyedEncodingContainer {
    private let place: JSONPlace

    @inline(__always)
    init(opening place: JSONPlace) {
        self.place = place
        place.fragment.open(.array, at: place)
    }

    var codingPath: [any CodingKey] { place.codingPath }
    var count: Int { place.fragment.count(of: place) }

    func encodeNil() throws { try place.fragment.encodeElement(String?.none, in: place) }

    @inline(__always)
    func encode<Value: Encodable>(_ value: Value) throws {
        try place.fragment.encodeElement(value, in: place)
    }

    func encode(_ value: Int128) throws { try place.fragment.encodeElement(value, in: place) }
    func encode(_ value: UInt128) throws { try place.fragment.encodeElement(value, in: place) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        place.fragment.addNestedElement(in: place).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        place.fragment.addNestedElement(in: place).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { place.fragment.addNestedElement(in: place) }
}

/// A container for the only value in a place.
struct JSONSingleValue: SingleValueEncodingContainer {
    let place: JSONPlace

    var codingPath: [any CodingKey] { place.codingPath }

    func encodeNil() throws { try place.fragment.encodeSingleNull(in: place) }

    @inline(__always)
    func encode<Value: Encodable>(_ value: Value) throws {
        try place.fragment.encodeSingle(value, in: place)
    }

    func encode(_ value: Int128) throws { try place.fragment.encodeSingle(value, in: place) }
    func encode(_ value: UInt128) throws { try place.fragment.encodeSingle(value, in: place) }
}
