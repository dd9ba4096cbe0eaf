import BluebonnetTestSupport
import Testing

@testable import BluebonnetTransport

@Suite("Decoding hostile bodies")
struct DecodingLimitsTests {
    @Test(
        "A bomb fills one output buffer per call and takes input only for it",
        arguments: [31, 15, -15])
    func bomb(windowBits: Int32) throws {
        let size = 50_000_000
        let body = deflated([UInt8](repeating: 0, count: size), windowBits: windowBits)
        let contentEncoding = windowBits == 31 ? "gzip" : "deflate"
        let decoder = try #require(try ContentDecoder.make(contentEncoding: contentEncoding))
        var output = [UInt8](repeating: 1, count: 64 * 1024)
        var total = 0
        try body.withUnsafeBytes {
            var input = $0
            var written = 0
            repeat {
                let left = input.count
                written = try output.withUnsafeMutableBytes {
                    try decoder.decode(&input, into: $0)
                }
                total += written
                // Deflate compresses at most 1032:1, so this is about the input for one buffer.
                if left - input.count > 256 { Issue.record("one call took too much input") }
            } while written == output.count
            #expect(input.isEmpty)
        }
        try decoder.finish()
        #expect(total == size)
    }

    @Test("A bomb inside a bomb fills one output buffer per call")
    func nestedBomb() throws {
        let inner = deflated([UInt8](repeating: 0, count: 50_000_000), windowBits: 31)
        let body = deflated(inner, windowBits: 31)
        let decoded = try decode(
            pieces: [body], contentEncoding: "gzip, gzip", outputSize: 1000, limit: 100_000)
        #expect(decoded.count == 100_000)
    }

    @Test(
        "A chained coding that takes far more than it produces is refused",
        arguments: [DecodingSample.gzip, .zlib, .rawDeflate, .brotli])
    func fruitlessChain(sample: DecodingSample) {
        let junk = [UInt8](repeating: 0, count: 50_000_000)
        let body = deflated(sample.body + junk, windowBits: 31)
        let error = decodingError(body, contentEncoding: "\(sample.contentEncoding), gzip")
        #expect(error?.corruptCoding == sample.contentEncoding)
    }

    @Test("Junk after a chained coding is ignored up to a limit")
    func moderateJunk() throws {
        let junk = [UInt8](repeating: 0, count: 500_000)
        let body = deflated(DecodingSample.brotli.body + junk, windowBits: 31)
        #expect(try decode(body, contentEncoding: "br, gzip") == DecodingSample.text)
    }

    @Test("Random and damaged bodies end in an error or in output, never in a crash")
    func fuzz() throws {
        var generator = SeededGenerator(seed: 2024)
        let chains = ["gzip, gzip", "br, zstd", "zstd, deflate, gzip", "gzip, br"]
        var failures = 0
        for round in 0..<100_000 {
            var body: [UInt8]
            var contentEncoding: String
            let sample = DecodingSample.all[round % DecodingSample.all.count]
            contentEncoding = sample.contentEncoding
            if round % 2 == 0 {
                body = sample.body
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let index = Int.random(in: body.indices, using: &generator)
                    body[index] = UInt8.random(in: 0...255, using: &generator)
                }
            } else {
                let count = Int.random(in: 0...48, using: &generator)
                body = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                if round % 11 == 0 {
                    contentEncoding = chains[round % chains.count]
                } else {
                    body = sample.body.prefix(Int.random(in: 0...12, using: &generator)) + body
                }
            }
            let split = Int.random(in: 0...body.count, using: &generator)
            do {
                _ = try decode(
                    pieces: [Array(body[..<split]), Array(body[split...])],
                    contentEncoding: contentEncoding,
                    outputSize: Int.random(in: 64...1024, using: &generator), limit: 1 << 16)
            } catch is ContentDecodingError {
                failures += 1
            }
        }
        #expect(failures > 50_000)
    }
}
