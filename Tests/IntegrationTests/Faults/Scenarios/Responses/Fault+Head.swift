import Bluebonnet
import BluebonnetFixtureServer

// Heads that are too large or malformed.
extension Fault {
    private static var bad: FaultOutcome { .failure(.badResponse) }

    private static func head(_ fields: String, then last: FaultAction = .drain) -> FaultScript {
        .answering("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nabc", last)
    }

    private static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

    static var heads: [Fault] {
        [
            Fault("25", "a header line of 110 KB", bad, "fails", head("A: \(long(110_000))")),
            Fault(
                "26a", "a head of 400 KB", .failure(.limit(.headSize)), "fails",
                head(Array(repeating: "A: \(long(1000))", count: 400).joined(separator: "\r\n"))),
            Fault(
                "26b", "an endless head", .failure(.limit(.fieldCount)), "fails",
                FaultScript([
                    .request, .send("HTTP/1.1 200 OK\r\n"), .repeatForever(Array("A: b\r\n".utf8)),
                ])),
            Fault(
                "26c", "an endless header line", bad, "fails",
                FaultScript([
                    .request, .send("HTTP/1.1 200 OK\r\nA: "), .repeatForever(Array("x".utf8)),
                ])),
            Fault(
                "26d", "an endless status line", bad, "fails",
                FaultScript([
                    .request, .send("HTTP/1.1 200 "), .repeatForever(Array("x".utf8)),
                ])),
            Fault(
                "27", "20,000 small header fields", .failure(.limit(.fieldCount)), "fails",
                head(Array(repeating: "A: b", count: 20_000).joined(separator: "\r\n"))),
            Fault("28a", "NUL in a header value", bad, "fails", head("A: b\0c")),
            Fault("28b", "NUL in a header name", bad, "fails", head("A\0B: c")),
            Fault("28c", "a header line without a colon", bad, "fails", head("no colon")),
            Fault(
                "29a", "a header value continued on the next line", .response(200, body: "abc"),
                "joins the lines with a space",
                head("A: b\r\n c\r\nContent-Length: 3", then: .serve)
            ) {
                $0.check = { response, _ in
                    response.headers["A"] == "b c" ? nil : "the value is not joined"
                }
            },
            Fault(
                "29b", "white space before the first header line", bad, "fails",
                head(" A: b\r\nContent-Length: 3")),
            Fault(
                "29c", "a Content-Length continued on the next line", bad, "fails",
                head("Content-Length: 3\r\n 4")),
            Fault(
                "30a", "header lines that end with a bare LF", .response(200, body: "abc"),
                "accepts it",
                .answering("HTTP/1.1 200 OK\nContent-Length: 3\n\nabc")),
            Fault("30b", "a CR inside a header value", bad, "fails", head("A: b\rc")),
            Fault("30c", "a header line without a name", bad, "fails", head(": b")),
            Fault(
                "30d", "a header value in Latin-1", .response(200, body: "abc"),
                "accepts it and delivers the value as text",
                FaultScript([
                    .request, .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nA: "),
                    .send([0xE9, 0xFF, 0x80]), .send("\r\n\r\nabc"),
                ])
            ) {
                $0.check = { response, _ in
                    response.headers["A"]?.isEmpty == false ? nil : "the value is not there"
                }
            },
            Fault(
                "30e", "control characters in a header value", .response(200, body: "abc"),
                "accepts it", head("A: b\u{7}c\r\nContent-Length: 3", then: .serve)),
        ]
    }
}
