import Bluebonnet
import BluebonnetFixtureServer
import Foundation

// Frames of HTTP/2 that are wrong, or that come where they must not.
extension Fault {
    private static func wrong(
        _ id: String, _ name: String, _ frames: HTTP2Frame...
    ) -> Fault {
        http2(id, name, .lost, "fails", .send([.ok, .abc] + frames), .drain)
    }

    private static func begin(_ id: String, _ name: String, _ actions: FaultAction...) -> Fault {
        Fault(
            id, name, .either(.lost, .idle), "fails, at the latest by the idle timeout",
            .http2(actions + [.drain])
        ) { $0.configure = shortIdle }
    }

    static var frames: [Fault] {
        [
            wrong(
                "69a", "DATA with more padding than it has bytes",
                HTTP2Frame(.data, flags: .isPadded, stream: 1, payload: [200, 0x61])),
            http2(
                "69b", "HEADERS with more padding than it has bytes", .lost, "fails",
                .send([HTTP2Frame(.headers, flags: .isPadded, stream: 1, payload: [200, 0x88])]),
                .drain
            ),
            http2(
                "69c", "a frame larger than the client allows", .lost, "fails",
                .send([
                    .ok, .abc,
                    HTTP2Frame(
                        .data, stream: 1, payload: Array(repeating: 0x61, count: 100_000)),
                ]), .drain),
            wrong("69d", "DATA on the connection", HTTP2Frame(.data, stream: 0, payload: [0x61])),
            wrong("69e", "DATA on an unopened stream", .data("a", stream: 7)),
            wrong(
                "69f", "a response on an unopened stream",
                .headers([.status(200)], stream: 7)),
            wrong(
                "69g", "a response on a stream reserved for the server",
                .headers([.status(200)], stream: 2)
            ),
            wrong(
                "69h", "SETTINGS of five bytes", HTTP2Frame(.settings, payload: [0, 0, 0, 0, 0])),
            wrong(
                "69i", "SETTINGS on a stream",
                HTTP2Frame(.settings, stream: 1, payload: [])),
            wrong(
                "69j", "a window of more than 2³¹ − 1 bytes in SETTINGS",
                .settings([.initialWindow(0x8000_0000)])),
            wrong(
                "69k", "SETTINGS from the server that enable push", .settings([.enablePush(1)])
            ),
            wrong("69l", "PING of seven bytes", .ping(Array(repeating: 0, count: 7))),
            wrong(
                "69m", "WINDOW_UPDATE by zero for the connection", .windowUpdate(0, stream: 0)),
            wrong(
                "69n", "WINDOW_UPDATE beyond 2³¹ − 1 for the connection",
                .windowUpdate(0x7FFF_FFFF, stream: 0)),
            wrong(
                "69o", "CONTINUATION without HEADERS",
                .continuation([.literal("a", "b")], stream: 1)),
            wrong(
                "69p", "another frame between HEADERS and CONTINUATION",
                .headers([.literal("a", "b")], stream: 1, endsStream: true, isWhole: false), .ping()
            ),
            wrong(
                "69q", "RST_STREAM of three bytes",
                HTTP2Frame(.reset, stream: 1, payload: [0, 0, 0])),
            wrong("69r", "GOAWAY of four bytes", HTTP2Frame(.goAway, payload: [0, 0, 0, 0])),
            wrong(
                "69s", "a header block with an unknown HPACK index",
                .headers([.indexed(100)], stream: 1, endsStream: true)),
            http2(
                "69t", "WINDOW_UPDATE by zero for the stream", .lostWithABC,
                "fails and keeps the received bytes",
                .send([.ok, .abc, .windowUpdate(0, stream: 1)]), .drain
            ) { $0.configure = shortIdle },
            http2(
                "69u", "WINDOW_UPDATE beyond 2³¹ − 1 for the stream", .lost, "fails",
                .send([.ok, .abc, .windowUpdate(0x7FFF_FFFF, stream: 1)]), .drain
            ) { $0.configure = shortIdle },
            begin(
                "69v", "an HTTP/1.1 response to the preface", .receive(24),
                .send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")),
            begin(
                "69w", "bytes other than frames after the preface", .receive(24),
                .send([UInt8](repeating: 0xFF, count: 100))),
            begin(
                "69x", "a response before SETTINGS", .receive(24), .requestHTTP2(stream: 1),
                .send([.ok, .abc, .end])),
            Fault(
                "69y", "the connection ends after the preface", .lost, "fails",
                .http2([.receive(24), .close])),
            Fault(
                "69z", "silence after the preface", .idle, "fails at the idle timeout",
                .http2([.receive(24), .drain])
            ) { $0.configure = shortIdle },
        ]
    }
}
