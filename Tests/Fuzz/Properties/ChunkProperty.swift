@testable import BluebonnetTransport

/// The property that a chunked body is read as RFC 9112 section 7.1 defines, in pieces of any size.
enum ChunkProperty {
    static func check(_ bytes: [UInt8]) throws {
        var input = FuzzInput(bytes)
        let largestLine = input.choice([8, 40, 8192])
        let cuts = (0..<3).map { _ in Int(input.byte()) }
        let message = Array(input.rest)
        let reference = try ChunkReference(message, largestLine: largestLine)
        for sizes in [[message.count], cuts, [1]] {
            let found = Reading(of: message, inPieces: sizes, largestLine: largestLine)
            try require(found.body == reference.body, "wrong body: \(message)")
            switch reference.end {
            case .whole(let count):
                try require(!found.hasFailed, "a valid body is rejected: \(message)")
                try require(found.isWhole, "the body does not end: \(message)")
                try require(found.count == count, "wrong end: \(message)")
                try require(found.trailer == reference.trailer, "wrong trailer: \(message)")
            case .cutOff(let mayGoOn):
                try require(!found.isWhole, "the body ends too early: \(message)")
                try require(!found.hasFailed || !mayGoOn, "a rejected beginning: \(message)")
            case .malformed:
                try require(found.hasFailed, "a malformed body is accepted: \(message)")
            }
        }
    }

    /// The result of decoding a message in pieces of these sizes.
    private struct Reading {
        private(set) var body: [UInt8] = []
        private(set) var trailer: [[UInt8]] = []
        private(set) var count = 0
        private(set) var hasFailed = false
        let isWhole: Bool

        init(of message: [UInt8], inPieces sizes: [Int], largestLine: Int) {
            var decoder = ChunkDecoder(largestLine: largestLine)
            var (body, trailer): ([UInt8], [[UInt8]]) = ([], [])
            var (start, piece) = (0, 0)
            while start < message.count, !hasFailed, !decoder.isAtEnd {
                // A size of zero would never reach the end.
                let end = min(message.count, start + max(1, sizes[piece % sizes.count]))
                do {
                    count += try message[start..<end].withUnsafeBytes { bytes in
                        try decoder.take(
                            bytes, data: { body += $0 }, trailer: { trailer.append(Array($0)) })
                    }
                } catch {
                    hasFailed = true
                }
                (start, piece) = (end, piece + 1)
            }
            (self.body, self.trailer, isWhole) = (body, trailer, decoder.isAtEnd)
        }
    }
}
