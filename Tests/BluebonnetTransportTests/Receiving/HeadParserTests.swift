import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

/// Feeds text to a parser line by line and returns the first head.
private func parse(
    _ text: String,
    limits: Exchange.Limits = Exchange.Limits()
) throws(Exchange.Failure) -> Exchange.Head? {
    var parser = HeadParser(limits: limits)
    return try parse(Array(text.utf8), with: &parser)
}

private func parse(
    _ bytes: [UInt8],
    with parser: inout HeadParser
) throws(Exchange.Failure) -> Exchange.Head? {
    var result: Exchange.Head?
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 10) {
        let line = Array(rest[...end])
        rest = rest[(end + 1)...]
        let taken = line.withUnsafeBytes { line -> Result<HeadParser.Event, Exchange.Failure> in
            Result { () throws(Exchange.Failure) in try parser.take(line) }
        }
        if case .head(let head) = try taken.get() { result = head }
    }
    return result
}

@Suite("The head of a response", .timeLimit(.minutes(5)))
struct HeadParserTests {
    @Test("status, names, values and their order are kept unchanged")
    func plain() throws {
        let text = "HTTP/1.1 200 OK\r\nB: 2\r\na:  1 \t\r\nB:3\r\nEmpty:\r\n\r\n"
        let head = try #require(try parse(text))
        #expect(head.statusCode == 200)
        #expect(head.fields.map(\.name) == ["B", "a", "B", "Empty"])
        #expect(head.fields.map(\.value) == ["2", "1", "3", ""])
        #expect(head["A"] == "1")
        #expect(head["b"] == "2")
        #expect(head["c"] == nil)
    }

    @Test("bare LF ends a line, the reason can be missing, and a head needs its blank line")
    func lenient() throws {
        #expect(try parse("HTTP/1.1 404\nA: b\n\n")?["a"] == "b")
        #expect(try parse("HTTP/1.1 404 \r\n\r\n")?.statusCode == 404)
        #expect(try parse("HTTP/1.1 200 OK\r\nA: b\r\n") == nil)
    }

    @Test("interim responses leave nothing, and the seventeenth is a failure")
    func interim() throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\nContent-Length: 7\r\n\r\n"
        let final = "HTTP/1.1 204 No Content\r\nA: b\r\n\r\n"
        let head = try parse(String(repeating: interim, count: 16) + final)
        #expect(head?.statusCode == 204)
        #expect(head?.fields.count == 1)
        let failure = #expect(throws: Exchange.Failure.self) {
            try parse(String(repeating: interim, count: 17) + final)
        }
        #expect(failure?.limit == .interimResponseCount)
    }

    @Test("a trailer has its own limits, which a large head does not use up")
    func trailerLimits() throws {
        var limits = Exchange.Limits(headSize: 100, fieldCount: 3)
        limits.trailerFieldCount = 3
        limits.trailerSize = 18
        let head = "HTTP/1.1 200 OK\r\nA: \(String(repeating: "b", count: 50))\r\n\r\n"
        #expect(try parse(head + "A: b\r\nA: b\r\nA: b\r\n", limits: limits) != nil)
        let size = #expect(throws: Exchange.Failure.self) {
            try parse(head + "A: b\r\nA: b\r\nA: bb\r\n", limits: limits)
        }
        #expect(size?.limit == .trailerSize)
        limits.trailerSize = 1000
        let count = #expect(throws: Exchange.Failure.self) {
            try parse(head + String(repeating: "A: b\r\n", count: 4), limits: limits)
        }
        #expect(count?.limit == .trailerFieldCount)
        // Longer than the limit of the head.
        let long = "A: \(String(repeating: "b", count: 200))\r\n"
        #expect(try parse(head + long, limits: limits) != nil)
    }

    @Test("an unrequested switch of protocols is a failure")
    func switching() {
        #expect(throws: Exchange.Failure.self) {
            try parse("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")
        }
    }

    @Test(
        "an invalid status line is a failure",
        arguments: [
            "", "HTTP/1.1", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1 +20 OK", "HTTP/1.1 -20 OK",
            "HTTP/1.1 abc OK", "HTTP/1.1 000 OK", "HTTP/1.1 099 OK", "SSH-2.0-x 200 OK",
            "http/1.1 200 OK", "HTTP/1.1\t200 OK", "A: b", "HTTP/ .1 200 OK", "HTTP/1x1 200 OK",
            "HTTP/1. 200 OK",
        ]
    )
    func statusLines(line: String) {
        #expect(throws: Exchange.Failure.self) { try parse(line + "\r\n\r\n") }
    }

    @Test(
        "an invalid header line is a failure",
        arguments: [
            "no colon", ": no name", "na me: x", "name : x", "n\u{E4}me: x", "n(me: x", "A: b\rc",
            "A: b\r", "A: b\0c", "A\0: b", " first: x", "\tfirst: x", "\r",
        ]
    )
    func fieldLines(line: String) {
        #expect(throws: Exchange.Failure.self) {
            try parse("HTTP/1.1 200 OK\r\n\(line)\r\n\r\n")
        }
    }

    @Test("a NUL or a bare CR is found anywhere in a value of any length, and nothing else is")
    func controlCharacters() {
        func isAccepted(_ value: [UInt8]) -> Bool {
            var parser = HeadParser(limits: .init())
            let start = Array("HTTP/1.1 200 OK\r\nA: ".utf8)
            let head = try? parse(start + value + Array("\r\n\r\n".utf8), with: &parser)
            return head != nil
        }
        for count in 1...34 {
            for filler: UInt8 in [0x01, 0x0C, 0x0E, 0x61, 0x80, 0x8D, 0xFF] {
                var value = [UInt8](repeating: filler, count: count)
                #expect(isAccepted(value))
                for place in 0..<count {
                    for byte: UInt8 in [0, 0x0D] {
                        value[place] = byte
                        #expect(!isAccepted(value), "\(byte) at \(place) of \(count)")
                    }
                    value[place] = filler
                }
            }
        }
    }

    @Test("a folded value is unfolded with one space between its parts")
    func folding() throws {
        let text =
            "HTTP/1.1 200 OK\r\nA: b\r\n \t c\r\n\td\r\nE:\r\n f\r\nG: h\r\n \r\nI: j\r\n\r\n"
        let head = try #require(try parse(text))
        #expect(head.fields.map(\.value) == ["b c d", "f", "h", "j"])
        #expect(throws: Exchange.Failure.self) {
            try parse("HTTP/1.1 200 OK\r\nA: b\r\n c\0d\r\n\r\n")
        }
    }

    @Test("a folded framing field is a failure, because libcurl sees only its first line")
    func foldedFraming() {
        for field in [
            "Content-Length:\r\n 3", "content-length: 1\r\n 2", "Transfer-Encoding:\r\n chunked",
        ] {
            #expect(throws: Exchange.Failure.self) {
                try parse("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n")
            }
        }
    }

    @Test("an unrequested compression as transfer coding is a failure")
    func transferCodings() throws {
        for value in ["chunked", "identity, chunked", "Chunked, CHUNKED", "identity"] {
            #expect(try parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(value)\r\n\r\n") != nil)
        }
        for value in ["gzip, chunked", "br", "chunked, x"] {
            #expect(throws: Exchange.Failure.self) {
                try parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(value)\r\n\r\n")
            }
        }
    }

    @Test("head and fields are limited in size and number, exactly")
    func limits() throws {
        let text = "HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n\r\n"
        let size = text.utf8.count
        #expect(try parse(text, limits: .init(headSize: size, fieldCount: 2)) != nil)
        #expect(throws: Exchange.Failure.self) {
            try parse(text, limits: .init(headSize: size - 1))
        }
        #expect(throws: Exchange.Failure.self) { try parse(text, limits: .init(fieldCount: 1)) }
    }

    @Test("a very large head keeps every field unchanged, on one line or two")
    func large() throws {
        let names = (0..<300).map { "Name-\($0)" }
        let values = names.indices.map { String(repeating: "v", count: $0) }
        let lines = zip(names, values).map { "\($0):\($1)\r\n \($0)\r\n" }
        let head = try #require(try parse("HTTP/1.1 200 OK\r\n\(lines.joined())\r\n"))
        #expect(head.fields.map(\.name) == names)
        let unfolded = zip(names, values).map { $1.isEmpty ? $0 : "\($1) \($0)" }
        #expect(head.fields.map(\.value) == unfolded)
        #expect(head["name-299"] == unfolded.last)
    }

    @Test("trailers are limited by number and size, separately from the head's fields")
    func trailers() throws {
        var limits = Exchange.Limits(headSize: 1000, fieldCount: 2)
        limits.trailerFieldCount = 2
        var parser = HeadParser(limits: limits)
        _ = try parse(Array("HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n\r\n".utf8), with: &parser)
        #expect(try parse(Array("E: f\r\nG: h\r\n\r\n".utf8), with: &parser) == nil)
        #expect(throws: Exchange.Failure.self) {
            _ = try parse(Array("I: j\r\n".utf8), with: &parser)
        }
        limits.trailerSize = 60
        var sized = HeadParser(limits: limits)
        _ = try parse(Array("HTTP/1.1 200 OK\r\n\r\n".utf8), with: &sized)
        #expect(throws: Exchange.Failure.self) {
            _ = try parse(Array("E: \(String(repeating: "f", count: 60))\r\n".utf8), with: &sized)
        }
    }

    @Test(
        "a failure's excerpt of a head contains no control characters",
        arguments: ["Transfer-Encoding: a\u{1B}[2Jb", "Content-Length: \u{1B}[2J1"])
    func escaped(line: String) {
        let failure = #expect(throws: Exchange.Failure.self) {
            try parse("HTTP/1.1 200 OK\r\n\(line)\r\n\r\n")
        }
        #expect(failure?.message.contains("[2") == true)
        #expect(failure?.message.utf8.contains { $0 < 0x20 } == false)
    }

    @Test("bytes that are not UTF-8 are read as ISO-8859-1")
    func latin() throws {
        var parser = HeadParser(limits: .init())
        let bytes = Array("HTTP/1.1 200 OK\r\nA: ".utf8) + [0xE4, 0xFF] + Array("\r\n\r\n".utf8)
        #expect(try parse(bytes, with: &parser)?["A"] == "\u{E4}\u{FF}")
    }

    @Test("any bytes result in a head, in nothing or in a failure, never in a trap")
    func noise() {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array("HTTP/1.1 200 OK\r\n: ,\tContent-Length0\0\u{E4}\n\n\n".utf8)
        for _ in 0..<5000 {
            let size = Int.random(in: 0..<80, using: &generator)
            let noise = (0..<size).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            var parser = HeadParser(limits: .init())
            let start = Bool.random(using: &generator) ? Array("HTTP/1.1 200 OK\r\n".utf8) : []
            let result = Result { try parse(start + noise + [10, 10], with: &parser) }
            if case .success(let head?) = result { _ = head.fields }
        }
    }
}
