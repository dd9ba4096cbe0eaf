package import BluebonnetFixtureServer
package import Foundation

/// What the tour's server answers beside its built-in routes.
package enum TourRoutes {
    package static let bigCount = 8 * 1024 * 1024
    package static let interruptedCount = 2 * 1024 * 1024
    package static let user = "lupin"
    package static let password = "texensis"
    package static let secret = "blue"
    package static let cookie = "petals=5"

    /// Commands to try.
    package static let examples = [
        (command: #"curl "$url/flowers?petals=5""#, comment: "JSON"),
        (#"curl --json '{"name":"flax","petals":5}' $url/flowers"#, "adds one"),
        ("curl -d name=flax $url/echo", "your request"),
        ("curl -i $url/status/404", "any status"),
        ("curl -L $url/redirect/3", "3 redirects"),
        ("curl --retry 2 $url/busy", "503 at first"),
        ("curl -m 1 $url/hang", "no response"),
        ("curl -u \(user):\(password) $url/secret", "a login"),
        ("curl -o big.bin $url/big.bin", "8 MiB"),
    ]

    /// The routes of one server, some of which have state.
    package static var all: [String: FixtureServer.Handler] {
        [
            "/big.bin": big,
            "/busy": busy,
            cachedPath: cached,
            "/cookie": cookies,
            "/feed": feed,
            "/flowers": flowers,
            "/interrupted": interrupted,
            "/secret": guarded,
            "/upload": upload,
        ]
    }

    /// The path of what a cache may keep.
    package static let cachedPath = "/cached/flowers"

    /// The bodies of this server, by their length.
    package static func content(_ count: Int) -> Data {
        Data(DeterministicBytes.prefix(count))
    }

    private static let big: FixtureServer.Handler = { _ in
        .script([
            .send(head(length: bigCount)), slow(DeterministicBytes.prefix(bigCount)), .endRequest,
        ])
    }

    /// Sends bytes in half a second, to make progress visible.
    private static func slow(_ bytes: [UInt8]) -> FixtureReply.Step {
        let pieces = 32
        let size = (bytes.count + pieces - 1) / pieces
        return .generate { index in
            guard index * size < bytes.count else { return nil }
            let piece = bytes[index * size..<min((index + 1) * size, bytes.count)]
            return [.send(Array(piece)), .pause(milliseconds: 15)]
        }
    }

    /// Refuses every other request.
    private static var busy: FixtureServer.Handler {
        FixtureServer.cycling([
            .json(#"{"status":503,"error":"busy, try again"}"#, status: 503),
            .json(#"{"status":200}"#),
        ])
    }

    private static let upload: FixtureServer.Handler = { request in
        let isSame = Data(request.body) == content(bigCount)
        return .json(#"{"bytes":\#(request.body.count),"same":\#(isSame)}"#)
    }

    /// Sends half and then nothing for long enough, unless it is asked for the rest.
    private static let interrupted: FixtureServer.Handler = { request in
        let bytes = DeterministicBytes.prefix(interruptedCount)
        guard let range = request.headers["Range"], request.headers["If-Range"] == entityTag,
            range.hasPrefix("bytes="), range.hasSuffix("-"),
            let offset = Int(range.dropFirst(6).dropLast()), bytes.indices.contains(offset)
        else {
            let half = Array(bytes.prefix(interruptedCount / 2))
            return .script([
                .send(head(length: interruptedCount)), .send(half), .pause(milliseconds: 2000),
                .close,
            ])
        }
        let head = FixtureReply.Step.head(
            status: 206,
            headers: [
                ("Content-Type", "application/octet-stream"),
                ("Content-Range", "bytes \(offset)-\(interruptedCount - 1)/\(interruptedCount)"),
                ("Content-Length", "\(interruptedCount - offset)"),
                ("ETag", entityTag),
            ])
        return .script([head, slow(Array(bytes[offset...])), .endRequest])
    }

    private static let guarded: FixtureServer.Handler = { request in
        let credential = Data("\(user):\(password)".utf8).base64EncodedString()
        guard request.headers["Authorization"] == "Basic \(credential)" else {
            return .response(
                status: 401, headers: [("WWW-Authenticate", #"Basic realm="the tour""#)]
            )
        }
        return .text(secret)
    }

    /// Sets a cookie, and answers with the one that it was sent.
    private static let cookies: FixtureServer.Handler = { request in
        .response(
            status: 200,
            headers: [("Content-Type", "text/plain"), ("Set-Cookie", cookie)],
            body: Array((request.headers["Cookie"] ?? "").utf8)
        )
    }

    /// The flowers, or those with as many petals as the query asks for; a POST adds one.
    private static let flowers: FixtureServer.Handler = { request in
        guard request.method == "POST" else {
            let query = URLComponents(string: "?\(request.query ?? "")")?.queryItems ?? []
            let petals = query.first { $0.name == "petals" }?.value
            return json(knownFlowers.filter { petals == nil || petals == "\($0.petals)" })
        }
        guard let flower = try? JSONDecoder().decode(Flower.self, from: Data(request.body)) else {
            return json(["error": "a flower has a name and petals"], status: 400)
        }
        guard !knownFlowers.contains(where: { $0.name == flower.name }) else {
            return json(["error": "there is a \(flower.name) already"], status: 409)
        }
        return json(flower, status: 201)
    }

    private static let cached: FixtureServer.Handler = { _ in
        let body = #"[{"name":"bluebonnet","petals":5}]"#
        return .response(
            status: 200,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "max-age=60")],
            body: Array(body.utf8))
    }

    /// Sends an event in each twentieth of a second, and ends.
    private static let feed: FixtureServer.Handler = { _ in
        let head = FixtureReply.Step.head(
            status: 200, headers: [("Content-Type", "text/event-stream"), ("Connection", "close")])
        let words = ["seed", "leaf", "bud", "flower"]
        let events = words.flatMap { word -> [FixtureReply.Step] in
            [.send(Array("data: \(word)\n\n".utf8)), .pause(milliseconds: 50)]
        }
        return .script([head] + events + [.close])
    }

    private static func json(_ value: some Encodable, status: Int = 200) -> FixtureReply {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let body = (try? encoder.encode(value)) ?? Data()
        return .json(String(decoding: body, as: UTF8.self), status: status)
    }

    private static let knownFlowers = [
        Flower(name: "bluebonnet", petals: 5), Flower(name: "trillium", petals: 3),
    ]

    private static let entityTag = #""a-tour""#

    private static func head(length: Int) -> [UInt8] {
        let lines = [
            "HTTP/1.1 200 OK",
            "Content-Type: application/octet-stream",
            "Content-Length: \(length)",
            "ETag: \(entityTag)",
        ]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
