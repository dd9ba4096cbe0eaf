import Foundation

/// The members of an object in a document.
///
/// It has two words, like ``JSONTapeDecoder``.
struct TapeObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let document: JSONTapeDocument
    private let place: UInt32
    private let depth: UInt32

    @inline(__always)
    init(_ document: JSONTapeDocument, at index: Int, depth: Int) {
        self.document = document
        place = UInt32(truncatingIfNeeded: index)
        self.depth = UInt32(truncatingIfNeeded: depth)
    }

    private var object: Int { Int(place) }
    private var innerDepth: Int { Int(depth) + 1 }

    // MARK: Keys

    var codingPath: [any CodingKey] { document.codingPath(to: object) }
    var allKeys: [Key] { document.keys(of: object).compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { find(key) != nil }

    @inline(__always)
    private func find(_ key: Key) -> Int? {
        document.value(of: key.stringValue, in: object, depth: Int(depth))
    }

    @inline(__always)
    private func index(of key: Key) throws -> Int {
        guard let index = find(key) else { throw missing(key) }
        return index
    }

    /// Returns the index of a value that exists and is not null.
    @inline(__always)
    private func presentIndex(of key: Key) -> Int? {
        guard let index = find(key), !document.isNull(at: index) else { return nil }
        return index
    }

    @inline(never)
    private func missing(_ key: Key) -> DecodingError {
        .keyNotFound(
            key,
            .init(
                codingPath: codingPath,
                debugDescription: "No value associated with key \(key) (\"\(key.stringValue)\")."))
    }

    // MARK: Values
    // The generic methods also serve scalar types, unless the standard library has its own default.

    func decodeNil(forKey key: Key) throws -> Bool { document.isNull(at: try index(of: key)) }

    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try document.decode(type, at: index(of: key), depth: innerDepth)
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let index = presentIndex(of: key) else { return nil }
        return try document.decode(type, at: index, depth: innerDepth)
    }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try document.integer(type, at: index(of: key))
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try document.integer(type, at: index(of: key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try presentIndex(of: key).map { try document.bool(at: $0) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try presentIndex(of: key).map { try document.string(at: $0) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try presentIndex(of: key).map { try document.double(at: $0) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try presentIndex(of: key).map { try document.float(at: $0) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try presentIndex(of: key).map { try document.integer(type, at: $0) }
    }

    // MARK: Containers

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(at: index(of: key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(at: index(of: key)).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
        superDecoder(named: JSONPathKey(stringValue: "super"))
    }

    func superDecoder(forKey key: Key) -> any Decoder { superDecoder(named: key) }

    /// Returns a decoder for the key's value; for a missing key, one that decodes null.
    private func superDecoder(named key: any CodingKey) -> any Decoder {
        let index = document.value(of: key.stringValue, in: object, depth: Int(depth))
        guard let index else {
            return document.missingValue(at: codingPath + [key])
        }
        return decoder(at: index)
    }

    private func decoder(at index: Int) -> JSONTapeDecoder {
        JSONTapeDecoder(document, at: index, depth: innerDepth)
    }
}
