import Bluebonnet
import BluebonnetFixtureServer
import Foundation

// Streams of HTTP/2 that are reset or refused, and connections that end with them.
extension Fault {
    private static func reset(
        _ id: String, _ name: String, _ code: HTTP2ErrorCode
    ) -> Fault {
        http2(
            id, "the stream is reset with \(name) in the middle of the body", .lostWithABC,
            "fails and keeps the received bytes", .send([.ok, .abc]), .pause(milliseconds: 60),
            .send([.reset(code, stream: 1)])
        )
    }

    private static let refused: [FaultAction] = asked + [.send([.reset(.refusedStream, stream: 1)])]

    static var streams: [Fault] {
        [
            http2(
                "63a",
                "the stream is reset without an error in the middle of a body without a length",
                .response(200, body: "abc"),
                "accepts the body, because libcurl reports it as complete",
                .send([.ok, .abc]), .pause(milliseconds: 60), .send([.reset(.noError, stream: 1)])
            ) {
                $0.retry = .useless
            },
            http2(
                "63b", "the stream is reset without an error in the middle of a body with a length",
                .lostWithABC, "fails and keeps the received bytes",
                .send([.ok30, .abc]), .pause(milliseconds: 60),
                .send([.reset(.noError, stream: 1)])
            ),
            reset("64a", "CANCEL", .cancel),
            reset("64b", "INTERNAL_ERROR", .internalError),
            reset("64c", "STREAM_CLOSED", .streamClosed),
            reset("64d", "an unknown code", .unknown),
            http2(
                "64e", "the stream is reset with INTERNAL_ERROR before the head", .lost, "fails",
                .send([.reset(.internalError, stream: 1)])),
            http2(
                "64f", "the stream is reset with INTERNAL_ERROR after the end of the response",
                .response(200, body: "abc"), "delivers the response, which is complete",
                .send([.ok, .abc, .end, .reset(.internalError, stream: 1)])),
            Fault(
                "64g",
                "413 during the upload, then a stream reset without an error",
                .response(413, body: "abc"), "delivers the response",
                .http2([
                    .beginHTTP2([]), .frames(.data, count: 1),
                    .send(
                        HTTP2Frame.response(413, body: "abc", stream: 1)
                            + [.reset(.noError, stream: 1)]), .serve,
                ])
            ) {
                ($0.method, $0.body) = ("PUT", Data(repeating: 0x61, count: 1_000_000))
            },
            http2(
                "64h",
                "the stream is reset with HTTP_1_1_REQUIRED by a server that only supports HTTP/2",
                .either(.lost, .failure(.handshake)), "fails",
                .send([.reset(.http11Required, stream: 1)])
            ) { $0.isServerWellAfterwards = false },
            Fault(
                "65a", "the stream is refused once", .good,
                "sends the request again once, on a new connection",
                .http2(refused)
            ) { $0.requestCount = 3 },
            Fault(
                "65b", "every stream is refused", .refused, "fails after sending the request twice",
                FaultScript(repeating: refused, count: 2, speaksHTTP2: true)
            ) { $0.requestCount = 3 },
            Fault(
                "65c", "the stream of a POST is refused once", .good,
                "sends the request again once, on a new connection",
                .http2(refused)
            ) {
                ($0.method, $0.body) = ("POST", Data("once".utf8))
                $0.requestCount = 3
            },
            keptHTTP2Post(
                "65d", "the stream is refused", .good,
                "sends the request again once, on a new connection",
                .send([.reset(.refusedStream, stream: 3)])),
            Fault(
                "65e", "every stream of a POST is refused", .refused,
                "fails after sending the request twice",
                FaultScript(repeating: refused, count: 2, speaksHTTP2: true)
            ) {
                ($0.method, $0.body) = ("POST", Data("twice".utf8))
                $0.requestCount = 3
            },
            http2(
                "68a", "the connection ends in the middle of the body", .lostWithABC,
                "fails and keeps the received bytes", .send([.ok, .abc]), .close),
            http2("68b", "the connection ends before the head", .lost, "fails", .close),
            http2(
                "68c", "the connection ends in the middle of a frame", .lostWithABC,
                "fails and keeps the received bytes",
                .send([.ok, .abc, HTTP2Frame(.data, stream: 1, declaredLength: 100)]), .close),
            http2(
                "68d", "the connection is reset in the middle of the body", .lost, "fails",
                .send([.ok, .abc]), .pause(milliseconds: 60), .reset),
        ]
    }
}
