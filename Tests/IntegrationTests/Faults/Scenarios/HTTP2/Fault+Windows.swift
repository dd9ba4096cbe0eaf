import Bluebonnet
import BluebonnetFixtureServer
import Foundation

// Windows of HTTP/2 that are used up, so that a request's body cannot be sent.
extension Fault {
    private static var large: Data { Data(repeating: 0x61, count: 1_000_000) }
    private static var small: Data { Data("body".utf8) }

    private static func upload(
        _ id: String, _ name: String, _ outcome: FaultOutcome, _ reaction: String,
        _ body: Data = large, _ actions: FaultAction..., change: (inout Fault) -> Void = { _ in }
    ) -> Fault {
        Fault(id, name, outcome, reaction, .http2(actions)) {
            ($0.method, $0.body) = ("PUT", body)
            $0.configure = shortIdle
            change(&$0)
        }
    }

    private static let withoutSpinning = "fails at the idle timeout without spinning"

    static var windows: [Fault] {
        [
            upload(
                "72c", "a window of zero bytes for a large request body", .idle, withoutSpinning,
                large,
                .beginHTTP2([.initialWindow(0)]), .frames(.headers, count: 1), .drain),
            upload(
                "72d", "a window of zero bytes for a small request body", .idle, withoutSpinning,
                small,
                .beginHTTP2([.initialWindow(0)]), .frames(.headers, count: 1), .drain),
            upload(
                "72e", "an exhausted window that never opens again", .idle, withoutSpinning,
                large,
                .beginHTTP2([]), .frames(.headers, count: 1), .drain),
            upload(
                "72f", "a window that closes in the middle of a request body", .idle,
                withoutSpinning,
                large, .beginHTTP2([]), .frames(.data, count: 1),
                .send([.settings([.initialWindow(0)])]), .drain),
            upload(
                "72g", "a window of zero bytes that opens later", .good,
                "sends the body when the window opens",
                large,
                .beginHTTP2([.initialWindow(0)]), .frames(.headers, count: 1),
                .pause(milliseconds: 100),
                .send([.windowUpdate(2_000_000, stream: 1), .windowUpdate(2_000_000, stream: 0)]),
                .requestHTTP2(stream: 1), .send(HTTP2Frame.response(body: "good", stream: 1))
            ) { $0.configure = { _, _ in } },
            upload(
                "72h", "a response while the window for the request body is closed",
                .response(413, body: "abc"), "delivers the response", large,
                .beginHTTP2([.initialWindow(0)]), .frames(.headers, count: 1),
                .send(
                    HTTP2Frame.response(413, body: "abc", stream: 1)
                        + [.reset(.noError, stream: 1)]), .serve
            ),
            http2(
                "72i", "an endless body", .failure(.limit(.bodySize)), "fails at the limit",
                .send([.ok]),
                .repeatForever([.data(String(repeating: "a", count: 16_000), stream: 1)])
            ) {
                $0.maximumTurnCount = .max
                $0.configure = { configuration, _ in
                    configuration.maximumResponseBodySize = 2_000_000
                }
            },
        ]
    }
}
