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
        "ends it by the idle timeout, which they do not prolong, or as soon as the loop is held up"
    static var floods: [Fault] {
        [
            Fault(
                "71a", "no stream is allowed at all", .idle, "ends it by the idle timeout",
                .http2([.beginHTTP2([.maximumStreams(0)]), .drain])
            ) { $0.configure = idleAfterAll },
            Fault(
                "71b", "one stream is allowed at a time", .good, "lets the next wait for it",
                .http2([
                    .beginHTTP2([.maximumStreams(1)]), .requestHTTP2(stream: 1), .await(signals: 1),
                    .send([.ok]), .pause(milliseconds: 50),
                    .send([.data("good", stream: 1, endsStream: true)]),
                    .serve,
                ])
            ) { $0.hasNextInLine = true },
            Fault(
                "71c", "fewer streams are allowed in the middle of a response", .good,
                "lets the next wait for it",
                .http2([
                    .beginHTTP2([.maximumStreams(100)]), .requestHTTP2(stream: 1),
                    .await(signals: 1),
                    .send([.settings([.maximumStreams(1)]), .ok]), .pause(milliseconds: 50),
                    .send([.data("good", stream: 1, endsStream: true)]), .serve,
                ])
            ) { $0.hasNextInLine = true },
            flood("71d", "SETTINGS without an end", .lost, "fails", [.settings()]),
            flood("71e", "PING without an end", .lost, "fails", [.ping()]),
            flood(
                "71f", "header fields without an end, in CONTINUATION",
                .failure(.limit(.fieldCount)),
                "fails at the limit",
                [.continuation(many, stream: 1, isWhole: false)],
                after: [.headers([.status(200)] + many, stream: 1, isWhole: false)]
            ),
            flood(
                "71g", "a header block of 10 KB that means 24 MB", .failure(.limit(.headSize)),
                "fails at the limit", [.ping()],
                after: [.headers(bomb, stream: 1)]
            ) {
                // One block is one call of libcurl's, and most of it is the HTTP/2 library's own work.
                $0.turnAllowance = 3
            },
            flood(
                "71h", "PUSH_PROMISE without an end", .lost, "fails",
                [
                    .pushPromise(
                        [.literal(":method", "GET"), .literal(":path", "/")], on: 1, promising: 2)
                ]),
            flood(
                "71i", "CONTINUATION without anything in it, without an end", .lost, "fails",
                [.continuation([], stream: 1, isWhole: false)],
                after: [.headers([.status(200)], stream: 1, isWhole: false)]),
            flood(
                "71j", "frames that nobody knows, without an end", ended, untilThen,
                [HTTP2Frame(.unknown, stream: 1, payload: [1, 2, 3])]),
            flood(
                "71k", "PRIORITY without an end", ended, untilThen,
                [HTTP2Frame(.priority, stream: 1, payload: [0, 0, 0, 0, 1])]),
            flood(
                "71l", "WINDOW_UPDATE by one byte, without an end", ended, untilThen,
                [.windowUpdate(1, stream: 0)]),
            flood(
                "71m", "DATA without anything in it, without an end", ended, untilThen,
                [.data("", stream: 1)], after: [.ok]),
            flood(
                "71n", "DATA with nothing but padding, without an end", ended, untilThen,
                [
                    HTTP2Frame(
                        .data, flags: .isPadded, stream: 1,
                        payload: [255] + Array(repeating: 0, count: 255))
                ],
                after: [.ok]),
            flood(
                "71o", "DATA of one byte, without an end", .failure(.limit(.bodySize)),
                "fails at the limit", [.data("a", stream: 1)], after: [.ok]
            ) {
                $0.configure = { configuration, _ in
                    configuration.maximumResponseBodySize = 200_000
                }
            },
            flood(
                "71p", "102 without an end", .failure(.limit(.interimResponseCount)), "fails",
                [.headers([.status(102)], stream: 1)]),
            flood(
                "71q", "RST_STREAM without an end", .lost, "fails",
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
                "71t", "a trailer of 10 KB that means 24 MB", .lost,
                "fails: libcurl has a limit of its own",
                .send([.ok, .abc, .headers(Array(bomb.dropFirst()), stream: 1, endsStream: true)])),
            http2(
                "71u", "a thousand PING, whose answers the server reads", .good,
                "answers them, and takes the response",
                .send((0..<500).map { _ in .ping() }), .frames(.ping, count: 500),
                .send((0..<500).map { _ in .ping() }), .frames(.ping, count: 500),
                .send(HTTP2Frame.response(body: "good", stream: 1))),
            flood(
                "71v", "sizes of HPACK's table, without an end", .lost, "fails",
                [
                    .continuation(
                        Array(repeating: .tableSize(0), count: 1000), stream: 1, isWhole: false)
                ],
                after: [HTTP2Frame(.headers, stream: 1)]),
        ]
    }
}
