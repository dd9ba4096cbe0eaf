import Bluebonnet
import BluebonnetFixtureServer
import Foundation

// Limits of an HTTP/2 server's, and floods of frames that carry nothing.
extension Fault {
    private static func flood(
        _ id: String, _ name: String, _ outcome: FaultOutcome, _ reaction: String,
        _ frames: [HTTP2Frame], after before: [HTTP2Frame] = [],
        change: (inout Fault) -> Void = { _ in }
    ) -> Fault {
        http2(id, name, outcome, reaction, .send(before), .repeatForever(frames)) {
            $0.configure = idleAfterAll
            $0.maximumTurnCount = .max
            change(&$0)
        }
    }

    private static let many: [HPACKField] = (0..<400).map { .literal("x-\($0)", "y") }
    private static let large = String(repeating: "y", count: 4000)
    private static let bomb: [HPACKField] =
        [.status(200), .remembered("x-bomb", large)]
        + Array(repeating: .indexed(62), count: 6000)

    private static var ended: FaultOutcome { .either(.idle, .lost) }
    private static let untilThen =
        "fails at the idle timeout, which these frames do not extend, or if they delay the loop"
    static var floods: [Fault] {
        [
            Fault(
                "71a", "no stream is allowed", .idle, "fails at the idle timeout",
                .http2([.beginHTTP2([.maximumStreams(0)]), .drain])
            ) { $0.configure = idleAfterAll },
            Fault(
                "71b", "one stream is allowed at a time", .good, "queues the next request",
                .http2([
                    .beginHTTP2([.maximumStreams(1)]), .requestHTTP2(stream: 1), .await(signals: 1),
                    .send([.ok]), .pause(milliseconds: 50),
                    .send([.data("good", stream: 1, endsStream: true)]),
                    .serve,
                ])
            ) { $0.hasNextInLine = true },
            Fault(
                "71c", "the server lowers the stream limit during a response", .good,
                "queues the next request",
                .http2([
                    .beginHTTP2([.maximumStreams(100)]), .requestHTTP2(stream: 1),
                    .await(signals: 1),
                    .send([.settings([.maximumStreams(1)]), .ok]), .pause(milliseconds: 50),
                    .send([.data("good", stream: 1, endsStream: true)]), .serve,
                ])
            ) { $0.hasNextInLine = true },
            flood("71d", "endless SETTINGS frames", .lost, "fails", [.settings()]),
            flood("71e", "endless PING frames", .lost, "fails", [.ping()]),
            flood(
                "71f", "endless header fields in CONTINUATION frames",
                .failure(.limit(.fieldCount)),
                "fails at the limit",
                [.continuation(many, stream: 1, isWhole: false)],
                after: [.headers([.status(200)] + many, stream: 1, isWhole: false)]
            ),
            flood(
                "71g", "a header block of 10 KB that expands to 24 MB", .failure(.limit(.headSize)),
                "fails at the limit", [.ping()],
                after: [.headers(bomb, stream: 1)]
            ) {
                // One block is one call of libcurl's, and most of it is the HTTP/2 library's own work.
                $0.turnAllowance = 3
            },
            flood(
                "71h", "endless PUSH_PROMISE frames", .lost, "fails",
                [
                    .pushPromise(
                        [.literal(":method", "GET"), .literal(":path", "/")], on: 1, promising: 2)
                ]),
            flood(
                "71i", "endless empty CONTINUATION frames", .lost, "fails",
                [.continuation([], stream: 1, isWhole: false)],
                after: [.headers([.status(200)], stream: 1, isWhole: false)]),
            flood(
                "71j", "endless frames of an unknown type", ended, untilThen,
                [HTTP2Frame(.unknown, stream: 1, payload: [1, 2, 3])]),
            flood(
                "71k", "endless PRIORITY frames", ended, untilThen,
                [HTTP2Frame(.priority, stream: 1, payload: [0, 0, 0, 0, 1])]),
            flood(
                "71l", "endless WINDOW_UPDATE frames of one byte", ended, untilThen,
                [.windowUpdate(1, stream: 0)]),
            flood(
                "71m", "endless empty DATA frames", ended, untilThen,
                [.data("", stream: 1)], after: [.ok]),
            flood(
                "71n", "endless DATA frames with only padding", ended, untilThen,
                [
                    HTTP2Frame(
                        .data, flags: .isPadded, stream: 1,
                        payload: [255] + Array(repeating: 0, count: 255))
                ],
                after: [.ok]),
            flood(
                "71o", "endless DATA frames of one byte", .failure(.limit(.bodySize)),
                "fails at the limit", [.data("a", stream: 1)], after: [.ok]
            ) {
                $0.configure = { configuration, _ in
                    configuration.maximumResponseBodySize = 200_000
                }
            },
            flood(
                "71p", "an endless series of 102 responses",
                .failure(.limit(.interimResponseCount)), "fails",
                [.headers([.status(102)], stream: 1)]),
            flood(
                "71q", "endless RST_STREAM frames", .lost, "fails",
                [.reset(.internalError, stream: 1)]),
            http2(
                "71r", "1,400 header fields", .failure(.limit(.fieldCount)), "fails at the limit",
                .send([
                    .headers([.status(200)] + many, stream: 1, isWhole: false),
                    .continuation(many, stream: 1, isWhole: false),
                    .continuation(many, stream: 1, isWhole: false),
                    .continuation(many, stream: 1), .abc, .end,
                ])),
            http2(
                "71s", "a trailer of 400 fields", .failure(.limit(.trailerFieldCount)),
                "fails at the limit",
                .send([.ok, .abc, .headers(many, stream: 1, endsStream: true)])),
            http2(
                "71t", "a trailer of 10 KB that expands to 24 MB", .lost,
                "fails at a limit of libcurl",
                .send([.ok, .abc, .headers(Array(bomb.dropFirst()), stream: 1, endsStream: true)])),
            http2(
                "71u", "1,000 PING frames whose answers the server reads", .good,
                "answers them and delivers the response",
                .send((0..<500).map { _ in .ping() }), .frames(.ping, count: 500),
                .send((0..<500).map { _ in .ping() }), .frames(.ping, count: 500),
                .send(HTTP2Frame.response(body: "good", stream: 1))),
            flood(
                "71v", "endless HPACK table size updates", .lost, "fails",
                [
                    .continuation(
                        Array(repeating: .tableSize(0), count: 1000), stream: 1, isWhole: false)
                ],
                after: [HTTP2Frame(.headers, stream: 1)]),
        ]
    }
}
