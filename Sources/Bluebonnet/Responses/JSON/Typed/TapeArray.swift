import Foundation

/// The elements of an array in a document.
///
/// It has three words, so `any UnkeyedDecodingContainer` stores it without an allocation.
struct TapeArray: UnkeyedDecodingContainer {
    private let document: JSONTapeDocument
    private let place: UInt32
    /// The index of the next element.
    private var next: UInt32
    private var position: UInt32 = 0
    private let depth: UInt32

    @inline(__always)
    init(_ document: JSONTapeDocument, at index: Int, depth: Int) {
        self.document = document
        place = UInt32(truncatingIfNeeded: index)
        next = place + 1
        self.depth = UInt32(truncatingIfNeeded: depth)
    }

    private var array: Int { Int(place) }

    var codingPath: [any CodingKey] { document.codingPath(to: array) }
    var count: Int? { document.elementCount(of: array) }
    var currentIndex: Int { Int(position) }
    var isAtEnd: Bool { Int(next) >= document.tape.end(of: array) }

    // MARK: Values
    // The generic methods also serve scalar types, unless the standard library has its own default.

    /// Moves to the next element after `read` has returned.
    @inline(__always)
    private mutating func take<T>(
        _ type: any Any.Type, _ read: (JSONTapeDocument, _ index: Int) throws -> T
    ) throws -> T {
        guard !isAtEnd else { throw ended(type) }
        let value = try read(document, Int(next))
        advance()
        return value
    }

    /// Moves on even if the element is null or the array has ended.
    @inline(__always)
    private mutating func takeIfPresent<T>(
        _ read: (JSONTapeDocument, _ index: Int) throws -> T
    ) throws -> T? {
        let isPresent = !isAtEnd && !document.isNull(at: Int(next))
        let value = isPresent ? try read(document, Int(next)) : nil
        advance()
        return value
    }

    private mutating func advance() {
        if !isAtEnd {
            next = UInt32(truncatingIfNeeded: document.tape.next(after: Int(next)))
        }
        position += 1
    }

    @inline(never)
    private func ended(_ type: any Any.Type) -> DecodingError {
        .valueNotFound(
            type,
            .init(
                codingPath: codingPath + [JSONPathKey(intValue: currentIndex)],
                debugDescription: "Unkeyed container is at end."))
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw ended(Never.self) }
        guard document.isNull(at: Int(next)) else { return false }
        advance()
        return true
    }

    @inline(__always)
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let depth = innerDepth
        return try take(type) { try $0.decode(type, at: $1, depth: depth) }
    }

    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        let depth = innerDepth
        return try takeIfPresent { try $0.decode(type, at: $1, depth: depth) }
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        try take(type) { try $0.integer(type, at: $1) }
    }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try take(type) { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? {
        try takeIfPresent { try $0.bool(at: $1) }
    }

    mutating func decodeIfPresent(_ type: String.Type) throws -> String? {
        try takeIfPresent { try $0.string(at: $1) }
    }

    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? {
        try takeIfPresent { try $0.double(at: $1) }
    }

    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? {
        try takeIfPresent { try $0.float(at: $1) }
    }

    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? {
        try takeIfPresent { try $0.integer(type, at: $1) }
    }

    // MARK: Containers

    private var innerDepth: Int { Int(depth) + 1 }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let depth = innerDepth
        return try take(KeyedDecodingContainer<NestedKey>.self) {
            try JSONTapeDecoder($0, at: $1, depth: depth).container(keyedBy: type)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let depth = innerDepth
        return try take((any UnkeyedDecodingContainer).self) {
            try JSONTapeDecoder($0, at: $1, depth: depth).unkeyedContainer()
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        let depth = innerDepth
        return try take((any Decoder).self) { JSONTapeDecoder($0, at: $1, depth: depth) }
    }
}
