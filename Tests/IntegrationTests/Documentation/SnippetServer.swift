import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation

/// The server that the snippets of the articles talk to.
///
/// It answers by the first route of `Program/routes.json` that fits a request, and everything else
/// with 404.
struct SnippetServer {
    struct Route: Decodable, Sendable {
        /// A method; nil for every one.
        var method: String?
        /// A path, in which `*` stands for anything.
        var path: String
        var status: Int?
        var headers: [String: String]?
        /// The body, JSON unless the header fields have another type.
        var body: String?
        /// The length of a body of bytes, which answers range requests.
        var length: Int?

        func matches(_ request: FixtureRequest) -> Bool {
            guard method == nil || method == request.method else { return false }
            return fnmatch(path, request.path, 0) == 0
        }
    }

    private let server: FixtureServer

    init() throws {
        let file = PackageDirectory.url(
            of: "Tests/IntegrationTests/Documentation/Program/routes.json")
        let routes = try JSONDecoder().decode([Route].self, from: Data(contentsOf: file))
        server = try FixtureServer(handler: { request in
            routes.first { $0.matches(request) }.map { Self.reply($0, to: request) }
                ?? .json(#"{"error":"not found"}"#, status: 404)
        })
    }

    var baseURL: String { server.baseURL }

    func stop() { server.stop() }

    private static func reply(_ route: Route, to request: FixtureRequest) -> FixtureReply {
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
