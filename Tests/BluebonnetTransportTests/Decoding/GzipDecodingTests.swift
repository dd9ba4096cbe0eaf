import Testing

@testable import BluebonnetTransport

@Suite("Gzip decoding")
struct GzipDecodingTests {
    private let member = DecodingSample.gzip.body
    private let text = DecodingSample.text

    @Test("Members are decoded in sequence wherever the input is split")
    func twoMembers() throws {
        let body = member + member
        for split in 0...body.count {
            let decoded = try decode(
                pieces: [Array(body[..<split]), Array(body[split...])], contentEncoding: "gzip")
            #expect(decoded == text + text, "split at \(split)")
        }
        let decoded = try decode(body, contentEncoding: "gzip", pieceSize: 1, outputSize: 1)
        #expect(decoded == text + text)
    }

    @Test("An incomplete second member is truncated")
    func truncatedSecondMember() {
        for count in 1..<member.count {
            let body = member + Array(member.prefix(count))
            #expect(
                decodingError(body, contentEncoding: "gzip") == .truncated(coding: "gzip"),
                "cut at \(count)")
        }
    }

    @Test(
        "Bytes after the last member that are not a gzip header are ignored",
        arguments: [[0], [0, 0, 0, 0], [0x1f, 0], [0x1f, 0x8b, 9, 0, 1], Array("trailing".utf8)])
    func trailingBytes(junk: [UInt8]) throws {
        for body in [member + junk, member + junk + member] {
            for pieceSize in [1, 5, .max] {
                let decoded = try decode(body, contentEncoding: "gzip", pieceSize: pieceSize)
                #expect(decoded == text)
            }
        }
    }

    @Test("A body without a gzip header is corrupt")
    func missingHeader() {
        let error = decodingError(Array("plain text".utf8), contentEncoding: "gzip")
        #expect(error == .corrupt(coding: "gzip", detail: "incorrect header check"))
    }

    @Test("A wrong checksum or length is corrupt")
    func wrongTrailer() {
        for (offset, detail) in [(8, "incorrect data check"), (4, "incorrect length check")] {
            var body = member
            body[body.count - offset] ^= 1
            let expected = ContentDecodingError.corrupt(coding: "gzip", detail: detail)
            #expect(decodingError(body, contentEncoding: "gzip") == expected)
            #expect(decodingError(member + body, contentEncoding: "gzip") == expected)
        }
    }

    @Test("Damage to any byte after the header is an error")
    func damage() {
        for index in 10..<member.count {
            var body = member
            // The lowest bit, because the last deflate byte ends in unchecked padding.
            body[index] ^= 1
            #expect(decodingError(body, contentEncoding: "gzip") != nil, "byte \(index)")
        }
    }

    @Test("A header with a file name, as written by the gzip tool, is accepted")
    func fileName() throws {
        let body = bytes(
            hex: "1f8b0808d5fb006b00036e616d652e74787400cbc8e402007a7a6fed03000000")
        #expect(try decode(body, contentEncoding: "gzip") == Array("hi\n".utf8))
    }
}
