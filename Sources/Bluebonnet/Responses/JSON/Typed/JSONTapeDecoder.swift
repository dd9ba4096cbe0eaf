import Foundation

/// Decodes one value of a document.
///
/// It has two words, so `any Decoder` stores it without an allocation.
struct JSONTapeDecoder: Decoder, SingleValueDecodingContainer {
    private let document: JSONTapeDocument
    private let place: UInt32
    private let depth: UInt32

    @inline(__always)
    init(_ document: JSONTapeDocument, at index: Int, depth: Int) {
        self.document = document
        // simdjson limits a tape to 2^32 words.
        place = UInt32(truncatingIfNeeded: index)
        self.depth = UInt32(truncatingIfNeeded: depth)
    }

    private var index: Int { Int(place) }

    var codingPath: [any CodingKey] { document.codingPath(to: index) }
    var userInfo: [CodingUserInfoKey: Any] { document.options.userInfo }

    func container<Key: CodingKey>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        guard document.tape.kind(at: index) == .object else {
            throw document.containerMismatch([String: Any].self, at: index)
        }
        return KeyedDecodingContainer(
            TapeObject<Key>(document, at: index, depth: Int(depth)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard document.tape.kind(at: index) == .array else {
            throw document.containerMismatch([Any].self, at: index)
        }
        return TapeArray(document, at: index, depth: Int(depth))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { document.isNull(at: index) }
    // The standard library has defaults for these two types. The generic method serves all others.
    func decode(_ type: Int128.Type) throws -> Int128 { try document.integer(type, at: index) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try document.integer(type, at: index) }

    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try document.decode(type, at: index, depth: Int(depth))
    }
}

extension JSONTapeDocument {
    @inline(never)
    func containerMismatch(_ type: any Any.Type, at index: Int) -> DecodingError {
        guard isNull(at: index) else { return mismatch(type, at: index) }
        let form = type == [Any].self ? "unkeyed" : "keyed"
        return .valueNotFound(
            type,
            .init(
                codingPath: codingPath(to: index),
                debugDescription:
                    "Cannot get \(form) decoding container -- found null value instead"))
    }
}
