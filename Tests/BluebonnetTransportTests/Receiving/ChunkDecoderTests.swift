import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Framing of chunks")
struct ChunkDecoderTests {
    private struct Reading: Equatable {
        var body = ""
        var trailer: [String] = []
        /// The number of bytes after the end.
        var excess = 0
        var isAtEnd = false
    }

    /// Reads bytes in pieces of a size.
    private func read(_ text: String, by size: Int = .max) throws(Exchange.Failure) -> Reading {
        var decoder = ChunkDecoder(largestLine: 1000)
        var reading = Reading()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            let result = piece.withUnsafeBytes { bytes in
                Result { () throws(Exchange.Failure) in
                    try decoder.take(bytes) {
                        reading.body += String(decoding: $0, as: UTF8.self)
                    } trailer: {
                        reading.trailer.append(String(decoding: $0, as: UTF8.self))
                    }
                }
            }
            reading.excess += piece.count - (try result.get())
        }
        reading.isAtEnd = decoder.isAtEnd
        return reading
    }

    @Test(
        "everything that RFC 9112 allows is read, at once and byte by byte",
        arguments: [
            "3\r\nabc\r\n0\r\n\r\n", "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n",
            "0003\r\nabc\r\n000\r\n\r\n",
            "\(String(repeating: "0", count: 90))3\r\nabc\r\n0\r\n\r\n",
            "3;x\r\nabc\r\n0;y=z\r\n\r\n", "3 ; x = y\r\nabc\r\n0\r\n\r\n",
            "3;x;y=z;a=\"; \\\" \u{E4}\"\r\nabc\r\n0\r\n\r\n",
            "3;x=\"\"\t;\ty\r\nabc\r\n0\r\n\r\n", "3;x ;y\r\nabc\r\n0\r\n\r\n",
        ])
    func allowed(text: String) throws {
        for size in [Int.max, 1, 2, 3] {
            #expect(try read(text, by: size) == Reading(body: "abc", isAtEnd: true))
        }
    }

    @Test("hexadecimal digits of either case are a size")
    func digits() throws {
        let data = String(repeating: "a", count: 171)
        #expect(try read("aB\r\n\(data)\r\n0\r\n\r\n").body == data)
    }

    @Test(
        "a size is digits, extensions after a semicolon, CR and LF, and nothing else",
        arguments: [
            "", " 5", "+5", "-5", "xyz",
            "5 ", "5\t", "5;", "5; ", "5;=a", "5;a=", "5;a=b c", "5;a b", "5;a=b=c", "5;a=\"b",
            "5;a\0",
            "5;a=\"b\0\"", "5;a=\"b\"c", "5;a=\"\\\0\"", "5;;a", "5;a;", "5;a ", "5;a=b ", "5\r",
            "5;a=(",
            "8000000000000000", "fffffffffffffffff", "\u{FF15}", "5\u{B}", "5;a\u{7F}",
        ] + OutsideInputs.lines(of: "chunk-sizes"))
    func malformedSizes(size: String) {
        for pieces in [Int.max, 1] {
            let failure = #expect(throws: Exchange.Failure.self) {
                try read("\(size)\r\nabcde\r\n0\r\n\r\n", by: pieces)
            }
            #expect(failure?.malformedPart == .chunk && failure?.code == .badServerResponse)
        }
    }

    @Test(
        "lines end with CR and LF, and data ends at its size",
        arguments: [
            "3\nabc\r\n0\r\n\r\n", "3\r\nabc\n0\r\n\r\n", "3\r\nabcd\r\n0\r\n\r\n",
            "3\r\nabc\r0\r\n\r\n", "3\r\nabc0\r\n\r\n", "3\r\nab\r\n0\r\n\r\n",
            "3\r\nabc\r\n0\n\r\n", "3\r\nabc\r\n\r\n0\r\n\r\n", "3;a\nabc\r\n0\r\n\r\n",
            "3\r\r\nabc\r\n0\r\n\r\n",
        ])
    func lineEnds(text: String) {
        let failure = #expect(throws: Exchange.Failure.self) { try read(text) }
        #expect(failure?.malformedPart == .chunk)
    }

    @Test("the trailer is reported by line, and its lines end with CR and LF")
    func trailer() throws {
        let text = "1\r\na\r\n0\r\nA: b\r\n c\r\nD:\r\n\r\n"
        for size in [Int.max, 1] {
            let reading = try read(text, by: size)
            #expect(reading.trailer == ["A: b\r\n", " c\r\n", "D:\r\n"] && reading.isAtEnd)
        }
        for text in ["0\r\nA: b\n\r\n", "0\r\n\n", "0\r\nA: b\r\n\n"] {
            let failure = #expect(throws: Exchange.Failure.self) { try read(text) }
            #expect(failure?.malformedPart == .trailer)
        }
        let failure = #expect(throws: Exchange.Failure.self) {
            try read("0\r\n" + String(repeating: "a", count: 1001))
        }
        #expect(failure?.limit == .trailerSize)
    }

    @Test("bytes after the end are counted and not read", arguments: [Int.max, 1, 4])
    func excess(size: Int) throws {
        let reading = try read("1\r\na\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n", by: size)
        #expect(reading == Reading(body: "a", excess: 17, isAtEnd: true))
    }

    @Test(
        "a body ends only with the empty line", arguments: ["3", "3\r\nabc\r\n", "0\r\n"])
    func cut(text: String) throws {
        #expect(try !read(text).isAtEnd)
    }

    @Test("extensions can be long, but not endless")
    func overhead() throws {
        let short = "3;\(String(repeating: "x", count: 1_000_000))\r\nabc\r\n0\r\n\r\n"
        #expect(try read(short).body == "abc")
        let endless = "3;\(String(repeating: "x", count: 4_200_000))"
        let failure = #expect(throws: Exchange.Failure.self) { try read(endless) }
        #expect(failure?.malformedPart == .chunk)
        let small = String(
            repeating: "1;\(String(repeating: "x", count: 200))\r\na\r\n", count: 30_000)
        #expect(try read(small).body.utf8.count == 30_000)
    }
}
