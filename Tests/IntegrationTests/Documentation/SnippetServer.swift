import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation

/// The server that the snippets of the articles talk to.
///
/// The first matching route of `Program/routes.json` answers a request. Without one, it responds
/// with 404.
struct SnippetServer {
    struct Route: Decodable, Sendable {
        /// A method; nil for every one.
        var method: String?
        /// A path, in which `*` stands for anything.
        var path: String
        /// The content type of the request's body; nil for every one.
        var type: String?
        var status: Int?
        var headers: [String: String]?
        /// The body, JSON unless the header fields have another type.
        var body: String?
        /// The length of a body of bytes, which answers range requests.
        var length: Int?
        /// Whether the server never responds.
        var hangs: Bool?
        /// Whether the server closes the connection after half of the body.
        var breaksOff: Bool?

        func matches(_ request: FixtureRequest) -> Bool {
            guard method == nil || method == request.method else { return false }
            guard type == nil || type == request.headers["Content-Type"] else { return false }
            return fnmatch(path, request.path, 0) == 0
        }
    }

    private let server: FixtureServer
    /// The same server over TLS, with a certificate that no client trusts.
    private let privateServer: FixtureServer
    /// A server without TLS that responds to any bytes with an error, as nginx does.
    private let plainServer: RawServer

    init() throws {
        let file = PackageDirectory.url(
            of: "Tests/IntegrationTests/Documentation/Program/routes.json")
        let routes = try JSONDecoder().decode([Route].self, from: Data(contentsOf: file))
        let handler: FixtureServer.Handler = { request in
            routes.first { $0.matches(request) }.map { Self.reply($0, to: request) }
                ?? .json(#"{"error":"not found"}"#, status: 404)
        }
        server = try FixtureServer(handler: handler)
        privateServer = try FixtureServer(identity: LoopbackIdentity(), handler: handler)
        plainServer = try RawServer { connection, _ in
            _ = connection.read(1)
            connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        }
    }

    var baseURL: String { server.baseURL }

    func stop() {
        server.stop()
        privateServer.stop()
    }

    /// Returns a text of an article with this server in place of its hosts.
    func localText(_ text: String) -> String {
        text.replacing("https://private.example.com", with: privateServer.baseURL)
            .replacing("https://plain.example.com", with: "https://127.0.0.1:\(plainServer.port)")
            .replacing(
                #/https?:\/\/(([a-z\-]+\.)*example\.(com|org|net)|127\.0\.0\.1:8080)/#,
                with: server.baseURL)
    }

    /// Returns a text of a program with the hosts of the articles in place of this server.
    func articleText(_ text: String) -> String {
        text.replacing(server.baseURL, with: "https://api.example.com")
            .replacing("127.0.0.1:\(plainServer.port)", with: "plain.example.com:443")
            .replacing("127.0.0.1:\(privateServer.port)", with: "private.example.com:443")
            .replacing("://plain.example.com:443", with: "://plain.example.com")
            .replacing("://private.example.com:443", with: "://private.example.com")
            .replacing(#/\/tmp\/[0-9A-F\-]{36}\//#, with: "/srv/")
    }

    private static func reply(_ route: Route, to request: FixtureRequest) -> FixtureReply {
        if route.hangs == true { return .script([.hold]) }
        if route.breaksOff == true {
            let fields = [("Content-Type", "text/plain"), ("Content-Length", "10")]
            return .script([
                .head(status: 200, headers: fields), .send(Array("half\n".utf8)), .close,
            ])
        }
        var headers = route.headers ?? [:]
        if let length = route.length {
            headers["ETag"] = #""1""#
            let bytes = DeterministicBytes.prefix(length)
            let range = request.headers["Range"]?.wholeMatch(of: #/bytes=(\d+)-/#)
            guard let start = range.flatMap({ Int($0.output.1) }), start < length else {
                return .response(status: 200, headers: headers.map { ($0, $1) }, body: bytes)
            }
            headers["Content-Range"] = "bytes \(start)-\(length - 1)/\(length)"
            return .response(
                status: 206, headers: headers.map { ($0, $1) }, body: Array(bytes[start...]))
        }
        let body = route.body ?? ""
        if !body.isEmpty, headers["Content-Type"] == nil {
            headers["Content-Type"] = "application/json"
        }
        return .response(
            status: route.status ?? 200, headers: headers.map { ($0, $1) }, body: Array(body.utf8))
    }
}
