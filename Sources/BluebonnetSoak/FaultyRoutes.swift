import Bluebonnet
import BluebonnetFixtureServer

/// The responses of the faulty server, by path.
enum FaultyRoutes {
    static var all: [String: FixtureServer.Handler] {
        var all = Dictionary(uniqueKeysWithValues: faults.map { ("/" + $0.key, $0.value) })
            .merging(good) { fault, _ in fault }
        all["/count"] = counter()
        return all
    }

    /// Returns a handler that counts the bytes of a body and detects a repeated POST.
    ///
    /// The query of a POST identifies its task.
    private static func counter() -> FixtureServer.Handler {
        let posted = Locked(Set<String>())
        return { request in
            let isNew =
                request.method != "POST"
                || posted.withLock { $0.insert(request.query ?? "").inserted }
            return .text(isNew ? "\(request.body.count)" : "the same POST again")
        }
    }

    /// Every good response names the task that it belongs to.
    private static let good: [String: FixtureServer.Handler] = [
        "/mark": { .text($0.query ?? "") },
        // Closes the connection without having announced it.
        "/last": { request in
            let text = request.query ?? ""
            return .raw("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
        },
        // Sends a second, unrequested response before another request can be sent.
        "/poison": { request in
            let text = request.query ?? ""
            return .raw(
                "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nPOISON", then: .endRequest)
        },
    ]

    /// The faulty responses, each of which must make its task fail.
    static let faults: [String: FixtureServer.Handler] = [
        "silence": { _ in .script([.close]) },
        "reset": { _ in .script([.reset]) },
        "cut-status": { _ in .raw("HTTP/1.") },
        "cut-head": { _ in .raw("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n") },
        "cut-body": { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\nshort") },
        "reset-body": { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\nshort", then: .reset)
        },
        "cut-chunks": { _ in chunked("5\r\nshort\r\n") },
        "bad-chunk": { _ in chunked("zz\r\nshort\r\n0\r\n\r\n") },
        "two-lengths": { _ in
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nshort")
        },
        "bad-length": { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nshort") },
        "garbage": { _ in .raw("SSH-2.0-OpenSSH_9.2\r\n") },
        "endless-head": { _ in
            .script([
                .send(Array("HTTP/1.1 200 OK\r\n".utf8)), .repeatForever(Array("A: b\r\n".utf8)),
            ])
        },
        "many-fields": { _ in
            .raw(
                "HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 2_000)
                    + "Content-Length: 0\r\n\r\n", then: .endRequest)
        },
        "interim": { _ in
            .raw(String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 100), then: .close)
        },
        "stall": { _ in .script([.hold]) },
        "stall-head": { _ in .script([.send(Array("HTTP/1.1 200 OK\r\nA".utf8)), .hold]) },
        "stall-body": { _ in
            .script([.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx".utf8)), .hold])
        },
        "drip-head": { _ in
            .script([
                .send(Array("HTTP/1.1 200 OK\r\n".utf8)),
                .generate { _ in [.send(Array("A: b\r\n".utf8)), .pause(milliseconds: 300)] },
            ])
        },
        "drip-body": { _ in
            .script([
                .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n".utf8)),
                .generate { _ in [.send([120]), .pause(milliseconds: 300)] },
            ])
        },
        "cut-gzip": { _ in
            .response(
                status: 200, headers: [("Content-Encoding", "gzip")],
                body: [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 75])
        },
        "loop": { _ in .response(status: 302, headers: [("Location", "/loop")]) },
        "early-refusal": { _ in .text("too much", status: 413) },
    ]

    private static func chunked(_ body: String) -> FixtureReply {
        .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body)
    }
}
