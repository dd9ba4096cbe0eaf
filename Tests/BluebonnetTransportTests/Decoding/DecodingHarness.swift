import Testing

@testable import BluebonnetTransport

/// Decodes a body given in pieces, and checks the decoder's contract at every call.
func decode(
    pieces: [[UInt8]], contentEncoding: String, outputSize: Int = 4096, limit: Int = .max
) throws -> [UInt8] {
    let decoder = try #require(try ContentDecoder.make(contentEncoding: contentEncoding))
    let guardByte: UInt8 = 0xa5
    var memory = [UInt8](repeating: guardByte, count: outputSize + 1)
    var decoded: [UInt8] = []
    for piece in pieces {
        try piece.withUnsafeBytes { piece in
            var input = piece
            var written = outputSize
            while written == outputSize && decoded.count < limit {
                written = try memory.withUnsafeMutableBytes {
                    let output = UnsafeMutableRawBufferPointer(rebasing: $0.prefix(outputSize))
                    return try decoder.decode(&input, into: output)
                }
                decoded += memory.prefix(written)
            }
            if written < outputSize && !input.isEmpty { Issue.record("input was left over") }
        }
    }
    if memory[outputSize] != guardByte { Issue.record("bytes were written past the output") }
    if decoded.count < limit { try decoder.finish() }
    return decoded
}

/// Decodes a body given in pieces of one size.
func decode(
    _ body: [UInt8], contentEncoding: String, pieceSize: Int = .max, outputSize: Int = 4096
) throws -> [UInt8] {
    let size = min(pieceSize, max(body.count, 1))
    let pieces = stride(from: 0, to: body.count, by: size).map {
        Array(body[$0..<min($0 + size, body.count)])
    }
    return try decode(pieces: pieces, contentEncoding: contentEncoding, outputSize: outputSize)
}

/// Returns the error that decoding a body ends with, or nil if it succeeds.
func decodingError(
    _ body: [UInt8], contentEncoding: String, pieceSize: Int = .max
) -> ContentDecodingError? {
    do {
        _ = try decode(body, contentEncoding: contentEncoding, pieceSize: pieceSize)
        return nil
    } catch let error as ContentDecodingError {
        return error
    } catch {
        Issue.record("unexpected error \(error)")
        return nil
    }
}

extension ContentDecodingError {
    /// The coding whose bytes are corrupt, or nil for any other error.
    var corruptCoding: String? {
        guard case .corrupt(let coding, _) = self else { return nil }
        return coding
    }
}
