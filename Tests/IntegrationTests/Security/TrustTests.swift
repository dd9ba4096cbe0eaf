import BluebonnetTransport
import Bluebonnet
import BluebonnetTestSupport
import Foundation
import Testing

/// A client of the test's servers, which sends names unknown to the system to 127.0.0.1.
struct TrustClient {
    let manager: HTTPSessionManager

    init(
        _ policy: SecurityPolicy,
        to ports: [Int],
        configuration: SessionConfiguration = .default
    ) {
        var configuration = configuration
        configuration.route.addressOverrides += ports.flatMap { port in
            ["a.bluebonnet.test", "b.a.bluebonnet.test", "bluebonnet.test"].map {
                Exchange.Route.AddressOverride(host: $0, port: port, addresses: ["127.0.0.1"])
            }
        }
        manager = HTTPSessionManager(configuration: configuration)
        manager.securityPolicy = policy
    }

    func get(_ url: String) async throws -> Result<String, BluebonnetError> {
        let request = URLRequest(url: try #require(URL(string: url)))
        let response = await manager.response(for: request, serializer: HTTPResponseSerializer())
        return response.result.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension CertificateServer {
    func client(_ policy: SecurityPolicy) -> TrustClient {
        TrustClient(policy, to: TestPKI.Server.allCases.map(port))
    }
}

extension Result where Success == String, Failure == BluebonnetError {
    /// The body of a good response.
    var text: String? { try? get() }

    /// The reason why a certificate was not accepted.
    var fault: Exchange.Failure.CertificateFault? {
        if case .failure(let error) = self { error.certificateFault } else { nil }
    }

    var error: BluebonnetError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

@Suite("Verdicts of security policies", .timeLimit(.minutes(10)))
struct TrustTests {
    @Test("every policy has the same verdicts on new, resumed and reused connections")
    func table() async throws {
        let server = try await CertificateServer()
        for row in TrustTable.rows {
            try #require(row.verdicts.count == TrustTable.servers.count, "\(row)")
            let client = server.client(try row.make(server.pki))
            for (certificate, expected) in zip(TrustTable.servers, row.verdicts) {
                for (path, connection) in [
                    ("once", "new 1"), ("", "resumed 1"), ("", "resumed 2"),
                ] {
                    let result = try await client.get(server.url(certificate, path))
                    #expect(result.fault?.check == expected, "\(row): \(certificate), \(result)")
                    let text: String? = expected == nil ? connection : nil
                    #expect(result.text == text, "\(row): \(certificate), \(result)")
                }
            }
        }
    }

    @Test("every policy has the same verdicts after a redirect from another host")
    func redirected() async throws {
        let server = try await CertificateServer()
        let column = try #require(TrustTable.servers.firstIndex(of: .good))
        let rows = TrustTable.rows.filter { $0.verdicts[column] == nil }
        try #require(rows.count > 15)
        for row in rows {
            let client = server.client(try row.make(server.pki))
            for (certificate, expected) in zip(TrustTable.servers, row.verdicts) {
                let place = server.url(certificate).dropFirst("https://".count)
                let result = try await client.get(server.url(.good, "to/\(place)"))
                #expect(result.fault?.check == expected, "\(row): \(certificate), \(result)")
                guard let fault = result.fault else { continue }
                #expect(fault.host == "\(place.dropLast())", "\(row): \(certificate)")
            }
        }
    }

    @Test(
        "pins apply to every exchange on an HTTP/2 connection, and no other policy shares it",
        .enabled(if: LibcurlQuirks.current.speaksHTTP2))
    func http2() async throws {
        let server = try await CertificateServer(speaksHTTP2: true)
        var configuration = SessionConfiguration()
        configuration.httpVersion = .http2
        var policy = SecurityPolicy(certificateAuthorities: server.pki.authorities)
        try policy.pinKeys(["good"], server.pki)
        let client = TrustClient(policy, to: [], configuration: configuration)
        let url = server.url(.good)
        let first = await client.manager.response(
            for: URLRequest(url: try #require(URL(string: url))),
            serializer: HTTPResponseSerializer())
        #expect(first.metrics?.exchanges.last?.protocolVersion == "HTTP/2", "\(first.result)")
        let together = try await withThrowingTaskGroup { group in
            for _ in 1...8 { group.addTask { try await client.get(url).text } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(together == Set((2...9).map { "new \($0)" }))
        try client.manager.securityPolicy.pinKeys(["rogue"], server.pki)
        #expect(try await client.get(url).fault?.check == .pin)
        #expect(try await client.get(server.url(.expired)).fault?.check == .expiry)
    }

    @Test("openssl s_server gets the same verdicts")
    func opensslServer() async throws {
        let directory = try ServerDirectory()
        let pki = try await TestPKI.make(in: directory)
        for certificate in [
            TestPKI.Server.good, .expired, .wrongHost, .selfSigned, .missing, .attacker,
            .trustedAttacker,
        ] {
            let server = try await OpenSSLServer(certificate, of: pki)
            let column = try #require(TrustTable.servers.firstIndex(of: certificate))
            for row in TrustTable.rows {
                let client = TrustClient(try row.make(pki), to: [])
                for kind in ["New", "Reused"] {
                    let url = "https://localhost:\(server.port)/"
                    let result = try await client.get(url)
                    #expect(
                        result.fault?.check == row.verdicts[column],
                        "\(row): \(certificate), \(result)")
                    guard row.verdicts[column] == nil else { continue }
                    let page = try #require(result.text)
                    #expect(page.contains("\n\(kind), TLSv1."), "\(row): \(certificate)")
                }
            }
        }
    }

    @Test("a name matches one host in any case, and a wildcard one label")
    func names() async throws {
        let server = try await CertificateServer()
        let client = server.client(SecurityPolicy(certificateAuthorities: server.pki.authorities))
        for (host, check) in [
            ("a.bluebonnet.test", nil), ("A.Bluebonnet.TEST", nil),
            ("b.a.bluebonnet.test", Exchange.Failure.CertificateFault.Check.hostName),
            ("bluebonnet.test", .hostName),
        ] {
            let result = try await client.get(server.url(.wildcard, host: host))
            #expect(result.fault?.check == check, "\(host): \(result)")
        }
        let asked = server.client(SecurityPolicy(certificateAuthorities: server.pki.authorities))
        TrustHook(.performDefaultHandling).answers(for: asked.manager)
        for certificate in [TestPKI.Server.commonName, .partialWildcard, .embeddedNUL] {
            for client in [client, asked] {
                let result = try await client.get(server.url(certificate))
                #expect(result.fault?.check == .hostName, "\(certificate): \(result)")
            }
        }
        let shouted = try await client.get(server.url(.good, host: "LOCALHOST"))
        #expect(shouted.text != nil, "\(shouted)")
        let named = try await client.get(server.url(.good, host: "127.0.0.1"))
        #expect(named.fault?.check == .hostName)
        let numbered = try await client.get(server.url(.ipAddress, host: "localhost"))
        #expect(numbered.fault?.check == .hostName)
    }

    @Test("a failure has the failed check, the host, advice, and URLSession's code")
    func errors() async throws {
        let server = try await CertificateServer()
        let pki = server.pki
        let strict = SecurityPolicy(certificateAuthorities: pki.authorities)
        var pinned = strict
        try pinned.pinKeys(["rogue"], pki)
        let cases: [(SecurityPolicy, TestPKI.Server, URLError.Code, String)] = [
            (strict, .expired, .serverCertificateHasBadDate, "expired"),
            (strict, .future, .serverCertificateNotYetValid, "not valid yet"),
            (strict, .wrongHost, .serverCertificateUntrusted, "is for other hosts"),
            (strict, .selfSigned, .serverCertificateHasUnknownRoot, "no trusted authority"),
            (strict, .missing, .serverCertificateHasUnknownRoot, "intermediate certificates"),
            (pinned, .good, .serverCertificateUntrusted, "is pinned"),
            (pinned, .expired, .serverCertificateHasBadDate, "expired"),
        ]
        for (policy, certificate, code, words) in cases {
            let client = server.client(policy)
            let error = try #require(try await client.get(server.url(certificate)).error)
            #expect(error.urlError.code == code, "\(error)")
            #expect(error.certificateFault?.host == "localhost:\(server.port(certificate))")
            let text = "\(error)"
            #expect(text.contains(words) && text.contains("localhost:"), "\(text)")
        }
    }

    @Test("a failure of a pinned policy has the chain that the server presented")
    func presentedChain() async throws {
        let server = try await CertificateServer()
        var policy = SecurityPolicy()
        try policy.pinKeys(["rogue"], server.pki, allowInvalid: true)
        let fault = try #require(try await server.client(policy).get(server.url(.attacker)).fault)
        let chain = try fault.presentedChain.map { try Certificate(der: $0) }
        let names = ["attacker", "good", "intermediate", "root"]
        #expect(try chain == names.map(server.pki.certificate))
    }
}
