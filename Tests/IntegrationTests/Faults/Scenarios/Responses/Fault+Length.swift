import BluebonnetFixtureServer
import Foundation

// Responses that declare their length in unusual ways.
extension Fault {
    private static func declaring(
        _ fields: String, _ body: String = "abcde", then last: FaultAction = .drain
    ) -> FaultScript {
        .answering("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)", last)
    }

    /// The length of the body is known before its end is there, and so no more than that is read.
    private static let tooMuch: [FaultAction] = [
        .send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na"), .pause(milliseconds: 20),
        .send("bcHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"), .drain,
    ]
    private static var bad: FaultOutcome { .failure(.badResponse) }
    private static var abc: FaultOutcome { .response(200, body: "abc") }
    private static let refuses = "fails, because readers could disagree about the length"

    static var lengths: [Fault] {
        [
            Fault(
                "8a", "bytes follow the declared length in the same packet", abc,
                "ignores them and does not reuse the connection",
                declaring("Content-Length: 3", "abcEXTRA")
            ) { $0.connectionCount = 2 },
            Fault(
                "8b",
                "another response follows the declared length in the last packet of the body",
                abc, "closes the connection, so no request receives that response",
                FaultScript([.request] + tooMuch)
            ) { $0.connectionCount = 2 },
            Fault(
                "8c", "another response follows the declared length while a request waits", abc,
                "closes the connection before the next request is sent",
                FaultScript([.request, .await(signals: 1)] + tooMuch)
            ) {
                $0.hasNextInLine = true
                $0.connectionCount = 2
            },
            Fault(
                "9", "a second response arrives later on the idle connection",
                .response(200, body: "first"),
                "closes the connection at once, so no request receives that response",
                FaultScript([
                    .request, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"),
                    .await(signals: 1), .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"),
                    .drain,
                ])
            ) {
                $0.pauses.afterResponse = true
                $0.connectionCount = 2
            },
            Fault(
                "10a", "several equal Content-Length fields", abc, "accepts it",
                declaring("Content-Length: 3\r\nContent-Length: 3", "abc", then: .serve)
            ) { $0.connectionCount = 1 },
            Fault(
                "10b", "a Content-Length with a list of equal numbers", abc, "accepts it",
                declaring("Content-Length: 3, 3", "abc", then: .serve)
            ) { $0.connectionCount = 1 },
            Fault(
                "11a", "different Content-Length fields", bad, refuses,
                declaring("Content-Length: 3\r\nContent-Length: 5")),
            Fault(
                "11b", "different Content-Length fields, the larger first", bad, refuses,
                declaring("Content-Length: 5\r\nContent-Length: 3")),
            Fault(
                "11c", "a Content-Length with a list of different numbers", bad, refuses,
                declaring("Content-Length: 3, 5")),
            Fault(
                "12a", "a negative Content-Length", bad, refuses, declaring("Content-Length: -1")),
            Fault(
                "12b", "a Content-Length of letters", bad, refuses,
                declaring("Content-Length: abc")),
            Fault(
                "13a", "a Content-Length with a sign", bad, refuses, declaring("Content-Length: +3")
            ),
            Fault(
                "13b", "a hexadecimal Content-Length", bad, refuses,
                declaring("Content-Length: 0x3")),
            Fault(
                "13c", "a Content-Length of 10^22", bad, refuses,
                declaring("Content-Length: 10000000000000000000000")),
            Fault(
                "13d", "an empty Content-Length", bad, refuses, declaring("Content-Length:")),
            Fault(
                "13e", "a Content-Length with a fraction", bad, refuses,
                declaring("Content-Length: 3.0")),
            Fault(
                "14", "white space between Content-Length and its colon", bad,
                "fails, as for every field name that contains a space",
                declaring("Content-Length : 3")),
            Fault(
                "15", "Content-Length together with chunked coding", abc,
                "reads the chunks and does not reuse the connection",
                declaring(
                    "Content-Length: 5\r\nTransfer-Encoding: chunked", "3\r\nabc\r\n0\r\n\r\n")
            ) { $0.connectionCount = 2 },
        ]
    }
}
