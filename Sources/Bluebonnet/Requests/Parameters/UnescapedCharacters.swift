import Foundation

/// The ASCII characters of a form that stand for themselves.
///
/// A space is none of them: how it is escaped is a matter of its own. All other characters are
/// escaped, as they cannot stand in a URL (RFC 3986).
struct UnescapedCharacters: Sendable {
    /// A bit for each of the first 64 bytes, and one for each of the next.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: CharacterSet) {
        for byte in UInt8(0x21)..<0x80 where characters.contains(Unicode.Scalar(byte)) {
            if byte < 64 { low |= 1 << byte } else { high |= 1 << (byte - 64) }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<64: low & 1 << byte != 0
        case 64..<128: high & 1 << (byte - 64) != 0
        default: false
        }
    }
}
