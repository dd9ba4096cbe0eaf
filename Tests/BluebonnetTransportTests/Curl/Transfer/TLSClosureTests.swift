import BluebonnetFixtureServer
import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Testing

@Suite("The end of TLS as the end of a body", .timeLimit(.minutes(5)))
struct TLSClosureTests {
    /// Performs an exchange with a server that has two names and ends the connection as given.
    private func perform(
        _ host: String, _ hosts: Set<HostPattern>, isForwarded: Bool = false,
        _ actions: FaultAction...
    ) async throws -> ExchangeRecorder.Record {
        let directory = try ServerDirectory()
        let certificates = try await TestCertificates.make(
            in: directory, for: "DNS:localhost,DNS:*.closure.test,IP:127.0.0.1")
        let server = try FaultServer(
            FaultScript([.request, .send("HTTP/1.1 200 OK\r\n\r\nabc")] + actions),
            identity: ServerIdentity(
                chainFile: certificates.certificate, keyFile: certificates.key))
        var route = Exchange.Route()
        if isForwarded {
            var proxy = Exchange.Route.Proxy(.https, host: "localhost", port: Int(server.port))
            proxy.certificateAuthorityFile = certificates.authority
            route = Exchange.Route(proxy: proxy)
        } else {
            route.addressOverrides = [
                Exchange.Route.AddressOverride(
                    host: host, port: Int(server.port), addresses: ["127.0.0.1"])
            ]
        }
        let pool = Exchange.Pool(
            certificateAuthorityFile: certificates.authority, route: route,
            hostsWithoutCloseNotify: hosts)
        let scheme = isForwarded ? "http" : "https"
        return await CurlTransport().perform(
            Exchange(method: "GET", url: "\(scheme)://\(host):\(server.port)/", pool: pool)
                .with { $0.timeouts.whole = 10 })
    }

    @Test(
        "only on listed hosts, a body is whole without close_notify",
        arguments: [
            ("a.closure.test", ["a.closure.test"], true),
            ("A.Closure.test", ["*.closure.test"], true),
            ("a.closure.test", ["b.closure.test", "closure.test"], false),
            ("a.closure.test", ["https://a.closure.test"], false),
            ("a.closure.test", [], false),
        ] as [(String, Set<HostPattern>, Bool)], [false, true])
    func hosts(example: (String, Set<HostPattern>, Bool), isForwarded: Bool) async throws {
        let (host, hosts, isAllowed) = example
        let record = try await perform(
            host, hosts, isForwarded: isForwarded, .halfClose, .drain)
        #expect(record.head?.statusCode == 200)
        #expect(record.body == Data("abc".utf8))
        guard !isAllowed else {
            #expect(record.failure == nil)
            return
        }
        let failure = try #require(record.failure)
        #expect(failure.code == .networkConnectionLost)
        #expect(failure.message.contains("close_notify"), "\(failure)")
        #expect(failure.message.contains("hostsWithoutCloseNotify"), "\(failure)")
    }

    @Test("a reset never ends a body, even on listed hosts")
    func reset() async throws {
        let record = try await perform("a.closure.test", ["a.closure.test"], .reset)
        #expect(record.failure?.code == .networkConnectionLost, "\(record)")
    }
}
