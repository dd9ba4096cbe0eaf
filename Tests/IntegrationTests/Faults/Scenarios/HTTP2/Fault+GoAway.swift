import Bluebonnet
import BluebonnetFixtureServer
import Foundation

// Connections of HTTP/2 that the server ends, or says that it will end (RFC 9113 section 6.8).
extension Fault {
    private static func goingAway(
        _ id: String, _ name: String, _ outcome: FaultOutcome, _ reaction: String,
        _ frame: HTTP2Frame, _ last: FaultAction, change: (inout Fault) -> Void = { _ in }
    ) -> Fault {
        http2(
            id, "GOAWAY \(name)", outcome, reaction, .send([frame]), last, change: change)
    }

    private static let resends = "sends the request again once, on a new connection"

    private static let once = "fails, because the server may have processed the POST"

    private static func sentTwice(_ fault: inout Fault) {
        fault.isServerWellAfterwards = false
        fault.check = { _, server in
            server.requests.count <= 2 ? nil : "it was sent \(server.requests.count) times"
        }
    }

    static var goingAway: [Fault] {
        [
            goingAway(
                "66a",
                "without an error that excludes the request, then the end of the connection",
                .good, resends, .goAway(.noError, last: 0), .close),
            goingAway(
                "66b", "with INTERNAL_ERROR, then the end of the connection", .lost, "fails",
                .goAway(.internalError, last: 1), .close),
            goingAway(
                "66c", "followed by silence", .idle, "fails at the idle timeout",
                .goAway(.noError, last: 1), .drain
            ) { $0.configure = shortIdle },
            goingAway(
                "66d", "that excludes the request, followed by silence", .good, resends,
                .goAway(.noError, last: 0), .drain),
            Fault(
                "66e", "GOAWAY on every connection, excluding the request", .refused,
                "fails after sending the request twice",
                FaultScript(
                    repeating: asked + [.send([.goAway(.noError, last: 0)]), .drain], count: 2,
                    speaksHTTP2: true), sentTwice),
            goingAway(
                "66f", "that excludes a POST", .good, resends, .goAway(.noError, last: 0), .drain
            ) {
                ($0.method, $0.body) = ("POST", Data("once".utf8))
                $0.requestCount = 3
            },
            http2(
                "66g", "GOAWAY in the middle of a response that continues",
                .response(200, body: "abc"),
                "delivers the response and uses a new connection for the next request",
                .send([.ok, .goAway(.noError, last: 1), .abc]), .pause(milliseconds: 30),
                .send([.end]),
                .drain
            ) { $0.connectionCount = 2 },
            http2(
                "66h", "GOAWAY after the response, on a connection that stays open", .good,
                "uses a new connection for the next request",
                .send(HTTP2Frame.response(body: "good", stream: 1)),
                .send([.goAway(.noError, last: 1)]), .drain
            ) { ($0.connectionCount, $0.requestCount) = (2, 2) },
            keptHTTP2Post(
                "66i", "GOAWAY that excludes the request, then the end of the connection", .good,
                resends, .send([.goAway(.noError, last: 1)]), .close),
            keptHTTP2Post(
                "66j", "GOAWAY that includes the request, then the end of the connection", .lost,
                once, .send([.goAway(.noError, last: 3)]), .close),
            keptHTTP2Post(
                "66k", "GOAWAY that includes the request, then a reset of the connection", .lost,
                once, .send([.goAway(.noError, last: 3)]), .pause(milliseconds: 60), .reset),
            keptHTTP2Post("66l", "the connection is reset", .lost, once, .reset),
            keptHTTP2Post("66m", "the connection ends", .lost, once, .close),
            keptHTTP2Post(
                "66n", "the stream is reset with INTERNAL_ERROR", .lost, once,
                .send([.reset(.internalError, stream: 3)])),
            keptHTTP2Post(
                "66o", "the server sends a GOAWAY of four bytes", .either(.lost, .idle), once,
                .send([HTTP2Frame(.goAway, payload: [0, 0, 0, 0])]), .drain
            ) { $0.configure = shortIdle },
            Fault(
                "67a", "GOAWAY with ENHANCE_YOUR_CALM on every connection", .refused,
                "fails after sending the request at most twice",
                FaultScript(
                    repeating: asked + [.send([.goAway(.enhanceYourCalm, last: 0)]), .close],
                    count: 2,
                    speaksHTTP2: true), sentTwice),
            goingAway(
                "67b", "with ENHANCE_YOUR_CALM that includes the request", .lost,
                "fails and does not send the request again", .goAway(.enhanceYourCalm, last: 1),
                .close
            ) { $0.requestCount = 2 },
            http2(
                "67c", "the stream is reset with ENHANCE_YOUR_CALM", .lost,
                "fails and does not send the request again",
                .send([.reset(.enhanceYourCalm, stream: 1)])
            ) { $0.requestCount = 2 },
        ]
    }
}
