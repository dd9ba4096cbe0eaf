import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("Proxies", .timeLimit(.minutes(5)))
struct ProxyTests {
    typealias Route = Exchange.Route

    /// The proxy, which is also the host behind a tunnel.
    let server: FixtureServer
    let transport = CurlTransport()

    init() throws {
        server = try FixtureServer()
        server.recordsRequests = true
    }

    private func proxy(_ change: (inout Route.Proxy) -> Void = { _ in }) -> Route.Proxy {
        var proxy = Route.Proxy(.http, host: "127.0.0.1", port: Int(server.port))
        change(&proxy)
        return proxy
    }

    private func perform(
        _ url: String,
        _ route: Route,
        _ change: (inout Exchange) -> Void = { _ in }
    ) async -> ExchangeRecorder.Record {
        let pool = Exchange.Pool(route: route)
        return await transport.perform(
            Exchange(method: "GET", url: url, pool: pool).with(change).with {
                $0.timeouts.whole = 10
            })
    }

    /// Makes the server open a tunnel to itself.
    private func openTunnels(to target: String) {
        server.route(target) { _ in
            .raw("HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n", then: .endRequest)
        }
    }

    @Test("a proxy gets whole http requests, with its own fields and credentials")
    func forwarding() async throws {
        let proxy = proxy {
            $0.username = "A l%41d:in".replacing(":", with: "")
            $0.password = "op%65n: sesame/@ü"
            $0.fields = [.init(name: "X-Via", value: "b"), .init(name: "X-Empty", value: "")]
        }
        let record = await perform("http://example.test/echo-target/a?b", Route(proxy: proxy)) {
            $0.fields = [.init(name: "X-Own", value: "c")]
        }
        #expect(record.failure == nil)
        let request = try #require(server.recordedRequests.last)
        #expect(request.target == "http://example.test/echo-target/a?b")
        #expect(request.headers["Host"] == "example.test")
        #expect(request.headers["X-Via"] == "b")
        #expect(request.headers["X-Empty"] == "")
        #expect(request.headers["X-Own"] == "c")
        let login = Data("A l%41din:op%65n: sesame/@ü".utf8).base64EncodedString()
        #expect(request.headers.values(of: "Proxy-Authorization") == ["Basic \(login)"])
    }

    @Test("a tunnel carries the request, without the proxy's credentials and fields (fault 74)")
    func tunnel() async throws {
        openTunnels(to: "example.test:80")
        let proxy = proxy {
            $0.tunnelsPlainHTTP = true
            $0.username = "name"
            $0.password = ""
            $0.fields = [.init(name: "X-Via", value: "b")]
        }
        let record = await perform("http://example.test/text", Route(proxy: proxy)) {
            $0.fields = [.init(name: "X-Own", value: "c")]
        }
        #expect(record.failure == nil)
        #expect(record.headCount == 1)
        #expect(record.head?["X-Proxy"] == nil)
        let requests = server.recordedRequests
        let (connect, get) = (try #require(requests.first), try #require(requests.last))
        #expect(connect.method == "CONNECT")
        #expect(connect.headers["X-Via"] == "b")
        #expect(connect.headers["X-Own"] == nil)
        #expect(connect.headers["Proxy-Authorization"] == "Basic bmFtZTo=")
        #expect(get.target == "/text")
        #expect(get.headers["X-Via"] == nil)
        #expect(get.headers["X-Own"] == "c")
        #expect(get.headers["Proxy-Authorization"] == nil)
    }

    @Test("a proxy that refuses a tunnel is a failure with its status code (fault 73)")
    func refusals() async {
        let route = Route(
            proxy: proxy {
                $0.username = "name"
                $0.password = "secret"
            })
        let long = String(repeating: "x", count: 100_000)
        for (answer, status, code) in [
            (
                "407 Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 4\r\n\r\nbody",
                407, URLError.Code.userAuthenticationRequired
            ),
            (
                "407 No\r\nProxy-Authenticate: Digest x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
                407, .userAuthenticationRequired
            ),
            ("502 Bad Gateway\r\nContent-Length: 0\r\n\r\n", 502, .cannotConnectToHost),
            ("302 Found\r\nLocation: http://evil.test/\r\n\r\n", 302, .cannotConnectToHost),
        ] {
            server.route("example.test:443") { _ in .raw("HTTP/1.1 " + answer) }
            let failure = await perform("https://example.test/", route).failure
            #expect(failure?.code == code, "\(answer)")
            #expect(failure?.proxyStatus == status)
            #expect(failure?.message.contains("secret") == false)
        }
        for answer in [
            "", "garbage\r\n\r\n", "HTTP/1.1 200 OK\r\nA", "HTTP/1.1 200 OK\r\nA: \(long)",
        ] {
            server.route("example.test:443") { _ in .raw(answer) }
            let record = await perform("https://example.test/", route)
            #expect(record.failure?.code == .cannotConnectToHost, "\(answer.prefix(40))")
            #expect(record.failure?.proxyStatus == nil)
            #expect(record.head == nil)
        }
        server.route("example.test:443") { _ in .script([.reset]) }
        #expect(await perform("https://example.test/", route).failure?.code == .cannotConnectToHost)
        server.route("example.test:443") { _ in .script([.hold]) }
        let silent = await perform("https://example.test/", route) { $0.timeouts.connect = 0.2 }
        #expect(silent.failure?.timeout == .connect)
    }

    @Test(
        "a proxy's response with ambiguous framing is refused",
        arguments: [
            "HTTP/1.1 407 No\r\nLENGTH\r\nHTTP/2 200: OK\r\n\r\n",
            "HTTP/1.1 407 No\r\nLENGTH\r\nHTTP/1.1 99999999999999999999: OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nHTTP/1.1 407: No\r\nLENGTH\r\nHTTP/1.1 2000: OK\r\n\r\n",
            "HTTP/1.1  407 No\r\nLENGTH\r\n\r\n",
            "HTTP/1.1\t407 No\r\nLENGTH\r\n\r\n",
            "HTTP/1.1 +407 No\r\nLENGTH\r\n\r\n",
            "HTTP/1.1 407 No\r\nLENGTH\r\n\rx\n",
            "X: y\r\nHTTP/1.1 407 No\r\nLENGTH\r\n\r\n",
        ])
    func ambiguous(head: String) async throws {
        // libcurl would read forever and occupy the loop's thread.
        let text = head.replacing("LENGTH", with: "Content-Length: 999999999999")
        let server = try FaultServer(
            FaultScript([.request, .send(text), .repeatForever(Array("x".utf8))]))
        let proxy = Route.Proxy(.http, host: "127.0.0.1", port: Int(server.port))
        let record = await perform("https://example.test/", Route(proxy: proxy))
        let codes = [URLError.Code.cannotConnectToHost, .userAuthenticationRequired]
        #expect(record.failure.map { codes.contains($0.code) } == true, "\(record.failure as Any)")
        #expect(record.head == nil)
    }

    @Test("a proxy's response that starts with a folded line does not change an earlier head")
    func foldedFirst() async throws {
        let opening = FaultAction.send("HTTP/1.1 200 Connection established\r\nA: b\r\n\r\n")
        let folded = FaultAction.send("HTTP/1.1 200 Connection established\r\n first: x\r\n\r\n")
        let script = [[.request, opening, .request, .answer, .close], [.request, folded, .drain]]
        let faulty = try FaultServer(FaultScript(script[0], script[1], script[0], script[1]))
        var proxy = Route.Proxy(.http, host: "127.0.0.1", port: Int(faulty.port))
        proxy.tunnelsPlainHTTP = true
        // One pool, so that the easy handle of the good exchange performs the bad one.
        let exchange = Exchange(
            method: "GET", url: "http://example.test/",
            pool: Exchange.Pool(maximumConnectionsPerHost: 1, route: Route(proxy: proxy))
        ).with { $0.timeouts.whole = 10 }
        for _ in 0..<2 {
            #expect(await transport.perform(exchange).failure == nil)
            #expect(faulty.wait(upTo: 5000) { $0.openConnections == 0 })
            let record = await transport.perform(exchange)
            #expect(record.failure?.message == "the first header line begins with white space")
            #expect(record.head == nil)
        }
    }

    @Test("a proxy that cannot be found or reached is a failure that says so")
    func unreachable() async throws {
        let closed = try ReservedPort()
        let unknown = Route.Proxy(.http, host: "nowhere.invalid", port: 80)
        let failure = await perform("http://example.test/", Route(proxy: unknown)).failure
        #expect(failure?.code == .cannotFindHost)
        #expect(failure?.curlCode == 5)
        for scheme in [Route.Proxy.Scheme.http, .https, .socks5h] {
            let gone = Route.Proxy(scheme, host: "127.0.0.1", port: Int(closed.number))
            let failure = await perform("http://example.test/", Route(proxy: gone)).failure
            #expect(failure?.code == .cannotConnectToHost)
        }
    }

    @Test(
        "excepted hosts are reached directly, and each scheme has its own proxy")
    func exceptions() async {
        var route = Route(proxy: proxy(), noProxy: ["127.0.0.0/8", "local.test"])
        let direct = await perform(server.baseURL + "/text?direct", route)
        #expect(direct.failure == nil)
        #expect(server.recordedRequests.last?.target == "/text?direct")
        route.noProxy = []
        _ = await perform(server.baseURL + "/text?proxied", route)
        #expect(server.recordedRequests.last?.target == server.baseURL + "/text?proxied")
        route.httpProxy = nil
        _ = await perform(server.baseURL + "/text?plain", route)
        #expect(server.recordedRequests.last?.target == "/text?plain")
        route.httpProxy = route.httpsProxy
        route.httpsProxy = nil
        let count = server.requestCount
        #expect(await perform("https://127.0.0.1:\(server.port)/", route).failure != nil)
        #expect(server.requestCount == count)
    }

    @Test("exceptions and credentials apply to each exchange, even on the same handle")
    func passages() async throws {
        let route = Route(
            proxy: proxy {
                $0.username = "route"
                $0.password = "hunter2"
            }, noProxy: ["127.0.0.1"])
        let pool = Exchange.Pool(maximumConnections: 1, route: route)
        for turn in 0..<8 {
            let isDirect = turn % 4 < 2
            let hasOwn = turn % 2 == 1
            let base = isDirect ? server.baseURL : "http://example.test"
            let record = await transport.perform(
                Exchange(method: "GET", url: base + "/echo-target/\(turn)", pool: pool).with {
                    $0.timeouts.whole = 10
                    if hasOwn, !isDirect {
                        $0.fields = [.init(name: "proxy-authorization", value: "Basic own")]
                    }
                })
            #expect(record.failure == nil)
            let request = try #require(server.recordedRequests.last)
            #expect(request.target == (isDirect ? "" : base) + "/echo-target/\(turn)")
            let login = hasOwn ? "Basic own" : "Basic cm91dGU6aHVudGVyMg=="
            let values = request.headers.values(of: "Proxy-Authorization")
            #expect(values == (isDirect ? [] : [login]))
        }
    }

    @Test("exchanges with many hosts through one proxy have a limit per host")
    func manyHosts() async {
        let pool = Exchange.Pool(maximumConnectionsPerHost: 1, route: Route(proxy: proxy()))
        server.route("/together") { _ in .script([.hold]) }
        let pairs = (0..<8).flatMap { index in
            (0..<2).map { _ in
                transport.begin(
                    Exchange(method: "GET", url: "http://h\(index).test/together", pool: pool))
            }
        }
        #expect(server.wait(upTo: 5000) { $0.requests == 8 })
        for pair in pairs { pair.transfer.cancel() }
        for pair in pairs { #expect(await pair.recorder.atEnd.failure?.code == .cancelled) }
    }

    @Test("SOCKS: the proxy gets host name and credentials, and its refusals are failures")
    func socks() async throws {
        for (answer, code) in [(UInt8(0), nil), (5, URLError.Code.cannotConnectToHost)] {
            let socks = try SocksServer(target: server.port, answer: answer)
            var proxy = Route.Proxy(.socks5h, host: "127.0.0.1", port: Int(socks.port))
            proxy.username = "na%41me"
            proxy.password = "p:w"
            let record = await perform("http://example.test/text", Route(proxy: proxy))
            #expect(record.failure?.code == code)
            #expect(socks.heard.withLock { $0 } == ["na%41me", "p:w", "example.test", "80"])
        }
        let strict = try SocksServer(target: server.port, answer: 0, acceptsLogin: false)
        let proxy = Route.Proxy(
            .socks5h, host: "127.0.0.1", port: Int(strict.port), username: "a", password: "b")
        let failure = await perform("http://example.test/text", Route(proxy: proxy)).failure
        #expect(failure?.code == .userAuthenticationRequired)
        #expect(failure?.curlCode == 97)
    }

    @Test("the environment's proxies are ignored unless requested")
    func environment() async {
        // libcurl itself would read them in this process.
        setenv("http_proxy", "http://127.0.0.1:1", 1)
        setenv("no_proxy", "*", 1)
        defer {
            unsetenv("http_proxy")
            unsetenv("no_proxy")
        }
        #expect(await perform(server.baseURL + "/text", Route()).failure == nil)
        _ = await perform("http://example.test/text", Route(proxy: proxy()))
        #expect(server.recordedRequests.last?.target == "http://example.test/text")
    }

    @Test("a proxy's response to a forwarded request is the response")
    func forwardedRefusal() async {
        server.route("/x") { _ in .text("log in", status: 407) }
        let record = await perform("http://example.test/x", Route(proxy: proxy()))
        #expect(record.failure == nil)
        #expect(record.head?.statusCode == 407)
    }
}
