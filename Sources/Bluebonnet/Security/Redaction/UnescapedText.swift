/// A text without the escapes of JSON, URLs, XML and HTML.
///
/// It allows comparing texts with different escapes. Nested escapes are removed too. Letters are
/// lowercase, and `+` is a space, as in a form.
struct UnescapedText {
    private(set) var bytes: [UInt8]
    /// The range in the text's UTF-8 that each byte comes from.
    private(set) var places: [Range<Int>]

    /// The maximum nesting of escapes that are removed.
    private static let greatestDepth = 4

    init(_ text: String) {
        bytes = Array(text.utf8)
        places = bytes.indices.map { $0..<($0 + 1) }
        var depth = 0
        while depth < Self.greatestDepth, unescape() { depth += 1 }
        for index in bytes.indices {
            bytes[index] = bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index].asciiLowercased
        }
    }

    /// Removes one layer of escapes, and returns false if there was none.
    private mutating func unescape() -> Bool {
        guard bytes.contains(where: { "\\%&".utf8.contains($0) }) else { return false }
        var (plain, plainPlaces): ([UInt8], [Range<Int>]) = ([], [])
        var index = 0
        while index < bytes.count {
            let escape = EscapeSequence(at: bytes[index...])
            let end = index + (escape?.length ?? 1)
            let place = places[index].lowerBound..<places[end - 1].upperBound
            for byte in escape?.bytes ?? [bytes[index]] {
                plain.append(byte)
                plainPlaces.append(place)
            }
            index = end
        }
        defer { (bytes, places) = (plain, plainPlaces) }
        return plain.count < bytes.count
    }
}
