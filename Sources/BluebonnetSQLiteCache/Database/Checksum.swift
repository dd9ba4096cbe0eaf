import Foundation

extension Data {
    /// A number that shows whether bytes have changed by accident.
    ///
    /// A page of the database that was overwritten could otherwise be served as a part of a response.
    var checksum: Int {
        withUnsafeBytes { bytes in
            var sum = UInt64(truncatingIfNeeded: bytes.count) ^ 0x9E37_79B9_7F4A_7C15
            func add(_ word: UInt64) {
                sum = (sum ^ word) &* 0xFF51_AFD7_ED55_8CCD
                sum ^= sum >> 29
            }
            let wholeCount = bytes.count & ~7
            for offset in stride(from: 0, to: wholeCount, by: 8) {
                add(
                    UInt64(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            }
            var rest: UInt64 = 0
            for byte in bytes[wholeCount...] { rest = rest << 8 | UInt64(byte) }
            add(rest)
            return Int(truncatingIfNeeded: sum)
        }
    }
}
