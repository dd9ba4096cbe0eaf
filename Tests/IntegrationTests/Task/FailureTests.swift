import Bluebonnet
import BluebonnetFixtureServer
import Foundation
import Testing

@Suite("Failures over sockets", .timeLimit(.minutes(5)))
struct FailureTests {
    let server: FixtureServer
    let manager: HTTPSessionManager

    init() throws {
        server = try FixtureServer()
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
    }

    func response<S: ResponseSerializer>(_ path: String, _ serializer: S) async throws -> Response<
        S.Value
    > {
        let url = try #require(manager.url(for: path))
        return await manager.response(for: URLRequest(url: url), serializer: serializer)
    }

    @Test("a 404 with JSON has status code, headers, body and the parsed body")
    func notFound() async throws {
        let response = try await response("no/such/thing", JSONResponseSerializer())
        guard case .unacceptableStatus(404, let context) = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        let body = response.parsedBody.flatMap { $0 as? [String: Any] }
        #expect(body?["error"] as? String == "not found")
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(context.data == response.data && response.data?.isEmpty == false)
        #expect(response.metrics != nil)
    }

    @Test(
        "malformed or truncated documents keep status code, headers and body",
        arguments: [
            ("application/json", #"{"a":[1,2"#), ("application/json", "{]"),
            ("application/xml", "<a><b></a>"), ("application/xml", "<a>"),
            ("application/x-plist", "<plist><dict><key>a</key></dict>"),
            ("application/x-plist", "bplist00\u{1}"),
        ])
    func malformed(type: String, body: String) async throws {
        server.route("/bad") { _ in
            .response(status: 200, headers: [("Content-Type", type)], body: Array(body.utf8))
        }
        func check<Value>(_ response: Response<Value>) throws {
            guard case .unreadableBody(let text, let context) = try #require(response.error) else {
                Issue.record("\(response)")
                return
            }
            #expect(!text.isEmpty && context.underlying != nil)
            #expect(response.head?.statusCode == 200 && response.headers["content-type"] == type)
            #expect(response.data == Data(body.utf8) && context.data == response.data)
        }
        switch type {
        case "application/json": try check(await response("bad", JSONResponseSerializer()))
        case "application/xml": try check(await response("bad", XMLDocumentResponseSerializer()))
        default: try check(await response("bad", PropertyListResponseSerializer()))
        }
    }

    @Test("a wrong content type is described with the expected ones")
    func contentType() async throws {
        let response = try await response("text", JSONResponseSerializer())
        guard
            case .unacceptableContentType("text/plain", let acceptable, _) = try #require(
                response.error)
        else {
            Issue.record("\(response)")
            return
        }
        #expect(acceptable.contains("application/json") && response.data?.isEmpty == false)
    }

    @Test("a connection that ends within the body keeps the bytes so far")
    func cutShort() async throws {
        server.route("/cut") { _ in
            .raw(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"a\""
            )
        }
        let response = try await response("cut", JSONResponseSerializer())
        guard case .transport = try #require(response.error) else {
            Issue.record("\(response)")
            return
        }
        #expect(response.head?.statusCode == 200 && response.data == Data("{\"a\"".utf8))
    }

    @Test("a cancel during a hang completes and frees the connection")
    func cancelHang() async throws {
        let work = Task { try await response("hang", HTTPResponseSerializer()) }
        #expect(await until { server.requestCount == 1 })
        work.cancel()
        #expect(try await work.value.error?.isCancelled == true)
        #expect(await until { server.openConnectionCount == 0 })
    }
}
