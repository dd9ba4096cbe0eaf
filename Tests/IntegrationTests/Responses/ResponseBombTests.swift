import Bluebonnet
import BluebonnetFixtureServer
import Testing

@Suite("Responses crafted to do harm", .timeLimit(.minutes(5)))
struct ResponseBombTests {
    /// A response with a number of some element.
    struct Bomb: Sendable, CustomTestStringConvertible {
        let limit: Exchange.Failure.Limit
        /// The number allowed by default.
        let allowed: Int
        /// The number allowed after `lower`.
        let lowered: Int
        let lower: @Sendable (inout SessionConfiguration, Int) -> Void
        let response: @Sendable (Int) -> [UInt8]

        var testDescription: String { limit.rawValue }
    }

    static let bombs = [
        Bomb(limit: .fieldCount, allowed: 1000, lowered: 5) {
            $0.maximumResponseHeaderCount = $1
        } response: { count in
            // One of them is the length.
            head(String(repeating: "A: b\r\n", count: count - 1) + "Content-Length: 1\r\n", "x")
        },
        Bomb(limit: .headSize, allowed: 256 * 1024, lowered: 1000) {
            $0.maximumResponseHeadSize = $1
        } response: { size in
            let rest = size - head("Content-Length: 1\r\n", "").count
            return head(lines(rest) + "Content-Length: 1\r\n", "x")
        },
        Bomb(limit: .trailerFieldCount, allowed: 100, lowered: 5) {
            $0.maximumTrailerCount = $1
        } response: { count in
            trailer(String(repeating: "A: b\r\n", count: count))
        },
        Bomb(limit: .trailerSize, allowed: 64 * 1024, lowered: 1000) {
            $0.maximumTrailerSize = $1
        } response: { size in
            trailer(lines(size))
        },
        Bomb(limit: .interimResponseCount, allowed: 16, lowered: 2) {
            $0.maximumInterimResponses = $1
        } response: { count in
            Array(String(repeating: "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\n", count: count).utf8)
                + head("Content-Length: 1\r\n", "x")
        },
        Bomb(limit: .contentCodingCount, allowed: 4, lowered: 1) {
            $0.maximumContentCodings = $1
        } response: { count in
            // An empty body is complete in every coding.
            let codings = Array(repeating: "gzip", count: count).joined(separator: ", ")
            return head("Content-Encoding: \(codings)\r\nContent-Length: 0\r\n", "")
        },
    ]

    private static func head(_ fields: String, _ body: String) -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\(body)".utf8)
    }

    private static func trailer(_ fields: String) -> [UInt8] {
        head("Transfer-Encoding: chunked\r\n", "1\r\nx\r\n0\r\n\(fields)\r\n")
    }

    /// Returns field lines of this total size, none longer than libcurl accepts in a trailer.
    private static func lines(_ size: Int) -> String {
        var rest = size
        var text = ""
        while rest > 0 {
            // The last ones share the rest, so that none is too short to be a line.
            let length = rest > 2000 ? 1000 : rest > 1000 ? rest / 2 : rest
            text += "A: \(String(repeating: "b", count: length - 5))\r\n"
            rest -= length
        }
        return text
    }

    let server: FixtureServer

    init() throws {
        server = try FixtureServer()
    }

    private func error(
        of response: [UInt8],
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) async throws -> BluebonnetError? {
        server.route("/bomb") { _ in .raw(response) }
        var configuration = SessionConfiguration()
        change(&configuration)
        let manager = HTTPSessionManager(configuration: configuration)
        let request = URLRequest(url: try #require(URL(string: server.baseURL + "/bomb")))
        return await manager.response(for: request, serializer: HTTPResponseSerializer()).error
    }

    @Test("the limit is accepted, and one more fails and names its limit", arguments: bombs)
    func limits(bomb: Bomb) async throws {
        for count in [bomb.allowed - 1, bomb.allowed] {
            let error = try await error(of: bomb.response(count))
            #expect(error == nil, "\(count): \(String(describing: error))")
        }
        let error = try await error(of: bomb.response(bomb.allowed + 1))
        #expect(error?.limit == bomb.limit, "\(String(describing: error))")
        #expect(error?.description.contains("\(bomb.allowed)") == true)
    }

    @Test("a manager's own limit replaces the default", arguments: bombs)
    func lowered(bomb: Bomb) async throws {
        let set: (inout SessionConfiguration) -> Void = { bomb.lower(&$0, bomb.lowered) }
        #expect(try await error(of: bomb.response(bomb.lowered), set) == nil)
        let error = try await error(of: bomb.response(bomb.lowered + 1), set)
        #expect(error?.limit == bomb.limit, "\(String(describing: error))")
    }

    @Test("a body crafted to expand fails by default, and gzip of zeros does not")
    func expansion() async throws {
        // gzip compresses zeros as far as anything. Compressed twice, they are a bomb.
        let once = try Self.compressed("gzip -9n")
        let twice = try Self.compressed("gzip -9n | gzip -9n")
        let coded = { (codings: String, body: [UInt8]) in
            Array("HTTP/1.1 200 OK\r\nContent-Encoding: \(codings)\r\n\r\n".utf8) + body
        }
        #expect(try await error(of: coded("gzip", once)) == nil)
        #expect(try await error(of: coded("gzip, gzip", twice))?.limit == .expansionRatio)
        let unlimited = try await error(of: coded("gzip, gzip", twice)) {
            $0.maximumExpansionRatio = nil
        }
        #expect(unlimited == nil)
    }

    private static func compressed(_ command: String) throws -> [UInt8] {
        try CompressedZeros.bytes(20_000_000, through: command)
    }

    @Test("an endless chunk extension is a failure without any timeout")
    func chunkExtension() async throws {
        server.route("/bomb") { _ in
            .script([
                .send(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;".utf8)),
                .repeatForever(Array("x".utf8)),
            ])
        }
        var configuration = SessionConfiguration()
        configuration.timeouts.idle = nil
        let manager = HTTPSessionManager(configuration: configuration)
        let request = URLRequest(url: try #require(URL(string: server.baseURL + "/bomb")))
        let response = await manager.response(for: request, serializer: HTTPResponseSerializer())
        #expect(response.error?.description.contains("hardly any data") == true, "\(response)")
        #expect(response.data?.isEmpty == true)
    }
}
