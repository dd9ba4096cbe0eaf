import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Properties of a response", .timeLimit(.minutes(5)))
struct ResponseFactsTests {
    let server: FixtureServer
    let manager: HTTPSessionManager

    init() throws {
        server = try FixtureServer()
        manager = HTTPSessionManager(baseURL: URL(string: server.baseURL))
    }

    private func response(_ path: String) async throws -> Response<Data> {
        let url = try #require(manager.url(for: path))
        return await manager.response(
            for: URLRequest(url: url), serializer: HTTPResponseSerializer())
    }

    @Test("the head of a decoded body is unchanged, and its expected length is unknown")
    func decoded() async throws {
        let response = try await response("gzip/1000")
        let head = try #require(response.head)
        #expect(response.value?.count == 1000)
        #expect(head.contentCodings == Exchange.ContentCodings(removed: ["gzip"]))
        #expect(head.value(of: "Content-Encoding") == "gzip")
        let length = try #require(head.value(of: "Content-Length"))
        #expect(length != "1000" && head.expectedContentLength == nil)
        let foundation = try #require(response.response)
        #expect(foundation.expectedContentLength == -1)
        #expect(foundation.value(forHTTPHeaderField: "Content-Length") == length)
        #expect(foundation.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
    }

    @Test("the head of a body without codings has no codings, and its length")
    func plain() async throws {
        let response = try await response("bytes/1000")
        #expect(response.head?.contentCodings == nil)
        #expect(response.head?.expectedContentLength == 1000)
        #expect(response.response?.expectedContentLength == 1000)
    }

    @Test("its trailers can be read, separately from the head's fields")
    func trailers() async throws {
        server.route("/trailers") { _ in
            .raw(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nB: 1\r\nb: 2\r\n\r\n"
            )
        }
        let response = try await response("trailers")
        #expect(response.trailers.values(of: "B") == ["1", "2"])
        #expect(response.head?.value(of: "B") == nil)
        #expect(try await self.response("text").trailers.values(of: "B").isEmpty)
    }

    @Test("it has the HTTP version, and whether its connection was reused")
    func connection() async throws {
        server.route("/old") { _ in .raw("HTTP/1.0 200 OK\r\n\r\nabc") }
        let first = try await response("text")
        let second = try await response("text")
        #expect(first.httpVersion == "HTTP/1.1" && first.isConnectionReused == false)
        #expect(second.isConnectionReused == true)
        #expect(try await response("old").httpVersion == "HTTP/1.0")
        let lost = HTTPSessionManager(baseURL: URL(string: "http://127.0.0.1:1/"))
        let url = try #require(lost.url(for: "x"))
        let none = await lost.response(
            for: URLRequest(url: url), serializer: HTTPResponseSerializer())
        #expect(none.httpVersion == nil && none.redirects.isEmpty)
        #expect(none.trailers.values(of: "B").isEmpty)
    }

    @Test("it has the followed redirects in order")
    func redirects() async throws {
        server.route("/a") { _ in
            .response(status: 301, headers: [("Location", "/b")])
        }
        server.route("/b") { _ in
            .response(status: 307, headers: [("Location", "/text")])
        }
        let response = try await response("a")
        #expect(response.redirects.map(\.statusCode) == [301, 307])
        #expect(response.redirects.map(\.url.path) == ["/a", "/b"])
        #expect(response.redirects.map { $0.value(of: "Location") } == ["/b", "/text"])
        #expect(response.head?.url.path == "/text")
        #expect(try await self.response("text").redirects.isEmpty)
    }
}
