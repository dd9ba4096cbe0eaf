import Foundation

/// The ASCII characters of a form that are not escaped.
///
/// A space is never one of them, because ``QueryEncoding/SpaceStyle`` determines its escape.
/// Characters beyond ASCII are always escaped, because a URL cannot contain them (RFC 3986).
package struct UnescapedCharacters: Sendable {
    /// One bit for each byte from 0 to 63; `high` has the bits for 64 to 127.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init(_ characters: CharacterSet) {
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
