import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("The public decoder of bodies", .timeLimit(.minutes(5)))
struct BodyDecoderTests {
    private func decoder(
        _ contentEncoding: String, limits: Exchange.Limits = Exchange.Limits()
    ) throws(Exchange.Failure) -> Exchange.BodyDecoder {
        try Exchange.BodyDecoder(contentEncoding: contentEncoding, limits: limits)
    }

    private func joined(_ chunks: [Exchange.Chunk]) -> [UInt8] {
        chunks.flatMap { Array($0.data) }
    }

    @Test("every coding is removed, at once and byte by byte", arguments: DecodingSample.all)
    func samples(sample: DecodingSample) throws {
        let whole = try decoder(sample.contentEncoding)
        #expect(try joined(whole.decode(Data(sample.body))) == DecodingSample.text)
        try whole.finish()
        #expect(whole.codings == Exchange.ContentCodings(removed: [sample.contentEncoding]))
        let pieces = try decoder(sample.contentEncoding)
        var chunks: [Exchange.Chunk] = []
        for byte in sample.body { chunks += try pieces.decode(Data([byte])) }
        #expect(joined(chunks) == DecodingSample.text)
        try pieces.finish()
    }

    @Test("several codings are removed from the last to the first, also from a slice of data")
    func several() throws {
        let body = deflated(DecodingSample.gzip.body, windowBits: 15)
        let decoder = try decoder("gzip, deflate")
        let data = Data([7, 7] + body + [7])
        #expect(
            try joined(decoder.decode(data.dropFirst(2).dropLast())) == DecodingSample.text)
        try decoder.finish()
        #expect(decoder.codings?.removed == ["gzip", "deflate"])
    }

    @Test("without a coding the bytes are unchanged", arguments: ["", "identity"])
    func identity(value: String) throws {
        let decoder = try decoder(value)
        #expect(decoder.codings == nil)
        #expect(try decoder.decode(Data()).isEmpty)
        #expect(try joined(decoder.decode(Data([1, 2]))) == [1, 2])
        #expect(try joined(decoder.decode(Data([3]))) == [3])
        try decoder.finish()
    }

    @Test("an incomplete body is detected at its end, and an empty one is whole")
    func cut() throws {
        let decoder = try decoder("gzip")
        try decoder.finish()
        _ = try decoder.decode(Data(DecodingSample.gzip.body.dropLast()))
        for _ in 0..<2 {
            let failure = #expect(throws: Exchange.Failure.self) { try decoder.finish() }
            #expect(failure?.code == .cannotDecodeContentData)
        }
        #expect(throws: Exchange.Failure.self) { try decoder.decode(Data([1])) }
    }

    @Test("bytes decoded before a failure are delivered, and the failure repeats")
    func afterFailure() throws {
        let decoder = try decoder("gzip")
        var body: [UInt8] = []
        // The checksum is wrong.
        let wrong = DecodingSample.gzip.body.dropLast(8) + [0, 0, 0, 0, 0, 0, 0, 0]
        let first = #expect(throws: Exchange.Failure.self) {
            for byte in wrong { try decoder.decode(Data([byte])) { body += Array($0.data) } }
        }
        #expect(body == DecodingSample.text)
        let second = #expect(throws: Exchange.Failure.self) { try decoder.decode(Data()) }
        let last = #expect(throws: Exchange.Failure.self) { try decoder.finish() }
        #expect(first == second && first == last)
    }

    @Test("a bomb is decoded in pieces of at most 256 KiB, up to a limit")
    func bomb() throws {
        let body = Data(deflated([UInt8](repeating: 0, count: 8_000_000), windowBits: 31))
        var sizes: [Int] = []
        try decoder("gzip").decode(body) { sizes.append($0.count) }
        #expect(sizes.reduce(0, +) == 8_000_000)
        #expect(sizes.allSatisfy { $0 <= 256 * 1024 })
        for (limit, limits) in Self.limits {
            let decoder = try decoder("gzip", limits: limits)
            sizes = []
            let failure = #expect(throws: Exchange.Failure.self) {
                try decoder.decode(body) { sizes.append($0.count) }
            }
            #expect(failure?.limit == limit && failure?.code == .dataLengthExceedsMaximum)
            #expect(sizes.reduce(0, +) <= 3_000_000)
            let again = #expect(throws: Exchange.Failure.self) { try decoder.finish() }
            #expect(again == failure)
        }
    }

    private static let limits: [(Exchange.Failure.Limit, Exchange.Limits)] = [
        (.bodySize, Exchange.Limits(bodySize: 2_000_000)),
        (.encodedBodySize, Exchange.Limits(encodedBodySize: 100)),
        (.expansionRatio, Exchange.Limits(expansionRatio: 20)),
    ]

    @Test("the codings are the response's, or none if it has no body or keeps them")
    func responses() throws {
        let fields = ["gzip", "deflate"].map { Exchange.Field(name: "content-encoding", value: $0) }
        let head = Exchange.Head(statusCode: 200, fields: fields)
        var exchange = Exchange(method: "GET", url: "http://x/", pool: Exchange.Pool())
        let decoder = try Exchange.BodyDecoder(head: head, exchange: exchange)
        #expect(decoder.codings?.removed == ["gzip", "deflate"])
        let body = deflated(DecodingSample.gzip.body, windowBits: 15)
        #expect(try joined(decoder.decode(Data(body))) == DecodingSample.text)
        exchange.decodesContent = false
        #expect(try Exchange.BodyDecoder(head: head, exchange: exchange).codings == nil)
        exchange.decodesContent = true
        exchange.method = "HEAD"
        #expect(try Exchange.BodyDecoder(head: head, exchange: exchange).codings == nil)
        exchange.method = "GET"
        exchange.limits.bodySize = 10
        let long = Exchange.Head(
            statusCode: 200, fields: [Exchange.Field(name: "Content-Length", value: "11")])
        let failure = #expect(throws: Exchange.Failure.self) {
            try Exchange.BodyDecoder(head: long, exchange: exchange)
        }
        #expect(failure?.limit == .bodySize)
    }

    /// A body that fails, with its codings and limits.
    struct BadBody: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let contentEncoding: String
        let body: [UInt8]
        var limits = Exchange.Limits()
    }

    private static let badBodies = [
        BadBody(testDescription: "junk", contentEncoding: "gzip", body: Array("junk".utf8)),
        BadBody(
            testDescription: "too many", contentEncoding: "gzip, gzip, gzip, gzip, gzip",
            body: DecodingSample.gzip.body),
        BadBody(
            testDescription: "cut", contentEncoding: "zstd",
            body: DecodingSample.zstd.body.dropLast()),
        BadBody(
            testDescription: "too large", contentEncoding: "br", body: DecodingSample.brotli.body,
            limits: Exchange.Limits(bodySize: 100)),
        BadBody(
            testDescription: "too large as it was sent", contentEncoding: "br",
            body: DecodingSample.brotli.body, limits: Exchange.Limits(encodedBodySize: 10)),
        BadBody(
            testDescription: "expanded too much", contentEncoding: "gzip",
            body: deflated([UInt8](repeating: 0, count: 3_000_000), windowBits: 31),
            limits: Exchange.Limits(expansionRatio: 10)),
    ]

    @Test("it fails like an exchange over the wire", arguments: badBodies)
    func sameFailures(bad: BadBody) async throws {
        let fixture = try TransportFixture()
        fixture.server.route("/bad") { _ in
            .response(
                status: 200, headers: [("Content-Encoding", bad.contentEncoding)], body: bad.body)
        }
        let record = await fixture.transport.perform(
            fixture.exchange("/bad").with { $0.limits = bad.limits })
        let failure = #expect(throws: Exchange.Failure.self) {
            let decoder = try Exchange.BodyDecoder(
                contentEncoding: bad.contentEncoding, limits: bad.limits)
            _ = try decoder.decode(Data(bad.body))
            try decoder.finish()
        }
        #expect(record.failure != nil && failure == record.failure)
    }
}
