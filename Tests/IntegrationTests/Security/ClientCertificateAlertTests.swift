import Bluebonnet
import BluebonnetFixtureServer
import BluebonnetTestSupport
import Foundation
import FoundationNetworking
import Testing

@testable import BluebonnetTransport

@Suite("A client certificate that is missing or refused", .timeLimit(.minutes(5)))
struct ClientCertificateAlertTests {
    private static let rounds = 5

    /// Runs tasks in sequence, each on its own connection, against a server that requires a
    /// certificate of the authority `a`.
    private func errors(
        identity name: String?, bodySize: Int, script: FaultScript = FaultScript(),
        configure: (inout ServerIdentity) -> Void
    ) async throws -> [BluebonnetError?] {
        let made = try await TestIdentities.shared()
        let surroundings = try await FaultSurroundings.shared()
        var identity = surroundings.identity
        identity.clientAuthorityFile = made.file("a.pem").path
        configure(&identity)
        let server = try FaultServer(script, identity: identity)
        var request = URLRequest(
            url: try #require(URL(string: "https://127.0.0.1:\(server.port)/")))
        if bodySize > 0 {
            request.httpMethod = "PUT"
            request.httpBody = Data(count: bodySize)
        }
        var errors: [BluebonnetError?] = []
        for _ in 0..<Self.rounds {
            let manager = SessionManager()
            manager.securityPolicy.certificateAuthorities = surroundings.authority
            manager.clientIdentity = try name.map(made.identity)
            errors.append(await manager.response(for: request, serializer: .http).error)
        }
        return errors
    }

    private func expect(
        _ code: URLError.Code, in errors: [BluebonnetError?],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let others = errors.filter { $0?.urlError.code != code }
        #expect(others.isEmpty, "\(others)", sourceLocation: sourceLocation)
        #expect(
            errors.allSatisfy { "\($0 as Any)".contains("client certificate") }, "\(errors)",
            sourceLocation: sourceLocation)
    }

    @Test(
        "with TLS 1.3 it is the error in every run, even if the reset comes before the request",
        arguments: [0, 2000, 60_000, 4_000_000], [nil, "expired", "rsa"])
    func everyRun(bodySize: Int, identity: String?) async throws {
        for isReset in [true, false] {
            let errors = try await errors(identity: identity, bodySize: bodySize) {
                $0.oldestVersion = .tls13
                $0.resetsFailedHandshakes = isReset
            }
            expect(
                identity == nil ? .clientCertificateRequired : .clientCertificateRejected,
                in: errors)
        }
    }

    @Test(
        "the same holds for HTTP/2",
        .enabled(if: LibcurlQuirks.current.speaksHTTP2), arguments: [0, 200_000])
    func http2(bodySize: Int) async throws {
        let errors = try await errors(identity: nil, bodySize: bodySize) {
            $0.oldestVersion = .tls13
            $0.resetsFailedHandshakes = true
            $0.applicationProtocol = "h2"
        }
        expect(.clientCertificateRequired, in: errors)
    }

    @Test(
        "if a server asks for one and closes silently, the error says that it may have refused it")
    func silentReset() async throws {
        for ending in [[.reset], [.receive(1), .reset], [.receive(1), .close]] as [[FaultAction]] {
            let script = FaultScript(repeating: ending, count: Self.rounds)
            let errors = try await errors(identity: "one", bodySize: 0, script: script) { _ in }
            expect(.networkConnectionLost, in: errors)
            #expect(errors.allSatisfy { "\($0 as Any)".contains("may have refused") }, "\(errors)")
        }
    }

    @Test("a connection lost after the head is a plain lost connection")
    func lostLater() async throws {
        let script = FaultScript(
            repeating: [.request, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngo"), .reset],
            count: Self.rounds)
        let errors = try await errors(identity: "one", bodySize: 0, script: script) { _ in }
        #expect(errors.allSatisfy { $0?.urlError.code == .networkConnectionLost })
        #expect(!errors.contains { "\($0 as Any)".contains("certificate") }, "\(errors)")
    }
}
