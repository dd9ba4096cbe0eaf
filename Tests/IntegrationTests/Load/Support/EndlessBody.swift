import Bluebonnet
import BluebonnetFixtureServer

/// A body without end, in a content coding, of which every 64 KiB or more cost the server few bytes.
enum EndlessBody: String, CaseIterable, Sendable {
    case identity, gzip, zstd

    /// What comes once, before the blocks.
    private var start: [UInt8] {
        switch self {
        case .identity: []
        case .gzip: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        // No length, a window of 512 KiB (RFC 8878, 3.1.1.1).
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x48]
        }
    }

    /// What comes over and over.
    private var block: [UInt8] {
        switch self {
        case .identity: [UInt8](repeating: 7, count: 64 * 1024)
        case .gzip: Self.deflateBlock
        // One repeated byte, 128 KiB of them (RFC 8878, 3.1.1.2.2).
        case .zstd: [0x02, 0x00, 0x10, 0x61]
        }
    }

    /// A block of one literal and 254 repetitions of it, 258 bytes each, with the fixed codes (RFC
    /// 1951, 3.2.6), and an empty stored block, after which the next one begins with a whole byte.
    private static var deflateBlock: [UInt8] {
        var bits = "010" + "10010001"
        bits += String(repeating: "11000101" + "00000", count: 254)
        // The end of the block, then a stored one, both not the last.
        bits += "0000000" + "000"
        bits += String(repeating: "0", count: (8 - bits.count % 8) % 8)
        let digits = Array(bits.utf8)
        let bytes = stride(from: 0, to: digits.count, by: 8).map { start in
            digits[start..<start + 8].reversed().reduce(UInt8(0)) { $0 << 1 | ($1 & 1) }
        }
        return bytes + [0x00, 0x00, 0xFF, 0xFF]
    }

    /// A response that ends with its connection, and tells `sent` how many bytes the server gave to
    /// the kernel.
    func reply(counting sent: Locked<Int>) -> FixtureReply {
        let block = block
        let piece = Array(repeatElement(block, count: max(1, 16 * 1024 / block.count)).joined())
        let coding = self == .identity ? "" : "Content-Encoding: \(rawValue)\r\n"
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\(coding)\r\n"
        return .script([
            .send(Array(head.utf8) + start),
            // A step is asked for when all before it has been sent.
            .generate { index in
                sent.withLock { $0 = index * piece.count }
                return [.send(piece)]
            },
        ])
    }
}
