/// A text without the escapes of JSON, URLs, XML and HTML, for two to be compared that were escaped
/// in different ways.
///
/// Escapes of escapes are undone too. Letters are in lower case, and `+` is a space, as in a form.
struct UnescapedText {
    private(set) var bytes: [UInt8]
    /// Where in the text's UTF-8 each byte comes from.
    private(set) var places: [Range<Int>]

    /// Deeper escapes stay as they are.
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

    /// Undoes one layer of escapes; false when there was none.
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
