/// The bytes that `/bytes/N` and its relatives serve.
///
/// The byte at offset i is i modulo 251. The period is prime, so that a piece lost, doubled or
/// moved by any usual buffer size shows.
public enum DeterministicBytes {
    private static let period = 251
    static let blockSize = period * 256
    private static let block = (0..<blockSize).map { UInt8($0 % period) }

    /// The first `count` bytes of the sequence.
    ///
    /// It is what a client should have received as the body of `/bytes/count`.
    public static func prefix(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, count))
        while bytes.count < count { bytes += block.prefix(count - bytes.count) }
        return bytes
    }

    /// Whether these bytes are the beginning of the sequence.
    ///
    /// With an offset they are compared with the part of the sequence that starts there.
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

    /// Block number `index` of a body of `total` bytes, or nil behind its end.
    static func block(_ index: Int, ofTotal total: Int) -> [UInt8]? {
        // Compared by division, because the offset of a far block could overflow.
        guard index < total / blockSize + (total % blockSize == 0 ? 0 : 1) else { return nil }
        let remaining = total - index * blockSize
        return remaining >= blockSize ? block : Array(block.prefix(remaining))
    }
}
