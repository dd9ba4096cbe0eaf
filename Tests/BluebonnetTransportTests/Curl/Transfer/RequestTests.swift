import BluebonnetFixtureServer
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("The request on the wire", .timeLimit(.minutes(5)))
struct RequestTests {
    let fixture: TransportFixture

    init() throws {
        fixture = try TransportFixture()
        fixture.server.recordsRequests = true
    }

    private func sent(_ exchange: Exchange) async throws -> FixtureRequest {
        let record = await fixture.transport.perform(exchange)
        #expect(record.failure == nil)
        return try #require(fixture.server.recordedRequests.last)
    }

    @Test(
        "a body arrives byte for byte with every method",
        arguments: ["POST", "PUT", "PATCH", "DELETE", "GET", "HEAD", "REPORT"],
        [0, 1, 65_536, 65_537, 70_000]
    )
    func bodies(method: String, size: Int) async throws {
        let body = DeterministicBytes.prefix(size)
        let request = try await sent(fixture.exchange("/text", method: method, body: body))
        #expect(request.method == method)
        #expect(request.body.count == size && DeterministicBytes.matches(request.body))
        #expect(request.headers.values(of: "Content-Length") == [String(size)])
        #expect(request.headers["Expect"] == nil)
        #expect(request.headers["Content-Type"] == nil)
        #expect(request.headers["Transfer-Encoding"] == nil)
    }

    @Test("a body of 5 MB arrives completely, and its bytes are counted")
    func largeBody() async throws {
        let body = DeterministicBytes.prefix(5_000_000)
        let record = await fixture.transport.perform(
            fixture.exchange("/echo-body", method: "PUT", body: body))
        #expect(record.body.count == body.count && DeterministicBytes.matches(Array(record.body)))
        #expect(record.ends.first?.metrics.requestBodyBytes == 5_000_000)
        #expect(record.ends.first?.metrics.responseBodyBytes == 5_000_000)
    }

    @Test("a slice of larger data is sent as that slice")
    func slice() async throws {
        let data = Data(DeterministicBytes.prefix(200_000))
        for range in [1000..<1100, 1000..<150_000] {
            let exchange = fixture.exchange("/text", method: "POST").with {
                $0.body = .data(data[range])
            }
            #expect(try await sent(exchange).body == Array(data[range]))
        }
    }

    @Test(
        "without a body there is neither length nor content type",
        arguments: ["GET", "DELETE", "POST", "HEAD"])
    func noBody(method: String) async throws {
        let request = try await sent(fixture.exchange("/text", method: method))
        #expect(request.method == method)
        #expect(request.headers.map(\.name) == ["Host", "Accept"])
    }

    @Test("fields are sent unchanged: order, case, repeats, empty values")
    func fields() async throws {
        let fields = [
            ("X-b", "2"), ("X-Empty", ""), ("x-B", "3"), ("Accept", "a/b"), ("User-Agent", "u"),
        ]
        let exchange = fixture.exchange("/text", method: "POST", body: [1]).with {
            $0.fields = fields.map { Exchange.Field(name: $0.0, value: $0.1) }
        }
        let request = try await sent(exchange)
        #expect(request.headers.values(of: "X-B") == ["2", "3"])
        #expect(request.headers["X-Empty"] == "")
        #expect(request.headers.values(of: "Accept") == ["a/b"])
        let order = request.headers.map(\.name).filter { $0 != "Host" && $0 != "Content-Length" }
        #expect(
            order == ["X-b", "X-Empty", "x-B", "Accept", "User-Agent"]
                || Set(order) == Set(fields.map(\.0)))
    }

    @Test("an empty Accept or Content-Type is sent as empty")
    func emptyDefaults() async throws {
        let exchange = fixture.exchange("/text", method: "POST", body: [1]).with {
            $0.fields = ["Accept", "Content-Type"].map { Exchange.Field(name: $0, value: "") }
        }
        let request = try await sent(exchange)
        #expect(request.headers.values(of: "Accept") == [""])
        #expect(request.headers.values(of: "Content-Type") == [""])
    }

    @Test("dots in a path and a query are sent unchanged, and a fragment is not sent")
    func target() async throws {
        let request = try await sent(fixture.exchange("/a/../b/./c%2F?d=/../e#f"))
        #expect(request.target == "/a/../b/./c%2F?d=/../e")
    }

    @Test(
        "a URL without an http scheme or a host is refused",
        arguments: [
            ("ftp://127.0.0.1/", URLError.Code.unsupportedURL),
            ("file:///etc/passwd", .unsupportedURL),
            ("127.0.0.1:1/", .unsupportedURL), ("/json", .unsupportedURL), ("", .unsupportedURL),
            ("http:/127.0.0.1/", .unsupportedURL), ("http:///127.0.0.1/", .badURL),
            ("http://", .badURL),
            ("http://?x", .badURL), ("http://user:word@127.0.0.1/", .badURL),
            ("http://user@127.0.0.1/", .badURL), ("http://127.0.0.1:99999/", .badURL),
            ("http://a b/", .badURL),
        ]
    )
    func urls(url: String, code: URLError.Code) async {
        let record = await fixture.transport.perform(
            Exchange(method: "GET", url: url, pool: fixture.pool))
        #expect(record.failure?.code == code)
        #expect(record.ends.count == 1)
    }
}
