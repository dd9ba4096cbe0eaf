import BluebonnetFixtureServer
import BluebonnetTestSupport
import CBluebonnet
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("Setting the URL of an easy handle", .timeLimit(.minutes(5)))
struct RequestLocationTests {
    @Test("an address with a network interface is connected to there, in any order of URLs")
    func zones() async throws {
        // The system refuses to connect to this address unless it knows the interface.
        let local = "http://[fe80::1%25lo]:1/"
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnections: 1))
        for url in [local, "/text", local, local, "/text", "/text"] {
            guard url == local else {
                #expect(await fixture.transport.perform(fixture.exchange(url)).failure == nil)
                continue
            }
            let exchange = Exchange(method: "GET", url: url, pool: fixture.pool)
            let failure = try #require(await fixture.transport.perform(exchange).failure)
            #expect(failure.code == .cannotConnectToHost)
            #expect(failure.systemErrorNumber != nil)
            #expect(failure.systemErrorNumber != EINVAL)
        }
    }

    @Test("a handle alternates between addresses with and without an interface")
    func alternation() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try RawServer(at: .loopback6(), answer: answer)
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnections: 1))
        let zone = "http://[::1%25lo]:\(server.port)/"
        for url in [zone, "/text", zone, zone, "/text", "/text", zone] {
            let exchange =
                url == zone
                ? Exchange(method: "GET", url: url, pool: fixture.pool) : fixture.exchange(url)
            let outcome = await fixture.transport.perform(exchange)
            #expect(outcome.failure == nil)
            #expect(outcome.body.isEmpty == (url == zone))
        }
    }

    @Test("after a refused URL, a handle accepts the previous one again")
    func stateAfterRefusal() throws {
        let easy = try #require(curl_easy_init())
        let location = try #require(RequestLocation())
        defer { curl_easy_cleanup(easy) }
        try location.set("http://a.test/", on: easy)
        #expect(throws: Exchange.Failure.self) { try location.set("http://a.test:x/", on: easy) }
        try location.set("http://a.test/", on: easy)
        try location.set("http://b.test/", on: easy)
        #expect(throws: Exchange.Failure.self) { try location.set("http://u@b.test/", on: easy) }
        #expect(throws: Exchange.Failure.self) { try location.set("http://u@b.test/", on: easy) }
    }

    @Test(
        "a URL that libcurl refuses fails its exchange, and the next one works",
        arguments: [
            ("http://user@127.0.0.1/", URLError.Code.badURL), ("http://a b/", .badURL),
            ("http://127.0.0.1:99999/", .badURL), ("http://[::1/", .badURL),
        ])
    func refusals(url: String, code: URLError.Code) async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnections: 1))
        for _ in 0..<2 {
            let exchange = Exchange(method: "GET", url: url, pool: fixture.pool)
            let failure = try #require(await fixture.transport.perform(exchange).failure)
            #expect(failure.code == code)
            #expect(failure.message.hasPrefix("libcurl rejected the URL: "))
            #expect(await fixture.transport.perform(fixture.exchange("/text")).failure == nil)
        }
    }

    @Test("every exchange requests its own path and query, byte for byte")
    func targets() async throws {
        let fixture = try TransportFixture(pool: Exchange.Pool(maximumConnections: 1))
        fixture.server.recordsRequests = true
        // No empty query, because newer versions of libcurl drop its question mark.
        let targets = [
            "/a/../b", "/a/../b", "/", "/%2e%2E/?x=%20&y", "//double", "/;p=1?q#f", "/?q",
        ]
        for target in targets {
            let outcome = await fixture.transport.perform(fixture.exchange(target))
            #expect(outcome.failure == nil)
        }
        let asked = fixture.server.recordedRequests.map(\.target)
        let wanted = targets.map { $0.split(separator: "#").first.map(String.init) ?? $0 }
        #expect(asked == wanted)
    }
}
