/// The CRC-32 of gzip (RFC 1952).
struct CRC32: Sendable {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1
        }
    }

    private var register: UInt32 = 0xFFFF_FFFF

    var value: UInt32 { ~register }

    mutating func update(_ bytes: [UInt8]) {
        register = Self.table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { buffer in
                var register = register
                for byte in buffer {
                    register = table[Int((register ^ UInt32(byte)) & 0xFF)] ^ (register >> 8)
                }
                return register
            }
        }
    }
}

/// The Adler-32 of zlib (RFC 1950).
enum Adler32 {
    private static let modulus: UInt32 = 65_521

    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % modulus
            high = (high + low) % modulus
        }
        return high << 16 | low
    }
}
