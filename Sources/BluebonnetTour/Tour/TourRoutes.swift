import Bluebonnet
import BluebonnetFixtureServer

/// What the tour's server answers beside its built-in routes.
enum TourRoutes {
    static let bigCount = 8 * 1024 * 1024
    static let interruptedCount = 2 * 1024 * 1024
    static let user = "lupin"
    static let password = "texensis"
    static let secret = "blue"
    static let cookie = "petals=5"

    /// The routes of one server, some of which have state.
    static var all: [String: FixtureServer.Handler] {
        [
            "/big.bin": big,
            "/busy": busy(),
            "/cookie": cookies,
            "/flowers": flowers,
            "/interrupted": interrupted,
            "/secret": guarded,
            "/upload": upload,
        ]
    }

    /// The bodies of this server, by their length.
    static func content(_ count: Int) -> Data {
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

    /// Returns a handler that refuses every other request.
    private static func busy() -> FixtureServer.Handler {
        let isRefused = Locked(false)
        return { _ in
            let refuses = isRefused.withLock { isRefused in
                isRefused.toggle()
                return isRefused
            }
            guard refuses else { return .json(#"{"status":200}"#) }
            return .json(#"{"status":503,"error":"busy, try again"}"#, status: 503)
        }
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
