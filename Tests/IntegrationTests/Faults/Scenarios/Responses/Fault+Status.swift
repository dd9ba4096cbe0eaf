import Bluebonnet
import BluebonnetFixtureServer

// Status lines, interim responses, and responses that have no body.
extension Fault {
    private static var bad: FaultOutcome { .failure(.badResponse) }
    private static var ok: FaultOutcome { .response(200, body: "abc") }
    private static let rest = "Content-Length: 3\r\n\r\nabc"

    private static func line(_ id: String, _ name: String, _ line: String) -> Fault {
        Fault(id, name, bad, "fails", .answering("\(line)\r\n\(rest)", .drain))
    }

    static var statusLines: [Fault] {
        [
            line("22a", "a status code of five digits", "HTTP/1.1 99999 OK"),
            line("22b", "a negative status code", "HTTP/1.1 -200 OK"),
            line("22c", "a status code of two digits", "HTTP/1.1 20 OK"),
            line("22d", "the status code 000", "HTTP/1.1 000 OK"),
            line("22e", "a status code of letters", "HTTP/1.1 abc OK"),
            Fault(
                "23a", "no reason phrase", ok, "accepts it",
                .answering("HTTP/1.1 200 \r\n\(rest)")),
            Fault(
                "23b", "no reason phrase and no space before it", ok, "accepts it",
                .answering("HTTP/1.1 200\r\n\(rest)")),
            Fault(
                "24a", "an HTTP/0.9 response, a body without a head", bad, "fails",
                .answering("<html>no head</html>", .close)),
            Fault(
                "24b", "the greeting of an SSH server", bad, "fails",
                FaultScript([.send("SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n"), .drain])),
            line("24c", "the version HTTP/1.2", "HTTP/1.2 200 OK"),
            line("24d", "the version HTTP/3", "HTTP/3 200 OK"),
            line("24e", "the version HTTP/2 on an HTTP/1.1 connection", "HTTP/2 200"),
            line("24f", "a version in lower case", "http/1.1 200 OK"),
        ]
    }

    static var interims: [Fault] {
        [
            Fault(
                "31", "100 and 103 before the response", ok, "ignores them",
                .answering(
                    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\n\(rest)")
            ) {
                $0.check = { response, _ in
                    response.headers["Link"] == nil
                        ? nil : "a field of the interim response is there"
                }
            },
            Fault(
                "32", "an endless series of 102 responses", .failure(.limit(.interimResponseCount)),
                "fails",
                FaultScript([
                    .request, .repeatForever(Array("HTTP/1.1 102 Processing\r\n\r\n".utf8)),
                ])),
            Fault(
                "33", "100, then the end of the connection", .failure(.connectionLost),
                "fails, because 100 is not a final response",
                .answering("HTTP/1.1 100 Continue\r\n\r\n", .close)),
            Fault(
                "34", "101 without an upgrade request", bad, "fails",
                .answering("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nraw", .drain)),
        ]
    }

    /// In one packet, and more than is read at once.
    private static let evil = String(
        repeating: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil", count: 1400)
    private static var bodyless: FaultOutcome { .response(204, body: "") }

    static var bodiless: [Fault] {
        [
            Fault(
                "35a", "204 with a Content-Length and a body", bodyless,
                "delivers no body, and no later request receives the bytes",
                .answering("HTTP/1.1 204 No Content\r\n\(rest)", .drain)
            ) { $0.connectionCount = 2 },
            Fault(
                "35b", "204 with chunked coding", bodyless, "delivers no body",
                .answering(
                    "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .drain
                )
            ) { $0.connectionCount = 2 },
            Fault(
                "35c", "304 with a Content-Length and no body", .response(304, body: ""),
                "delivers no body and keeps the connection",
                .answering("HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n")
            ) { $0.connectionCount = 1 },
            Fault(
                "35d", "304 with a body", .response(304, body: ""),
                "delivers no body, and no later request receives the bytes",
                .answering("HTTP/1.1 304 Not Modified\r\n\(rest)")),
            Fault(
                "35i", "205 with a Content-Length and a body", .response(205, body: ""),
                "reads and drops the body, and keeps the connection",
                .answering("HTTP/1.1 205 Reset Content\r\n\(rest)")
            ) { $0.connectionCount = 1 },
            Fault(
                "35j", "205 with a chunked body", .response(205, body: ""),
                "reads and drops the body, and keeps the connection",
                .answering(
                    "HTTP/1.1 205 Reset Content\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3\r\nabc\r\n0\r\n\r\n")
            ) { $0.connectionCount = 1 },
            Fault(
                "35e", "a response to HEAD with a Content-Length", .response(200, body: ""),
                "delivers no body and keeps the connection",
                .answering("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n")
            ) {
                $0.method = "HEAD"
                $0.connectionCount = 1
            },
            Fault(
                "35f", "a response to HEAD with a body", .response(200, body: ""),
                "delivers no body, and no later request receives the bytes",
                .answering("HTTP/1.1 200 OK\r\n\(rest)")
            ) { $0.method = "HEAD" },
            Fault(
                "35g", "a response to HEAD, followed later by another response as its body",
                .response(200, body: ""), "closes the connection as soon as the body arrives",
                .answering(
                    "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n", .await(signals: 1),
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"), .drain)
            ) {
                $0.method = "HEAD"
                $0.pauses.afterResponse = true
                $0.connectionCount = 2
            },
            Fault(
                "35h", "a response to HEAD with other responses as its body, while a request waits",
                .response(200, body: ""), "closes the connection before the next request is sent",
                FaultScript([
                    .request, .await(signals: 1), .pause(milliseconds: 50),
                    .send("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n" + evil),
                ])
            ) {
                // Inside TLS it comes in several pieces, and what is not there yet nobody can see.
                $0.ways = [.plain]
                $0.method = "HEAD"
                $0.hasNextInLine = true
            },
            Fault(
                "36a", "206 for a request without a range", .response(206, body: "abc"),
                "delivers it unchanged, because the status code marks it as a part",
                .answering("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-2/9\r\n\(rest)")),
        ]
    }
}
