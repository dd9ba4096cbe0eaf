import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Routes", .timeLimit(.minutes(5)))
struct RouteTests {
    typealias Route = Exchange.Route

    let server: FixtureServer
    let transport = CurlTransport()

    init() throws {
        server = try FixtureServer()
        server.recordsRequests = true
    }

    private func perform(
        _ url: String,
        times: Int = 1,
        _ change: (inout Route) -> Void
    ) async -> ExchangeRecorder.Record {
        var route = Route()
        change(&route)
        let pool = Exchange.Pool(route: route)
        let exchange = Exchange(method: "GET", url: url, pool: pool)
        for _ in 1..<times { _ = await transport.perform(exchange) }
        return await transport.perform(exchange)
    }

    @Test("a host's addresses can be overridden for its port only")
    func overrides() async throws {
        let port = Int(server.port)
        func addresses(_ route: inout Route) {
            route.addressOverrides = [
                .init(host: "one.invalid", port: port, addresses: ["::1", "127.0.0.1"]),
                .init(host: "two.invalid", port: port, addresses: ["127.0.0.1"]),
                .init(host: "-a.invalid", port: port, addresses: ["127.0.0.1"]),
            ]
        }
        for host in ["one.invalid", "two.invalid", "ONE.invalid", "-a.invalid"] {
            let record = await perform("http://\(host):\(port)/text", times: 3, addresses)
            #expect(record.failure == nil)
            #expect(server.recordedRequests.last?.headers["Host"] == "\(host):\(port)")
        }
        let other = await perform("http://one.invalid:\(port == 80 ? 81 : 80)/", addresses)
        #expect(other.failure?.code == .cannotFindHost)
    }

    @Test(
        "an IP address can be overridden, and overrides for another port do not apply",
        arguments: ["192.0.2.1", "2001:db8::1"])
    func overriddenAddress(host: String) async throws {
        let port = Int(server.port)
        let authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        func addresses(_ route: inout Route) {
            route.addressOverrides = [
                .init(host: host, port: port, addresses: ["127.0.0.9", "127.0.0.1"]),
                .init(host: "127.0.0.1", port: 1, addresses: ["127.0.0.9"]),
            ]
        }
        let record = await perform("http://\(authority)/text", addresses)
        #expect(record.failure == nil)
        #expect(record.ends.first?.metrics.remoteAddress == "127.0.0.1")
        #expect(server.recordedRequests.last?.headers["Host"] == authority)
        #expect(await perform(server.baseURL + "/text", addresses).failure == nil)
    }

    @Test("a Unix socket replaces the host (fault 94)")
    func unixSocket() async throws {
        let directory = try ServerDirectory()
        let path = directory.path(of: "s")
        let unix = try RawServer(
            at: .path(path), answer: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nunix")
        defer { withExtendedLifetime(unix) {} }
        let record = await perform("http://example.test/a") { $0.unixSocketPath = path }
        #expect(String(decoding: record.body, as: UTF8.self) == "unix")
        let metrics = try #require(record.ends.first?.metrics)
        #expect(metrics.remoteAddress.isEmpty)
        #expect(metrics.remotePort == 0)
        #expect(metrics.localAddress.isEmpty)
        #expect(metrics.localPort == 0)
        for wrong in ["/none/s", directory.path] {
            let failure = await perform("http://example.test/") { $0.unixSocketPath = wrong }
                .failure
            #expect(failure?.code == .cannotConnectToHost)
        }
    }

    @Test("connections come from the chosen address")
    func source() async throws {
        let record = await perform(server.baseURL + "/text") {
            $0.source = .address("127.0.0.2")
        }
        #expect(record.failure == nil)
        #expect(record.ends.first?.metrics.localAddress == "127.0.0.2")
        let foreign = await perform(server.baseURL + "/text") { $0.source = .address("192.0.2.1") }
        #expect(foreign.failure?.code == .cannotConnectToHost)
        #expect(foreign.failure?.systemErrorNumber == EADDRNOTAVAIL)
        #expect(foreign.failure?.message.contains("the route's source") == true)
        let loopback = await perform(server.baseURL + "/text") { $0.source = .interface("lo") }
        #expect(loopback.failure == nil)
        #expect(loopback.ends.first?.metrics.localAddress == "127.0.0.1")
        let missing = await perform(server.baseURL + "/text") { $0.source = .interface("none0") }
        #expect(missing.failure?.code == .cannotConnectToHost)
        #expect(missing.failure?.systemErrorNumber == ENODEV)
        let otherFamily = await perform(server.baseURL + "/text") { $0.source = .address("::1") }
        #expect(otherFamily.failure?.systemErrorNumber == EAFNOSUPPORT)
    }

    @Test(
        "an invalid value fails the exchange, and the message names it",
        arguments: UnusableRoute.all
    )
    func unusable(_ example: UnusableRoute) async {
        for _ in 0..<2 {
            let record = await perform(server.baseURL + "/text", example.change)
            #expect(record.failure?.code == .badURL)
            #expect(record.failure?.message.contains(example.part) == true)
            #expect(record.failure?.message.contains(example.fault) == true)
            #expect(record.failure?.message.contains("hush") == false)
        }
    }

    @Test("proxies and exceptions are read from the environment, but never HTTP_PROXY (httpoxy)")
    func environment() throws {
        let route = try Route.fromEnvironment([
            "http_proxy": "proxy.test:3128", "HTTPS_PROXY": "https://na%40me:p%3Aw@[::1]/",
            "NO_PROXY": "a.test, .b.test 10.0.0.0/8,",
        ])
        #expect(route.httpProxy == Route.Proxy(.http, host: "proxy.test", port: 3128))
        let secure = Route.Proxy(.https, host: "::1", port: 443, username: "na@me", password: "p:w")
        #expect(route.httpsProxy == secure)
        #expect(route.noProxy == ["a.test", ".b.test", "10.0.0.0/8"])
        #expect(try Route.fromEnvironment(["HTTP_PROXY": "evil.test:1"]) == Route())
        let all = try Route.fromEnvironment(["all_proxy": "socks5://s", "https_proxy": ""])
        #expect(all == Route(proxy: .init(.socks5h, host: "s", port: 1080)))
    }

    @Test("a variable without a proxy URL is named, without its value")
    func brokenEnvironment() {
        for value in ["ftp://hush", "http://", "http://a:b:c", "http://a:x", "[::1", "%zz@hush:1"] {
            let failure = #expect(throws: Exchange.Failure.self) {
                try Route.fromEnvironment(["https_proxy": value])
            }
            #expect(failure?.message.contains("https_proxy") == true)
            #expect(failure?.message.contains("hush") == false)
        }
    }

    @Test("no description contains a proxy's user name or password")
    func descriptions() {
        let proxy = Route.Proxy(
            .http, host: "::1", port: 8080, username: "hush", password: "secret")
        var text = "\(proxy) \(String(reflecting: proxy)) \(Route(proxy: proxy))"
        dump(Route(proxy: proxy), to: &text)
        #expect(text.contains("http://[::1]:8080"))
        #expect(!text.contains("hush"))
        #expect(!text.contains("secret"))
    }
}
