/// A reader that makes choices from the bytes of an input, and reads zeros after its end.
struct FuzzInput {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isEmpty: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func bool() -> Bool { byte() & 1 == 1 }

    mutating func choice<Value>(_ values: [Value]) -> Value {
        values[Int(byte()) % values.count]
    }

    mutating func word() -> UInt64 {
        (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) }
    }

    mutating func bytes() -> [UInt8] {
        let count = Int(byte() % 32)
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Returns text in which U+FFFD replaces invalid UTF-8.
    mutating func text() -> String { String(decoding: bytes(), as: UTF8.self) }

    /// Returns the bytes up to a separator, which is skipped, or up to the end.
    mutating func piece(before separator: UInt8) -> [UInt8] {
        let piece = rest.prefix { $0 != separator }
        rest = rest.dropFirst(piece.count + 1)
        return Array(piece)
    }
}
