import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("A pool's TLS requirements", .timeLimit(.minutes(5)))
struct TrustSettingsTests {
    private func get(
        _ server: OpenSSLServer,
        _ change: (inout Exchange.Trust) -> Void
    ) async -> ExchangeRecorder.Record {
        var trust = Exchange.Trust()
        change(&trust)
        let pool = Exchange.Pool(certificateAuthorityFile: server.authority, trust: trust)
        let url = "https://localhost:\(server.port)/"
        return await CurlTransport().perform(Exchange(method: "GET", url: url, pool: pool))
    }

    @Test("a server with only older TLS than the pool requires is refused")
    func minimumVersion() async throws {
        for (option, version, isRefused) in [
            ("-tls1_2", Exchange.TLSVersion.tls12, false), ("-tls1_2", .tls13, true),
            ("-tls1_3", .tls13, false), ("-tls1_1", .tls12, true),
        ] {
            let server = try await OpenSSLServer(options: [option, "-cipher", "ALL:@SECLEVEL=0"])
            let record = await get(server) { $0.minimumVersion = version }
            #expect((record.failure != nil) == isRefused, "\(option)")
            if isRefused { #expect(record.failure?.code == .secureConnectionFailed) }
        }
    }

    @Test("the ciphers are those of the lists, and an empty list fails")
    func ciphers() async throws {
        let old = try await OpenSSLServer(options: ["-tls1_2"])
        let new = try await OpenSSLServer(options: ["-tls1_3"])
        for suite in ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"] {
            let record = await get(old) { $0.cipherList = suite }
            #expect(record.ends.first?.metrics.tlsCipherSuite == suite)
        }
        for suite in ["TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"] {
            let record = await get(new) { $0.cipherSuites = suite }
            #expect(record.ends.first?.metrics.tlsCipherSuite == suite)
        }
        let unknown = await get(old) { $0.cipherList = "NONE-SUCH" }
        #expect(unknown.failure?.code == .secureConnectionFailed, "\(unknown)")
        let unknownSuite = await get(new) { $0.cipherSuites = "NONE-SUCH" }
        #expect(unknownSuite.failure?.code == .secureConnectionFailed, "\(unknownSuite)")
    }

    @Test("pins fail closed with a TLS library that would not ask for a verdict")
    func otherLibrary() throws {
        var trust = Exchange.Trust()
        #expect(try TLSContext.of(.init(trust: trust), isOpenSSL: false) == nil)
        trust.pins = Exchange.Trust.Pins(certificates: [])
        #expect(throws: Exchange.Failure.self) {
            try TLSContext.of(.init(trust: trust), isOpenSSL: false)
        }
        #expect(try TLSContext.of(.init(trust: trust), isOpenSSL: true) != nil)
        trust = Exchange.Trust()
        trust.goal = .pin
        #expect(throws: Exchange.Failure.self) {
            try TLSContext.of(.init(trust: trust), isOpenSSL: false)
        }
    }

    @Test("pins fail closed behind a TLS proxy that cannot be distinguished from the server")
    func proxyLikeServers() throws {
        var trust = Exchange.Trust()
        trust.goal = .pin
        #expect(throws: Exchange.Failure.self) {
            try TLSContext.of(.init(trust: trust), isInsideTLS: true, tellsProxiesApart: false)
        }
        #expect(
            try TLSContext.of(.init(trust: trust), isInsideTLS: true, tellsProxiesApart: true)
                != nil)
        #expect(try TLSContext.of(.init(trust: trust), tellsProxiesApart: false) != nil)
        trust.goal = .authority
        #expect(
            try TLSContext.of(.init(trust: trust), isInsideTLS: true, tellsProxiesApart: false)
                == nil)
    }

    @Test("a certificate fault is not reported for a later exchange")
    func laterExchange() async throws {
        let server = try await OpenSSLServer()
        var trust = Exchange.Trust()
        trust.goal = .pin
        let pool = Exchange.Pool(trust: trust)
        let transport = CurlTransport()
        let closed = try ReservedPort()
        for (port, check) in [
            (server.port, Exchange.Failure.CertificateFault.Check.pin), (Int(closed.number), nil),
        ] {
            let url = "https://localhost:\(port)/"
            let record = await transport.perform(Exchange(method: "GET", url: url, pool: pool))
            #expect(record.failure?.certificateFault?.check == check, "\(record)")
        }
    }

    @Test("a pool that requires pins and has none accepts no server")
    func noPins() async throws {
        let server = try await OpenSSLServer()
        let empty = Exchange.Trust.Pins(certificates: [], publicKeyHashes: [])
        for goal in [Exchange.Trust.Goal.authority, .pin] {
            for pins in [empty, Exchange.Trust.Pins(certificates: [])] {
                let record = await get(server) {
                    $0.goal = goal
                    $0.pins = pins
                }
                #expect(record.failure?.certificateFault?.check == .pin)
            }
        }
        let none = await get(server) { $0.goal = .pin }
        #expect(none.failure?.certificateFault?.check == .pin)
    }
}
