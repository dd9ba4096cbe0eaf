import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("The address guard with routes and lists", .timeLimit(.minutes(5)))
struct GuardedRouteTests {
    let server: FixtureServer
    let transport = CurlTransport()

    init() throws {
        server = try FixtureServer()
    }

    private func denial(
        _ url: String,
        route: Exchange.Route = Exchange.Route(),
        _ change: (inout AddressGuard) throws -> Void = { _ in }
    ) async throws -> AddressGuard.Denial? {
        let addressGuard = try GuardedConnectionTests.addressGuard(change)
        let pool = Exchange.Pool(route: route, addressGuard: addressGuard)
        let record = await transport.perform(
            Exchange(method: "GET", url: url, pool: pool).with { $0.timeouts.whole = 20 })
        let isDenied = record.failure?.denial != nil
        #expect(record.failure == nil || isDenied, "\(String(describing: record.failure))")
        #expect(record.failure == nil || record.failure?.code == .cannotConnectToHost)
        return record.failure?.denial
    }

    @Test("an override with a private address is denied unless that is allowed")
    func overrides() async throws {
        let port = Int(server.port)
        var route = Exchange.Route()
        route.addressOverrides = [
            .init(host: "one.test", port: port, addresses: ["127.0.0.2"]),
            .init(host: "two.test", port: port, addresses: ["127.0.0.1"]),
        ]
        let denied = try await denial("http://one.test:\(port)/text", route: route)
        #expect(denied?.address == "127.0.0.2")
        #expect(server.acceptedConnectionCount == 0)
        #expect(try await denial("http://two.test:\(port)/text", route: route) == nil)
        #expect(server.acceptedConnectionCount == 1)
    }

    @Test("a Unix socket is denied unless allowed, and then the URL is still checked")
    func unixSocket() async throws {
        let directory = try ServerDirectory()
        let path = directory.path(of: "s")
        let unix = try RawServer(
            at: .path(path), answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        defer { withExtendedLifetime(unix) {} }
        var route = Exchange.Route()
        route.unixSocketPath = path
        #expect(try await denial("http://a.test/", route: route)?.rule == .unixSocket)
        let atAddress = try await denial("http://10.0.0.1/", route: route) {
            $0.allowsUnixSockets = true
        }
        #expect(atAddress?.rule == .privateNetwork)
        #expect(
            try await denial("http://a.test/", route: route) { $0.allowsUnixSockets = true } == nil)
    }

    @Test("a proxy is denied unless allowed, and then addresses in URLs are checked")
    func proxy() async throws {
        server.route("http://a.test/") { _ in .text("by the proxy") }
        let route = Exchange.Route(
            proxy: .init(.http, host: "127.0.0.1", port: Int(server.port)), noProxy: ["b.test"])
        for url in ["http://a.test/", "https://a.test/"] {
            #expect(try await denial(url, route: route)?.rule == .proxy)
        }
        #expect(server.acceptedConnectionCount == 0)
        for address in ["10.0.0.1", "[::1]", "0x7f.2", "169.254.169.254."] {
            let denied = try await denial("http://\(address)/", route: route) {
                $0.allowsProxies = true
            }
            #expect(denied?.address != nil, "\(address)")
        }
        #expect(server.acceptedConnectionCount == 0)
        // The proxy's own address does not need to be allowed.
        let allowed = try await denial("http://a.test/", route: route) {
            $0.allowsProxies = true
            $0.allowedRanges = []
        }
        #expect(allowed == nil)
        #expect(server.requestCount == 1)
    }

    @Test("hosts excepted from a proxy are checked at the connection")
    func pastTheProxy() async throws {
        var route = Exchange.Route(
            proxy: .init(.http, host: "127.0.0.1", port: Int(server.port)), noProxy: ["b.test"])
        route.addressOverrides = [
            .init(host: "b.test", port: Int(server.port), addresses: ["127.0.0.2"])
        ]
        for allowsProxies in [false, true] {
            let denied = try await denial("http://b.test:\(server.port)/", route: route) {
                $0.allowsProxies = allowsProxies
            }
            #expect(denied?.address == "127.0.0.2")
        }
    }

    @Test("lists allow and deny schemes, ports and hosts")
    func lists() async throws {
        let url = "http://127.0.0.1:\(server.port)/text"
        let port = Int(server.port)
        func rule(
            _ change: (inout AddressGuard) throws -> Void
        ) async throws -> AddressGuard.Rule? {
            try await denial(url, change)?.rule
        }
        let other = HostPattern("a.test")
        let host = HostPattern("127.0.0.1")
        #expect(try await rule { $0.allowedSchemes = [.https] } == .schemeNotAllowed)
        #expect(try await rule { $0.allowedPorts = [80, 443] } == .portNotAllowed)
        #expect(try await rule { $0.deniedPorts = [port] } == .deniedPort)
        #expect(try await rule { $0.allowedHosts = [other] } == .hostNotAllowed)
        #expect(try await rule { $0.allowedHosts = [] } == .hostNotAllowed)
        #expect(try await rule { $0.deniedHosts = [host] } == .deniedHost)
        #expect(try await rule { $0.deniedHosts = ["https://a.test"] } == .invalidPattern)
        #expect(try await rule { $0.allowedHosts = [host, "*"] } == .invalidPattern)
        #expect(server.acceptedConnectionCount == 0)
        let all = try await rule {
            $0.allowedSchemes = [.http]
            $0.allowedPorts = [port]
            $0.deniedPorts = [80]
            $0.allowedHosts = [other, host]
            $0.deniedHosts = [other]
        }
        #expect(all == nil)
        // Allowing a host does not allow its address.
        let atPrivate = try await denial("http://10.0.0.1:\(port)/") {
            $0.allowedHosts = [HostPattern("10.0.0.1")]
        }
        #expect(atPrivate?.rule == .privateNetwork)
    }

    @Test("a URL without a port has its scheme's port")
    func defaultPorts() async throws {
        for (url, port) in [("http://10.0.0.1/", 80), ("https://10.0.0.1/", 443)] {
            let denied = try await denial(url) { $0.deniedPorts = [port] }
            #expect(denied?.rule == .deniedPort)
            #expect(denied?.port == port)
        }
    }
}
