import Bluebonnet
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@Suite("Servers that require a client identity", .timeLimit(.minutes(5)))
struct RefusedIdentityTests {
    @Test("with no identity, one of another authority, or an expired one, the error says so")
    func refusals() async throws {
        let made = try await TestIdentities.shared()
        let server = try await OpenSSLServer(options: [
            "-tls1_3", "-CAfile", made.file("a.pem").path, "-Verify", "3", "-verify_return_error",
        ])
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        for (name, expected) in [
            (nil, .clientCertificateRequired), ("rsa", .clientCertificateRequired),
            ("expired", .clientCertificateRejected), ("one", nil),
        ] as [(String?, URLError.Code?)] {
            let manager = SessionManager()
            manager.securityPolicy.certificateAuthorities = URL(fileURLWithPath: server.authority)
            manager.clientIdentity = try name.map(made.identity)
            let response = await manager.response(
                for: URLRequest(url: url), serializer: HTTPResponseSerializer())
            #expect(response.error?.urlError.code == expected, "\(response.result)")
            if let error = response.error {
                #expect("\(error)".contains("client certificate"))
            } else {
                let page = String(decoding: response.value ?? Data(), as: UTF8.self)
                // Versions write the type of a client's signature in different ways.
                #expect(page.lowercased().contains("peer signature type: ecdsa"))
            }
        }
    }
}
