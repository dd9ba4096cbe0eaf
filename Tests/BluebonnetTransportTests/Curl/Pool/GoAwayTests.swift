import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite(
    "Connections that a server ends after a number of requests", .timeLimit(.minutes(5)),
    .enabled(if: LibcurlQuirks.current.speaksHTTP2))
struct GoAwayTests {
    /// Whether to send as many POSTs as it takes to meet nginx's default limit often.
    private static let isLong = ProcessInfo.processInfo.environment["BLUEBONNET_LOAD"] == "full"

    private let server: MultiplexingServer
    private let transport = CurlTransport()

    init() async throws {
        server = try await MultiplexingServer(
            requestsPerConnection: Self.isLong ? 1000 : 40)
    }

    /// Performs this many exchanges, with this many at a time, and returns the failures.
    ///
    /// `change` changes the exchange with each number.
    private func failures(
        of count: Int, atOnce width: Int, _ exchange: Exchange,
        change: @escaping @Sendable (inout Exchange, _ number: Int) -> Void = { _, _ in }
    ) async -> [Exchange.Failure] {
        let left = Locked(count)
        return await withTaskGroup(of: [Exchange.Failure].self) { group in
            for _ in 0..<width {
                group.addTask {
                    var failures: [Exchange.Failure] = []
                    while case let number = left.withLock({
                        $0 -= 1
                        return $0
                    }), number >= 0 {
                        let exchange = exchange.with { change(&$0, number) }
                        if let failure = await failure(of: exchange) { failures.append(failure) }
                    }
                    return failures
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Performs an exchange, and another one if it can be resent, as a session does.
    private func failure(of exchange: Exchange) async -> Exchange.Failure? {
        let failure = await transport.perform(exchange).failure
        guard failure?.isResendable == true else { return failure }
        return await transport.perform(exchange.with { $0.connectsAnew = true }).failure
    }

    /// The ways to reach the server.
    enum Way: CaseIterable, Sendable {
        case plain, secure, tunnelled
    }

    private func exchange(_ method: String, _ way: Way, proxyPort: UInt16 = 0) -> Exchange {
        let isSecure = way != .plain
        var route = Exchange.Route()
        if way == .tunnelled {
            route = Exchange.Route(
                proxy: .init(.http, host: "127.0.0.1", port: Int(proxyPort)))
        }
        let pool = Exchange.Pool(
            certificateAuthorityFile: server.authority, route: route,
            httpVersion: isSecure ? .http2 : .http2PriorKnowledge)
        let url =
            isSecure
            ? "https://localhost:\(server.securePort)/text"
            : "http://localhost:\(server.plainPort)/text"
        return Exchange(method: method, url: url, pool: pool)
    }

    @Test("they fail no GET", arguments: [1, 8, 64], Way.allCases)
    func gets(width: Int, way: Way) async throws {
        let proxy = way == .tunnelled ? try await HTTPProxyServer() : nil
        let exchange = exchange("GET", way, proxyPort: proxy?.port ?? 0)
        let failures = await failures(of: 1000, atOnce: width, exchange)
        #expect(Set(failures.map(\.message)) == [])
        withExtendedLifetime(proxy) {}
    }

    /// The bodies of requests: with the head, in several pieces, and beyond the window of a stream.
    enum Size: Int, CaseIterable, Sendable {
        case small = 4, medium = 40_000, large = 300_000
    }

    @Test(
        "they fail no POST, or few in a tunnel, and process none twice (RFC 9113 section 6.8)",
        arguments: Way.allCases, Size.allCases)
    func posts(way: Way, size: Size) async throws {
        let proxy = way == .tunnelled ? try await HTTPProxyServer() : nil
        var exchange = exchange("POST", way, proxyPort: proxy?.port ?? 0)
        exchange.url = exchange.url.replacing("/text", with: "/numbered")
        exchange.body = .data(Data(count: size.rawValue))
        let count = Self.isLong ? 20_000 : 1000
        let failures = await failures(of: count, atOnce: 64, exchange) { exchange, number in
            exchange.fields.append(Exchange.Field(name: "Number", value: "\(number)"))
        }
        // A proxy can end the tunnel before the GOAWAY is read, and then it is not known which
        // requests the server has processed.
        let largestCount = way == .tunnelled && size != .small ? count / 20 : 0
        #expect(failures.count <= largestCount, "\(Set(failures.map(\.message)))")
        let numbers = server.processedNumbers
        #expect(numbers.count == Set(numbers).count)
        #expect(numbers.count >= count - failures.count, "\(numbers.count)")
        withExtendedLifetime(proxy) {}
    }
}
