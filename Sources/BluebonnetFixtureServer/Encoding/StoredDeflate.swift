/// Deflate streams of stored (uncompressed) blocks, with their gzip and zlib wrappers.
///
/// Stored blocks are valid deflate (RFC 1951 section 3.2.4), so the server can test a client's
/// decoder without a compressor.
enum StoredDeflate {
    static let gzipHeader: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    static let zlibHeader: [UInt8] = [0x78, 0x01]
    static let blockHeaderSize = 5
    static let gzipTrailerSize = 8

    /// Returns a stored block of at most 65,535 bytes.
    static func block(_ bytes: [UInt8], isFinal: Bool) -> [UInt8] {
        let length = UInt16(truncatingIfNeeded: bytes.count)
        return [isFinal ? 1 : 0] + littleEndian(length) + littleEndian(~length) + bytes
    }

    static func gzipTrailer(crc: CRC32, count: Int) -> [UInt8] {
        littleEndian(crc.value) + littleEndian(UInt32(truncatingIfNeeded: count))
    }

    static func zlibTrailer(of bytes: [UInt8]) -> [UInt8] {
        littleEndian(Adler32.checksum(bytes)).reversed()
    }

    private static func littleEndian<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
        (0..<Integer.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Integer($0 * 8)) }
    }
}
