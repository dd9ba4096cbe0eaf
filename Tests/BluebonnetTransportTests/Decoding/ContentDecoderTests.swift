import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

@Suite("Content decoder")
struct ContentDecoderTests {
    @Test(
        "A body is decoded with any sizes of pieces and output buffers",
        arguments: DecodingSample.all, [1, 2, 7, .max])
    func roundTrip(sample: DecodingSample, pieceSize: Int) throws {
        for outputSize in [1, 3, 599, 600, 601, 4096] {
            let decoded = try decode(
                sample.body, contentEncoding: sample.contentEncoding, pieceSize: pieceSize,
                outputSize: outputSize)
            #expect(decoded == DecodingSample.text, "output buffer of \(outputSize)")
        }
    }

    @Test("A body cut at any position is truncated", arguments: DecodingSample.all)
    func truncation(sample: DecodingSample) {
        for count in 1..<sample.body.count {
            for pieceSize in [1, .max] {
                let error = decodingError(
                    Array(sample.body.prefix(count)), contentEncoding: sample.contentEncoding,
                    pieceSize: pieceSize)
                #expect(error == .truncated(coding: sample.contentEncoding), "cut at \(count)")
            }
        }
    }

    @Test(
        "An empty body is complete",
        arguments: ["gzip", "deflate", "br", "zstd", "br, gzip"])
    func emptyBody(contentEncoding: String) throws {
        #expect(try decode([], contentEncoding: contentEncoding) == [])
        #expect(try decode(pieces: [[], []], contentEncoding: contentEncoding) == [])
    }

    @Test("Calls without input within a body have no effect", arguments: DecodingSample.all)
    func idleCalls(sample: DecodingSample) throws {
        let idle = [[UInt8]](repeating: [], count: 40)
        let half = sample.body.count / 2
        let decoded = try decode(
            pieces: idle + [Array(sample.body[..<half])] + idle + [Array(sample.body[half...])]
                + idle,
            contentEncoding: sample.contentEncoding)
        #expect(decoded == DecodingSample.text)
    }

    @Test("An empty output buffer takes no input", arguments: DecodingSample.all)
    func emptyOutput(sample: DecodingSample) throws {
        let decoder = try #require(
            try ContentDecoder.make(contentEncoding: sample.contentEncoding))
        try sample.body.withUnsafeBytes {
            var input = $0
            let output = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            let written = try decoder.decode(&input, into: output)
            #expect(written == 0)
            #expect(input.count == sample.body.count)
        }
    }

    @Test("A failed decoder keeps throwing the same error")
    func stickyFailure() throws {
        let decoder = try #require(try ContentDecoder.make(contentEncoding: "zstd"))
        let failure = ContentDecodingError.corrupt(coding: "zstd", detail: "no frame starts here")
        var memory = [UInt8](repeating: 0, count: 64)
        for body in [Array("junk".utf8), DecodingSample.zstd.body] {
            body.withUnsafeBytes { body in
                memory.withUnsafeMutableBytes { memory in
                    var input = body
                    #expect(throws: failure) { try decoder.decode(&input, into: memory) }
                }
            }
        }
        #expect(throws: failure) { try decoder.finish() }
    }

    @Test("Two codings are removed in the reverse order of their application")
    func chains() throws {
        let text = DecodingSample.text
        let brotliOfGzip = bytes(
            hex: """
                8b43801f8b08000000000002037dd1310e80200c05d0dd53f404461011566f224ad40469027a7f1d1d\
                fa9d9b97f6f74fe98e81738e57a58e42623e694e9c37baf64885e7958efc4e164e7c97da36d3072808\
                940c340446063d045e06069f64653140a1075958287ab063c4b9410e078505aff25038d086c285ab0e\
                55fed3b9feec7900ac5316e35802000003
                """)
        let bodies = [
            "gzip, br": brotliOfGzip,
            "br, gzip": deflated(DecodingSample.brotli.body, windowBits: 31),
            "zstd, gzip": deflated(DecodingSample.zstd.body, windowBits: 31),
            "gzip, zstd": zstandardFrame(DecodingSample.gzip.body),
            "gzip, deflate, zstd, gzip": deflated(
                zstandardFrame(deflated(DecodingSample.gzip.body, windowBits: -15)),
                windowBits: 31),
        ]
        for (contentEncoding, body) in bodies {
            for (pieceSize, outputSize) in [(1, 4096), (.max, 1), (.max, 4096), (5, 3)] {
                let decoded = try decode(
                    body, contentEncoding: contentEncoding, pieceSize: pieceSize,
                    outputSize: outputSize)
                #expect(decoded == text, "\(contentEncoding) \(pieceSize) \(outputSize)")
            }
        }
    }

    @Test("A chain decodes content larger than its buffers")
    func largeChain() throws {
        var generator = SeededGenerator(seed: 11)
        let content = (0..<300_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let body = zstandardFrame(deflated(content, windowBits: 31))
        for outputSize in [1000, 32 * 1024, 1 << 20] {
            let decoded = try decode(
                body, contentEncoding: "gzip, zstd", pieceSize: 10_000, outputSize: outputSize)
            #expect(decoded == content)
        }
    }

    @Test("A chain reports truncation of either coding")
    func chainTruncation() {
        let cutInside = deflated(Array(DecodingSample.brotli.body.dropLast()), windowBits: 31)
        #expect(
            decodingError(cutInside, contentEncoding: "br, gzip") == .truncated(coding: "br"))
        let cutOutside = Array(deflated(DecodingSample.brotli.body, windowBits: 31).dropLast())
        #expect(
            decodingError(cutOutside, contentEncoding: "br, gzip") == .truncated(coding: "gzip"))
        let nothingInside = deflated([], windowBits: 31)
        #expect(
            decodingError(nothingInside, contentEncoding: "br, gzip") == .truncated(coding: "br"))
    }
}
