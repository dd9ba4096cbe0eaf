import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Broken bodies", .timeLimit(.minutes(5)))
struct BrokenBodyTests {
    /// The text after the status line and first fields, with the body.
    struct Body: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String

        init(_ testDescription: String, _ text: String) {
            self.testDescription = testDescription
            self.text = text
        }
    }

    private static let chunked = "Transfer-Encoding: chunked\r\n\r\n"

    static let brokenBodies = [
        Body("no gzip", "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\njunk"),
        Body("no br", "Content-Encoding: br\r\nContent-Length: 4\r\n\r\n\u{7}unk"),
        Body(
            "gzip of nothing but a header",
            "Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\n\u{1F}"),
        Body(
            "too many codings", "Content-Encoding: br, br, br, br, br\r\nContent-Length: 1\r\n\r\na"
        ),
        Body("cut short", "Content-Length: 9\r\n\r\nabc"),
        Body("cut in a chunk", chunked + "9\r\nabc"),
        Body("cut before the last chunk", chunked + "3\r\nabc\r\n"),
        Body("a bad chunk", chunked + "0x3\r\nabc\r\n0\r\n\r\n"),
        Body("a bad trailer", chunked + "3\r\nabc\r\n0\r\nX y: 1\r\n\r\n"),
    ]
    static let unknown = Body(
        "an unknown coding", "Content-Encoding: unheard\r\nContent-Length: 3\r\n\r\nabc")

    let server: FixtureServer

    init() throws {
        server = try FixtureServer()
    }

    private func manager(
        _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) -> HTTPSessionManager {
        var configuration = SessionConfiguration()
        change(&configuration)
        return HTTPSessionManager(
            baseURL: URL(string: server.baseURL), configuration: configuration)
    }

    private func response(
        _ path: String = "start", by manager: HTTPSessionManager
    ) async throws -> Response<Data> {
        let url = try #require(manager.url(for: path))
        return await manager.response(
            for: URLRequest(url: url), serializer: HTTPResponseSerializer())
    }

    /// Answers the first request with this, and others with "good".
    private func answerFirst(_ head: String, _ body: Body) {
        let isFirst = Locked(true)
        server.route("/start") { _ in
            let wasFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return wasFirst ? .raw("HTTP/1.1 \(head)\r\n\(body.text)") : .text("good")
        }
    }

    @Test("in redirects they have no effect", arguments: brokenBodies + [unknown])
    func redirects(body: Body) async throws {
        answerFirst("302 Found\r\nLocation: /text", body)
        let response = try await response(by: manager { $0.refusesUnknownContentCodings = true })
        #expect(response.error == nil && response.head?.statusCode == 200)
        #expect(response.redirects.map(\.statusCode) == [302])
        #expect(response.isConnectionReused == false)
    }

    @Test("in challenges they have no effect", arguments: brokenBodies + [unknown])
    func challenges(body: Body) async throws {
        answerFirst("401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"", body)
        let manager = manager()
        manager.didReceiveChallenge = { _, _ in
            .useCredential(URLCredential(user: "u", password: "p", persistence: .none))
        }
        let response = try await response(by: manager)
        #expect(response.error == nil)
        #expect(response.value == Data("good".utf8))
    }

    @Test(
        "in declined redirects they matter only if the status is acceptable",
        arguments: brokenBodies)
    func declined(body: Body) async throws {
        let manager = manager()
        manager.taskWillPerformHTTPRedirection = { _, _, _ in nil }
        answerFirst("302 Found\r\nLocation: /text", body)
        let refused = try await response(by: manager)
        guard case .unacceptableStatus(302, _) = refused.error else {
            Issue.record("\(refused.error as Any)")
            return
        }
        #expect(refused.head?.statusCode == 302 && refused.redirects.isEmpty)
        answerFirst("302 Found\r\nLocation: /text", body)
        var serializer = HTTPResponseSerializer()
        serializer.acceptableStatusCodes = [302]
        let url = try #require(manager.url(for: "start"))
        let accepted = await manager.response(for: URLRequest(url: url), serializer: serializer)
        guard case .transport = accepted.error else {
            Issue.record("\(accepted.error as Any)")
            return
        }
        #expect(accepted.head?.statusCode == 302)
    }

    @Test("the verdict about the status comes first", arguments: brokenBodies)
    func statusFirst(body: Body) async throws {
        answerFirst("502 Bad Gateway", body)
        let response = try await response(by: manager())
        guard case .unacceptableStatus(502, let context) = response.error,
            case .transport(let failure, _) = context.underlying as? BluebonnetError
        else {
            Issue.record("\(response.error as Any)")
            return
        }
        #expect(failure.code != .unknown)
        #expect(response.head?.statusCode == 502 && context.head?.statusCode == 502)
    }

    @Test("they fail an acceptable response, which keeps its head", arguments: brokenBodies)
    func acceptable(body: Body) async throws {
        answerFirst("200 OK\r\nX: y", body)
        let response = try await response(by: manager())
        guard case .transport = response.error else {
            Issue.record("\(response.error as Any)")
            return
        }
        #expect(response.head?.statusCode == 200 && response.head?.value(of: "X") == "y")
        let next = try await self.response("text", by: manager())
        #expect(next.error == nil)
    }

    @Test("malformed bodies are distinguished from bodies that were cut off")
    func malformed() async throws {
        let expectations: [(Body, Exchange.Failure.MalformedPart?, URLError.Code)] = [
            (Body("", Self.chunked + "5x\r\nabcde\r\n0\r\n\r\n"), .chunk, .badServerResponse),
            (Body("", Self.chunked + "0\r\n: a\r\n\r\n"), .trailer, .badServerResponse),
            (Body("", "Content-Length: x\r\n\r\n"), .head, .badServerResponse),
            (Body("", Self.chunked + "5\r\nabc"), nil, .networkConnectionLost),
        ]
        for (body, part, code) in expectations {
            answerFirst("200 OK", body)
            let error = try await response(by: manager()).error
            #expect(error?.malformedPart == part && error?.urlError.code == code, "\(body.text)")
        }
    }

    @Test("a body with an unknown coding arrives as it was sent, and the head reports it")
    func unknownCoding() async throws {
        answerFirst("200 OK", Self.unknown)
        let response = try await response(by: manager())
        #expect(response.value == Data("abc".utf8))
        let head = try #require(response.head)
        #expect(head.contentCodings == Exchange.ContentCodings(unknown: ["unheard"]))
        #expect(head.value(of: "Content-Encoding") == "unheard")
        #expect(head.expectedContentLength == 3)
    }

    @Test("a body with an unknown coding is refused if configured, after the status")
    func refusedCoding() async throws {
        let manager = manager { $0.refusesUnknownContentCodings = true }
        answerFirst("200 OK", Self.unknown)
        let response = try await response(by: manager)
        #expect(response.error?.urlError.code == .cannotDecodeContentData)
        #expect(response.head?.contentCodings?.unknown == ["unheard"])
        answerFirst("502 Bad Gateway", Self.unknown)
        guard case .unacceptableStatus(502, _) = try await self.response(by: manager).error else {
            Issue.record("the status comes first")
            return
        }
    }
}
