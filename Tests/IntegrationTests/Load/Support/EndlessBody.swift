import Bluebonnet
import BluebonnetFixtureServer

/// An endless body in a content coding, in which the server sends few bytes for at least 64 KiB.
enum EndlessBody: String, CaseIterable, Sendable {
    case identity, gzip, zstd

    /// The bytes that are sent once, before the blocks.
    private var start: [UInt8] {
        switch self {
        case .identity: []
        case .gzip: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        // No length, and a window of 512 KiB (RFC 8878 section 3.1.1.1).
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x48]
        }
    }

    /// The bytes that are sent repeatedly.
    private var block: [UInt8] {
        switch self {
        case .identity: [UInt8](repeating: 7, count: 64 * 1024)
        case .gzip: Self.deflateBlock
        // One byte repeated 128 Ki times (RFC 8878 section 3.1.1.2.2).
        case .zstd: [0x02, 0x00, 0x10, 0x61]
        }
    }

    /// A block of one literal and 254 repetitions of it, 258 bytes each, with the fixed codes (RFC
    /// 1951 section 3.2.6).
    ///
    /// An empty stored block follows, so that the next block starts at a byte boundary.
    private static var deflateBlock: [UInt8] {
        var bits = "010" + "10010001"
        bits += String(repeating: "11000101" + "00000", count: 254)
        // The end of the block, then a stored block. Neither is the last.
        bits += "0000000" + "000"
        bits += String(repeating: "0", count: (8 - bits.count % 8) % 8)
        let digits = Array(bits.utf8)
        let bytes = stride(from: 0, to: digits.count, by: 8).map { start in
            digits[start..<start + 8].reversed().reduce(UInt8(0)) { $0 << 1 | ($1 & 1) }
        }
        return bytes + [0x00, 0x00, 0xFF, 0xFF]
    }

    /// Returns a response that ends with its connection, and stores in `sent` how many bytes the
    /// server passed to the kernel.
    func reply(counting sent: Locked<Int>) -> FixtureReply {
        let block = block
        let piece = Array(repeatElement(block, count: max(1, 16 * 1024 / block.count)).joined())
        let coding = self == .identity ? "" : "Content-Encoding: \(rawValue)\r\n"
        let head = "HTTP/1.1 200 OK\r\nConnection: close\r\n\(coding)\r\n"
        return .script([
            .send(Array(head.utf8) + start),
            // A step is requested when everything before it has been sent.
            .generate { index in
                sent.withLock { $0 = index * piece.count }
                return [.send(piece)]
            },
        ])
    }
}
