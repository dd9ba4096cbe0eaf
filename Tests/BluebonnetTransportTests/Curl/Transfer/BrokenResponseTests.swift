import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Broken responses", .timeLimit(.minutes(5)))
struct BrokenResponseTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture()
    }

    private func fails(_ text: String, with code: URLError.Code) async {
        let record = await fixture.perform(raw: text)
        #expect(record.failure?.code == code, "\(text.prefix(80).debugDescription)")
        #expect(record.ends.count == 1)
        let next = await fixture.transport.perform(fixture.exchange("/json"))
        #expect(next.failure == nil, "the next exchange works")
    }

    @Test("an incomplete or malformed head is a bad response")
    func heads() async {
        let heads = [
            "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b",
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde",
            "HTTP/1.1 200 OK\r\nContent-Length: 3, 5\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length: +3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length: 0x3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length: 10000000000000000000000\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nContent-Length : 3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nA\0: b\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
            "HTTP/1.1 200 OK\r\n first: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nraw",
            "HTTP/1.1 99999 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 000 OK\r\n\r\n",
            "SSH-2.0-OpenSSH\r\n", "HTTP/4.0 200 OK\r\n\r\n", "<html>", "\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: \(String(repeating: "b", count: 120_000))\r\n\r\n",
            "HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 1001) + "\r\n",
            String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 17)
                + "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        ]
        for head in heads { await fails(head, with: .badServerResponse) }
    }

    @Test("an incomplete body is a lost connection, and its part was delivered")
    func bodies() async {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        for text in [
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", chunked + "3\r\nabc\r\n",
            chunked + "9\r\nabc",
            chunked + "3\r\nabc\r\n0\r\n", chunked,
            "HTTP/1.1 100 Continue\r\n\r\n", "", "HTTP",
        ] {
            await fails(text, with: .networkConnectionLost)
        }
        let record = await fixture.perform(raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
        #expect(Array(record.body) == Array("abc".utf8))
        #expect(record.head?.statusCode == 200)
    }

    @Test(
        "a malformed chunk is not a lost connection",
        arguments: [
            "xyz", "-5", "5\n", "g", "fffffffffffffffff",
        ] + OutsideInputs.lines(of: "chunk-sizes"))
    func chunks(size: String) async {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let record = await fixture.perform(raw: head + "\(size)\r\nabcde\r\n0\r\n\r\n")
        #expect(record.failure?.malformedPart == .chunk)
        #expect(record.failure?.code == .badServerResponse)
        #expect(record.head?.statusCode == 200)
        let next = await fixture.transport.perform(fixture.exchange("/json"))
        #expect(next.failure == nil)
    }

    @Test(
        "another version than the negotiated one is a bad response",
        arguments: [
            "HTTP/2 200 OK", "HTTP/1.2 200 OK", "HTTP/3 200 OK",
            "HTTP/3.0 200 OK",
            "HTTP/1.10 200 OK", "http/1.1 200 OK", "Http/1.1 200 OK", "HTTP/0.9 200 OK",
            "HTTP/1 200 OK",
            "HTTP/01.1 200 OK", "HTTP/1.1.1 200 OK", "HTTP/11 200 OK", "HTTP/1,1 200 OK",
            "HTTP/ 1.1 200 OK",
        ] + OutsideInputs.lines(of: "status-lines"))
    func versions(line: String) async {
        let record = await fixture.perform(raw: "\(line)\r\nContent-Length: 3\r\n\r\nabc")
        #expect(record.failure?.code == .badServerResponse)
        // libcurl 8.14 refuses some itself, without the line of the head.
        #expect(record.failure?.malformedPart != nil)
        #expect(record.head == nil)
    }

    @Test("a reset is a lost connection, before the head and within the body")
    func resets() async {
        let before = await fixture.perform(answer: .script([.reset]))
        #expect(before.failure?.code == .networkConnectionLost)
        let start = Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc".utf8)
        let within = await fixture.perform(
            answer: .script([.send(start), .pause(milliseconds: 20), .reset]))
        #expect(within.failure?.code == .networkConnectionLost)
        #expect(within.failure?.systemErrorNumber == ECONNRESET || within.failure != nil)
    }

    @Test("unusual but unambiguous responses are accepted")
    func accepted() async {
        for (text, body) in [
            ("HTTP/1.1 200\r\n\r\nabc", "abc"), ("HTTP/1.0 200 OK\nA: b\n\nabc", "abc"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\nContent-Length: 3\r\n\r\nabc", "abc"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcEXTRA", "abc"),
            (
                "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\n\r\nabc",
                "abc"
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: u\r\n\r\n",
                "abc"
            ),
            ("HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n", ""),
            ("HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n", ""),
        ] {
            let record = await fixture.perform(raw: text)
            #expect(record.failure == nil, "\(text.debugDescription)")
            #expect(String(decoding: record.body, as: UTF8.self) == body)
            #expect(record.headCount == 1)
            #expect(record.head?["X"] == nil)
        }
    }

    @Test("limits apply to declared, undeclared, infinite and encoded bodies, and to trailers")
    func limits() async {
        for path in ["/bytes/1001", "/chunked/1001", "/gzip/1001", "/endless"] {
            let exchange = fixture.exchange(path).with { $0.limits.bodySize = 1000 }
            let record = await fixture.transport.perform(exchange)
            #expect(record.failure?.code == .dataLengthExceedsMaximum)
            #expect(record.body.count <= 1000)
        }
        let exact = fixture.exchange("/gzip/1000").with { $0.limits.bodySize = 1000 }
        #expect(await fixture.transport.perform(exact).failure == nil)
        let trailers = String(repeating: "T: u\r\n", count: 1001)
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"
        let record = await fixture.perform(raw: head + trailers + "\r\n")
        #expect(record.failure?.code == .badServerResponse)
    }
}
