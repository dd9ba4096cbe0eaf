import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("The trailer of a response", .timeLimit(.minutes(5)))
struct TrailerParserTests {
    private let head = "HTTP/1.1 200 OK\r\nA: head\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Feeds lines to a parser and returns the head and the trailer fields.
    private func parse(
        _ bytes: [UInt8]
    ) throws -> (head: Exchange.Head?, trailers: [Exchange.Field]?) {
        var parser = HeadParser(limits: Exchange.Limits())
        var head: Exchange.Head?
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 10) {
            let line = Array(rest[...end])
            rest = rest[(end + 1)...]
            let taken = line.withUnsafeBytes { line in
                Result { () throws(Exchange.Failure) in try parser.take(line) }
            }
            if case .head(let found) = try taken.get() { head = found }
        }
        return (head, parser.trailers)
    }

    private func trailers(_ text: String) throws -> [Exchange.Field]? {
        try parse(Array((head + text).utf8)).trailers
    }

    @Test("its fields keep order, repeats and spelling, and are separate from the head's")
    func fields() throws {
        let text = "Digest: x\r\nA: trailer\r\ndigest:  y \r\nEmpty:\r\nContent-Length: 9\r\n\r\n"
        let (head, trailers) = try parse(Array((head + text).utf8))
        #expect(
            trailers == [
                Exchange.Field(name: "Digest", value: "x"),
                Exchange.Field(name: "A", value: "trailer"),
                Exchange.Field(name: "digest", value: "y"),
                Exchange.Field(name: "Empty", value: ""),
                Exchange.Field(name: "Content-Length", value: "9"),
            ])
        #expect(head?.fields.map(\.value) == ["head", "chunked"])
        #expect(head?.declaredLength == nil)
    }

    @Test("a response without one has nil, and the line that ends the chunks is not a field")
    func none() throws {
        #expect(try trailers("") == nil)
        #expect(try trailers("\r\n") == nil)
        #expect(try trailers("\n") == nil)
    }

    @Test("a folded value is unfolded with one space")
    func folding() throws {
        let fields = try trailers("A: b\r\n \t c\r\nD:\r\n e\r\nF: g\r\n \r\n\r\n")
        #expect(fields?.map(\.value) == ["b c", "e", "g"])
    }

    @Test(
        "a line that is not a field makes the response malformed",
        arguments: [
            ": no name", "na me: x", "A: b\rc", "A: b\r\n c\0d",
        ] + OutsideInputs.lines(of: "trailers"))
    func invalidLines(lines: String) throws {
        for text in ["\(lines)\r\n\r\n", "Good: 1\r\n\(lines)\r\nGood: 2\r\n\r\n"] {
            let failure = #expect(throws: Exchange.Failure.self) { try trailers(text) }
            #expect(failure?.malformedPart == .trailer && failure?.code == .badServerResponse)
        }
    }

    @Test("a folded first line makes the response malformed")
    func foldedFirstLine() throws {
        let failure = #expect(throws: Exchange.Failure.self) {
            try trailers(" a: b\r\nC: d\r\n\r\n")
        }
        #expect(failure?.malformedPart == .trailer)
    }

    @Test("bytes that are not UTF-8 are read as ISO-8859-1")
    func latin() throws {
        let bytes = Array((head + "A: ").utf8) + [0xE4, 0xFF] + Array("\r\n".utf8)
        #expect(try parse(bytes).trailers?.map(\.value) == ["\u{E4}\u{FF}"])
    }
}
