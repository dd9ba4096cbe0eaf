import Testing

@testable import BluebonnetTransport

@Suite("Brotli decoding")
struct BrotliDecodingTests {
    @Test("An empty stream of one byte is complete")
    func emptyStream() throws {
        #expect(try decode([0x3b], contentEncoding: "br") == [])
    }

    @Test("Bytes after the stream are ignored")
    func trailingBytes() throws {
        let sample = DecodingSample.brotli
        for pieceSize in [1, .max] {
            let decoded = try decode(
                sample.body + sample.body, contentEncoding: "br", pieceSize: pieceSize)
            #expect(decoded == DecodingSample.text)
        }
    }

    @Test("A reserved window size is corrupt")
    func reservedWindow() {
        let error = decodingError([0x11, 0, 0, 0], contentEncoding: "br")
        #expect(error?.corruptCoding == "br")
    }

    @Test("A large-window stream is refused")
    func largeWindow() {
        let error = decodingError([0x11, 0x1e, 3, 0], contentEncoding: "br")
        #expect(error?.corruptCoding == "br")
    }

    @Test("Fifty megabytes of zeros fit in eighty bytes and are decoded one buffer at a time")
    func zeros() throws {
        let body = bytes(
            hex: """
                cbffff3ff82700e2b14020f7fe8fffff7ff04f00c4611180eefd1fffffffe09f0088c30200ddfb3ffe\
                ffffc13f0110870500baf77ffcffff837f02200e0b0074effff20f5e0fff04401c1600e8a0eb01
                """)
        let decoded = try decode(body, contentEncoding: "br", outputSize: 100_000)
        #expect(decoded.count == 50_000_000)
        #expect(decoded.allSatisfy { $0 == 0 })
    }
}
