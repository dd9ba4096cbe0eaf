import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import FoundationNetworking
import Glibc
import Testing

@Suite("Trust in a server's certificate", .timeLimit(.minutes(5)))
struct TLSTests {
    @Test("a certificate needs its authority and its host name")
    func verification() async throws {
        let server = try await OpenSSLServer()
        let transport = CurlTransport()
        let trusting = Exchange.Pool(certificateAuthorityFile: server.authority)
        func perform(_ host: String, _ pool: Exchange.Pool) async -> ExchangeRecorder.Record {
            let url = "https://\(host):\(server.port)/"
            return await transport.perform(
                Exchange(method: "GET", url: url, pool: pool).with { $0.timeouts.whole = 5 })
        }
        let good = await perform("localhost", trusting)
        #expect(good.failure == nil)
        #expect(good.head?.statusCode == 200)
        #expect(good.ends.first?.metrics.tlsDuration ?? 0 > 0)
        let wrongHost = await perform("127.0.0.1", trusting)
        #expect(wrongHost.failure?.code == .serverCertificateUntrusted)
        let unknown = await perform("localhost", Exchange.Pool())
        #expect(unknown.failure?.code == .serverCertificateHasUnknownRoot)
        #expect(unknown.failure?.message.contains("securityPolicy.certificateAuthorities") == true)
        let missing = await perform("localhost", Exchange.Pool(certificateAuthorityFile: "/none"))
        #expect(missing.failure?.code == .secureConnectionFailed)
    }

    @Test("the metrics have the version and the cipher suite, also on a resumed session")
    func metrics() async throws {
        for (option, version, suites) in [
            ("-tls1_2", "TLSv1.2", "ECDHE-"), ("-tls1_3", "TLSv1.3", "TLS_AES_256_GCM_SHA384"),
        ] {
            let server = try await OpenSSLServer(options: [option])
            let transport = CurlTransport()
            let pool = Exchange.Pool(certificateAuthorityFile: server.authority)
            let url = "https://localhost:\(server.port)/"
            for _ in 0..<2 {
                let record = await transport.perform(
                    Exchange(method: "GET", url: url, pool: pool))
                let metrics = try #require(record.ends.first?.metrics)
                #expect(metrics.tlsVersion == version)
                #expect(metrics.tlsCipherSuite.hasPrefix(suites))
            }
            let untrusting = await transport.perform(
                Exchange(method: "GET", url: url, pool: Exchange.Pool()))
            #expect(untrusting.ends.first?.metrics.tlsVersion == "")
        }
    }

    @Test("a TLS proxy is verified with its own authorities or the system's")
    func secureProxy() async throws {
        // It answers forwarded requests like any others.
        let server = try await OpenSSLServer()
        let transport = CurlTransport()
        func perform(_ host: String, _ authority: String?) async -> ExchangeRecorder.Record {
            var proxy = Exchange.Route.Proxy(.https, host: host, port: server.port)
            proxy.certificateAuthorityFile = authority
            let pool = Exchange.Pool(route: Exchange.Route(proxy: proxy))
            return await transport.perform(
                Exchange(method: "GET", url: "http://example.test/", pool: pool)
                    .with { $0.timeouts.whole = 5 })
        }
        let good = await perform("localhost", server.authority)
        #expect(good.failure == nil)
        #expect(String(decoding: good.body, as: UTF8.self).contains("s_server"))
        let unknown = await perform("localhost", nil)
        #expect(unknown.failure?.code == .serverCertificateHasUnknownRoot)
        #expect(unknown.failure?.message.contains("the proxy localhost:") == true)
        #expect(unknown.failure?.message.contains("the proxy's certificateAuthorityFile") == true)
        let wrongHost = await perform("127.0.0.1", server.authority)
        #expect(wrongHost.failure?.code == .serverCertificateUntrusted)
        let missing = await perform("localhost", "/none")
        #expect(missing.failure?.code == .secureConnectionFailed)
        #expect(missing.failure?.systemErrorNumber == ENOENT)
    }
}
