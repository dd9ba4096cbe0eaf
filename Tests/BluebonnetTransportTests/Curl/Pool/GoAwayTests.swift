import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite(
    "Connections that a server ends after a number of requests", .timeLimit(.minutes(5)),
    .enabled(if: LibcurlQuirks.current.speaksHTTP2))
struct GoAwayTests {
    private let server: MultiplexingServer
    private let transport = CurlTransport()

    init() async throws {
        server = try await MultiplexingServer(requestsPerConnection: 40)
    }

    /// Performs this many exchanges, with this many at a time, and returns the failures.
    private func failures(
        of count: Int, atOnce width: Int, _ exchange: Exchange
    ) async -> [Exchange.Failure] {
        let left = Locked(count)
        return await withTaskGroup(of: [Exchange.Failure].self) { group in
            for _ in 0..<width {
                group.addTask {
                    var failures: [Exchange.Failure] = []
                    while left.withLock({
                        $0 -= 1
                        return $0 >= 0
                    }) {
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

    @Test("they fail no POST with an idempotency key, and the error of other POSTs has advice")
    func posts() async {
        var exchange = exchange("POST", .secure)
        exchange.body = .data(Data("once".utf8))
        for failure in await failures(of: 1000, atOnce: 64, exchange) {
            #expect(failure.code == .networkConnectionLost)
            #expect(failure.message.contains("POST is not idempotent"))
            #expect(failure.message.contains("add an Idempotency-Key"))
            #expect(failure.message.contains("its limit on requests"))
        }
        exchange.fields.append(Exchange.Field(name: "idempotency-key", value: "\"1\""))
        #expect(await failures(of: 1000, atOnce: 64, exchange).map(\.message) == [])
    }
}
