import Foundation

/// A check value that tells whether bytes have changed; it does not withstand an attacker.
///
/// It is FNV-1a with 64 bits, written as 16 hexadecimal digits.
struct ByteChecksum: Sendable, Hashable {
    let text: String

    init(of bytes: UnsafeRawBufferPointer) {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(value, radix: 16)
        text = String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Nil for what is not 16 hexadecimal digits in lower case.
    init?(text: String) {
        let isDigit = { (byte: UInt8) in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard text.utf8.count == 16, text.utf8.allSatisfy(isDigit) else { return nil }
        self.text = text
    }
}
