import Bluebonnet
import BluebonnetFixtureServer
import Foundation

// Responses of HTTP/2 whose header fields or length are wrong (RFC 9113 section 8).
extension Fault {
    private static func malformed(
        _ id: String, _ name: String, _ fields: HPACKField...
    ) -> Fault {
        http2(
            id, name, .either(.lost, .failure(.badResponse)), "fails",
            .send([.headers(fields, stream: 1), .abc, .end]), .drain
        ) { $0.configure = shortIdle }
    }

    private static var threeA: FaultOutcome { .response(200, body: "abc") }

    static var messages: [Fault] {
        [
            http2(
                "70a", "a Content-Length larger than the body", .lost, "fails",
                .send([.ok30, .abc, .end]), .drain
            ) { $0.configure = shortIdle },
            malformed("70b", "no :status", .literal("content-type", "text/plain")),
            malformed(
                "70c", "the HTTP/1.1 field Connection", .status(200),
                .literal("connection", "close")),
            malformed(
                "70d", "the HTTP/1.1 field Transfer-Encoding", .status(200),
                .literal("transfer-encoding", "chunked")),
            http2(
                "70e", "a Content-Length smaller than the body", .lost, "fails",
                .send([
                    .headers([.status(200), .literal("content-length", "2")], stream: 1), .abc,
                    .end,
                ]), .drain
            ) { $0.configure = shortIdle },
            malformed(
                "70f", "two equal Content-Length fields", .status(200),
                .literal("content-length", "3"), .literal("content-length", "3")),
            malformed(
                "70g", "a Content-Length of letters", .status(200),
                .literal("content-length", "abc")),
            malformed("70h", "two :status fields", .status(200), .status(404)),
            malformed("70i", "a :status of letters", .literal(":status", "abc")),
            malformed("70j", "a :status of four digits", .literal(":status", "2000")),
            malformed(
                "70k", ":status after other fields", .literal("content-type", "text/plain"),
                .status(200)),
            malformed(
                "70l", "a pseudo-header field of requests", .status(200), .literal(":method", "GET")
            ),
            malformed(
                "70m", "an unknown pseudo-header field", .status(200), .literal(":made-up", "x")),
            malformed("70n", "101, which HTTP/2 excludes", .status(101)),
            http2(
                "70o", "a field name in upper case", .lost, "fails",
                .send([.headers([.status(200), .literal("X-Upper", "x")], stream: 1), .abc, .end])),
            http2(
                "70p", "a field value with line breaks", .lost,
                "fails and adds no field to the response",
                .send([
                    .headers(
                        [.status(200), .literal("x-evil", "a\r\nset-cookie: evil=1\r\n\r\nevil")],
                        stream: 1), .abc, .end,
                ])
            ) {
                $0.check = { response, _ in
                    response.headers["Set-Cookie"] == nil && response.headers["X-Evil"] == nil
                        ? nil : "a field is there: \(response.headers)"
                }
            },
            http2(
                "70q", "the body before the head", .either(.lost, .idle),
                "fails, at the latest by the idle timeout", .send([.abc, .ok, .end]), .drain
            ) { $0.configure = shortIdle },
            http2(
                "70r", "a second head in the middle of the body", .lost, "fails",
                .send([.ok, .abc, .ok, .end]), .drain
            ) { $0.configure = shortIdle },
            http2(
                "70s", "a pseudo-header field in the trailer", .lost, "fails",
                .send([.ok, .abc, .headers([.status(500)], stream: 1, endsStream: true)]), .drain
            ) { $0.configure = shortIdle },
            http2(
                "70t", "100 and 103 before the response", threeA, "ignores them",
                .send([
                    .headers([.status(100)], stream: 1),
                    .headers([.status(103), .literal("link", "x")], stream: 1), .ok, .abc, .end,
                ])
            ) {
                $0.check = { response, _ in
                    response.headers["Link"] == nil
                        ? nil : "a field of the interim response is there"
                }
            },
            http2(
                "70u", "103 that ends the stream", .lost, "fails",
                .send([.headers([.status(103)], stream: 1, endsStream: true)]), .drain
            ) { $0.configure = shortIdle },
            http2(
                "70v", "204 with a body", .lost, "fails",
                .send([.headers([.status(204)], stream: 1), .abc, .end]), .drain
            ) { $0.configure = shortIdle },
            http2(
                "70w", "a response to HEAD with a body", .response(200, body: ""),
                "delivers no body",
                .send([.ok, .abc, .end]),
                .serve
            ) {
                $0.method = "HEAD"
                $0.configure = shortIdle
            },
            http2(
                "70x", "a head that ends the stream", .response(200, body: ""),
                "delivers the response",
                .send([.headers([.status(200)], stream: 1, endsStream: true)])),
            http2(
                "70y", "a body after the end of the stream", threeA,
                "delivers the response and ignores later bytes",
                .send([.ok, .abc, .end, .data("evil", stream: 1, endsStream: true)]), .serve),
            http2(
                "70z", "a field without a name", .lost, "fails",
                .send([.headers([.status(200), .literal("", "x")], stream: 1), .abc, .end])),
        ]
    }
}
