import Foundation

/// A checksum that detects accidental changes to bytes.
///
/// It is 64-bit FNV-1a, written as 16 hexadecimal digits. It does not withstand an attacker.
struct ByteChecksum: Sendable, Hashable {
    let text: String

    init(of bytes: UnsafeRawBufferPointer) {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(value, radix: 16)
        text = String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Creates a checksum from its text; returns nil unless it is 16 lowercase hexadecimal digits.
    init?(text: String) {
        let isDigit = { (byte: UInt8) in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard text.utf8.count == 16, text.utf8.allSatisfy(isDigit) else { return nil }
        self.text = text
    }
}
