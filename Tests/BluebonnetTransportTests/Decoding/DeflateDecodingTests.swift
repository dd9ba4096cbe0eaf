import Testing

@testable import BluebonnetTransport

@Suite("Deflate decoding")
struct DeflateDecodingTests {
    @Test(
        "Either framing is recognized wherever the input is split",
        arguments: [DecodingSample.zlib, .rawDeflate])
    func split(sample: DecodingSample) throws {
        for split in 0...sample.body.count {
            let decoded = try decode(
                pieces: [Array(sample.body[..<split]), Array(sample.body[split...])],
                contentEncoding: "deflate")
            #expect(decoded == DecodingSample.text, "split at \(split)")
        }
    }

    @Test("An empty stream of two bytes without framing is complete")
    func shortestRawStream() throws {
        for pieceSize in [1, 2] {
            let decoded = try decode([3, 0], contentEncoding: "deflate", pieceSize: pieceSize)
            #expect(decoded == [])
        }
    }

    @Test("A stored block without framing whose first byte looks like a zlib method is decoded")
    func rawStreamLikeZlib() throws {
        // The five bits after a stored block's type are padding and can have any value.
        let body: [UInt8] = [0x78, 2, 0, 0xfd, 0xff, 0x68, 0x69, 3, 0]
        #expect(try decode(body, contentEncoding: "deflate") == Array("hi".utf8))
    }

    @Test("Bytes after the stream are ignored", arguments: [DecodingSample.zlib, .rawDeflate])
    func trailingBytes(sample: DecodingSample) throws {
        for pieceSize in [1, .max] {
            let decoded = try decode(
                sample.body + [0x78, 0x9c, 7], contentEncoding: "deflate", pieceSize: pieceSize)
            #expect(decoded == DecodingSample.text)
        }
    }

    @Test("Damage to any byte of a zlib stream after its header is an error")
    func damage() {
        for index in 2..<DecodingSample.zlib.body.count {
            var body = DecodingSample.zlib.body
            // The lowest bit, because the last deflate byte ends in unchecked padding.
            body[index] ^= 1
            #expect(decodingError(body, contentEncoding: "deflate") != nil, "byte \(index)")
        }
    }

    @Test("An invalid block type without framing is corrupt")
    func invalidBlockType() {
        for pieceSize in [1, .max] {
            let error = decodingError([7, 0], contentEncoding: "deflate", pieceSize: pieceSize)
            #expect(error == .corrupt(coding: "deflate", detail: "invalid block type"))
        }
    }

    @Test("A stream that needs a preset dictionary is refused")
    func presetDictionary() {
        let error = decodingError([0x78, 0xbb, 0, 0, 0, 1, 3, 0], contentEncoding: "deflate")
        #expect(error == .corrupt(coding: "deflate", detail: "it needs a preset dictionary"))
    }
}
