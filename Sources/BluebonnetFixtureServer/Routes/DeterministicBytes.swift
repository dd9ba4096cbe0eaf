/// The bytes of `/bytes/N` and similar routes.
///
/// The byte at offset i is i modulo 251. The period is prime, so a lost, duplicated or moved piece
/// of any usual buffer size changes the bytes.
public enum DeterministicBytes {
    private static let period = 251
    static let blockSize = period * 256
    private static let block = (0..<blockSize).map { UInt8($0 % period) }

    /// Returns the first `count` bytes of the sequence.
    ///
    /// A client should receive these bytes as the body of `/bytes/count`.
    public static func prefix(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, count))
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        return bytes
    }

    /// Returns whether these bytes match the sequence.
    ///
    /// The comparison starts at an offset in the sequence; default 0, its beginning.
    public static func matches(_ bytes: [UInt8], from offset: Int = 0) -> Bool {
        var expected = offset % period
        return bytes.withUnsafeBufferPointer { buffer in
            for byte in buffer {
                guard Int(byte) == expected else { return false }
                expected = expected == period - 1 ? 0 : expected + 1
            }
            return true
        }
    }

    static func byte(at offset: Int) -> UInt8 { UInt8(offset % period) }

    /// Returns block number `index` of a body of `total` bytes, or nil past its end.
    static func block(_ index: Int, ofTotal total: Int) -> [UInt8]? {
        // The offset of a distant block could overflow, so block counts are compared instead.
        guard index < total / blockSize + (total % blockSize == 0 ? 0 : 1) else { return nil }
        let remaining = total - index * blockSize
        return remaining >= blockSize ? block : Array(block.prefix(remaining))
    }
}
