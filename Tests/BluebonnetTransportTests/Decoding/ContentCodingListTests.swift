import Testing

@testable import BluebonnetTransport

@Suite("Content-Encoding values")
struct ContentCodingListTests {
    @Test(
        "Without a coding other than identity no decoder is needed",
        arguments: ["", " ", "identity", "IDENTITY", " , identity\t,, "])
    func identity(value: String) throws {
        #expect(try ContentDecoder.make(contentEncoding: value) == nil)
    }

    @Test(
        "Case, optional whitespace, empty elements and the x-gzip alias are accepted",
        arguments: ["gzip", "GZip", "x-gzip", "X-GZIP", " \tgzip\t ", ",gzip,", "identity,gzip"])
    func spelling(value: String) throws {
        let sample = DecodingSample.gzip
        #expect(try decode(sample.body, contentEncoding: value) == DecodingSample.text)
    }

    @Test(
        "An unknown coding is refused with its name",
        arguments: ["compress", "g zip", "gzip;q=1", "gzıp", "brotli"])
    func unknownCoding(value: String) {
        #expect(throws: ContentDecodingError.unknownCoding(value)) {
            try ContentDecoder.make(contentEncoding: "gzip, \(value)")
        }
    }

    @Test("Four codings are accepted and five are not")
    func codingCount() throws {
        #expect(try ContentDecoder.make(contentEncoding: "gzip,br,zstd,identity,deflate") != nil)
        #expect(throws: ContentDecodingError.tooManyCodings(5, accepted: 4)) {
            try ContentDecoder.make(contentEncoding: "gzip,br,zstd,deflate,gzip")
        }
    }

    @Test("The advertised codings are the decodable ones, without deflate")
    func acceptEncoding() {
        #expect(ContentDecoder.acceptEncoding == "gzip, br, zstd")
    }

    @Test("Descriptions of errors contain no control characters")
    func descriptions() {
        let descriptions = [
            ContentDecodingError.unknownCoding("a\u{1b}[2J\r\n").description:
                #"unknown content coding "a\u{1B}[2J\r\n""#,
            ContentDecodingError.tooManyCodings(5, accepted: 4).description:
                "5 content codings, more than the 4 accepted",
            ContentDecodingError.corrupt(coding: "br", detail: "why").description:
                "corrupt br content: why",
            ContentDecodingError.truncated(coding: "gzip").description:
                "gzip content ended before its stream was complete",
            ContentDecodingError.windowTooLarge(coding: "zstd", limit: 8).description:
                "zstd content needs a window larger than 8 bytes",
            ContentDecodingError.outOfMemory.description:
                "out of memory while decoding content",
        ]
        for (actual, expected) in descriptions { #expect(actual == expected) }
    }
}
