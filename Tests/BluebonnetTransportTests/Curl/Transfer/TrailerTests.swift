import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Trailers over the wire", .timeLimit(.minutes(5)))
struct TrailerTests {
    let fixture: TransportFixture
    private let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"

    init() throws {
        fixture = try TransportFixture()
    }

    @Test("trailer fields are reported once, in order, and not with the head's")
    func order() async {
        let record = await fixture.perform(
            raw: "\(head)Trailer: B, A\r\n\r\n3\r\nabc\r\n0\r\nB: 1\r\nA: 2\r\nB: 3\r\n\r\n")
        #expect(record.failure == nil)
        #expect(record.body == Data("abc".utf8))
        #expect(record.trailers?.map(\.description) == ["B: 1", "A: 2", "B: 3"])
        #expect(record.trailerCount == 1)
        #expect(record.head?["A"] == nil && record.head?["B"] == nil)
    }

    @Test("a response without trailers has none", arguments: ["/json", "/chunked/1000"])
    func none(path: String) async {
        let record = await fixture.transport.perform(fixture.exchange(path))
        #expect(record.failure == nil)
        #expect(record.trailers == nil && record.trailerCount == 0)
    }

    @Test("a connection with trailers serves the next exchange")
    func reuse() async {
        let answer = Array("\(head)\r\n3\r\nabc\r\n0\r\nB: 1\r\n\r\n".utf8)
        fixture.server.route("/kept") { _ in .script([.send(answer)]) }
        let first = await fixture.transport.perform(fixture.exchange("/kept"))
        #expect(first.trailers?.map(\.value) == ["1"])
        let second = await fixture.transport.perform(fixture.exchange("/json"))
        #expect(second.failure == nil && second.trailers == nil)
    }

    @Test("trailers of a body that is still being decoded are reported after it")
    func decoding() async {
        let zeros = [UInt8](repeating: 0, count: 5_000_000)
        let body = deflated(zeros, windowBits: 31)
        let size = String(body.count, radix: 16)
        let start = Array("\(head)Content-Encoding: gzip\r\n\r\n\(size)\r\n".utf8)
        let end = Array("\r\n0\r\nDigest: x\r\n\r\n".utf8)
        let record = await fixture.perform(
            answer: .script([.send(start + body + end), .close]))
        #expect(record.failure == nil)
        #expect(record.byteCount == zeros.count)
        #expect(record.trailers?.map(\.value) == ["x"])
        #expect(record.trailerCount == 1 && record.byteCountAtTrailers == zeros.count)
    }

    @Test("no trailers are reported for a failed response, because some can be missing")
    func failures() async {
        for text in [
            "\(head)\r\n3\r\nabc\r\n0\r\nB: 1\r\n",
            "\(head)Content-Encoding: gzip\r\n\r\n3\r\nabc\r\n0\r\nB: 1\r\n\r\n",
        ] {
            let record = await fixture.perform(raw: text)
            #expect(record.failure != nil)
            #expect(record.trailers == nil)
        }
    }

    @Test(
        "a line that is not a field makes the response malformed",
        arguments: ["X y: 1", ": a", " A: b", "no colon", "A: b\0c", "A: b\rc", "A: b\r\n c\0"])
    func invalidLine(line: String) async {
        let record = await fixture.perform(
            raw: "\(head)\r\n3\r\nabc\r\n0\r\n\(line)\r\nB: 1\r\n\r\n")
        #expect(record.failure?.code == .badServerResponse)
        #expect(record.failure?.malformedPart == .trailer)
        #expect(record.body == Data("abc".utf8))
    }
}
