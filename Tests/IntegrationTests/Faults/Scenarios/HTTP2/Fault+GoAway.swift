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

    private static let resends = "sends it again, once, on a new connection"

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
                "without an error that leaves the request out, and the end of the connection",
                .good, resends, .goAway(.noError, last: 0), .close),
            goingAway(
                "66b", "with INTERNAL_ERROR, and the end of the connection", .lost, "fails",
                .goAway(.internalError, last: 1), .close),
            goingAway(
                "66c", "and silence", .idle, "ends it by the idle timeout",
                .goAway(.noError, last: 1), .drain
            ) { $0.configure = shortIdle },
            goingAway(
                "66d", "that leaves the request out, and silence", .good, resends,
                .goAway(.noError, last: 0), .drain),
            Fault(
                "66e", "GOAWAY on every connection that leaves the request out", .lost,
                "fails after it was sent twice",
                FaultScript(
                    repeating: asked + [.send([.goAway(.noError, last: 0)]), .drain], count: 2,
                    speaksHTTP2: true), sentTwice),
            goingAway(
                "66f", "that leaves a POST out", .lost,
                "fails: libcurl does not tell it from a lost connection, and a POST is never sent twice",
                .goAway(.noError, last: 0), .drain
            ) {
                ($0.method, $0.body) = ("POST", Data("once".utf8))
                $0.requestCount = 2
            },
            http2(
                "66g", "GOAWAY in the middle of the response, which goes on",
                .response(200, body: "abc"),
                "takes the response, and a new connection for the next",
                .send([.ok, .goAway(.noError, last: 1), .abc]), .pause(milliseconds: 30),
                .send([.end]),
                .drain
            ) { $0.connectionCount = 2 },
            http2(
                "66h", "GOAWAY behind the response, and the connection stays", .good,
                "takes a new connection for the next",
                .send(HTTP2Frame.response(body: "good", stream: 1)),
                .send([.goAway(.noError, last: 1)]), .drain
            ) { ($0.connectionCount, $0.requestCount) = (2, 2) },
            Fault(
                "67a", "GOAWAY with ENHANCE_YOUR_CALM on every connection", .lost,
                "fails after it was sent twice at most",
                FaultScript(
                    repeating: asked + [.send([.goAway(.enhanceYourCalm, last: 0)]), .close],
                    count: 2,
                    speaksHTTP2: true), sentTwice),
            goingAway(
                "67b", "with ENHANCE_YOUR_CALM, and the server has looked at the request", .lost,
                "fails; it is not sent again", .goAway(.enhanceYourCalm, last: 1), .close
            ) { $0.requestCount = 2 },
            http2(
                "67c", "the stream is reset with ENHANCE_YOUR_CALM", .lost,
                "fails; it is not sent again", .send([.reset(.enhanceYourCalm, stream: 1)])
            ) { $0.requestCount = 2 },
        ]
    }
}
