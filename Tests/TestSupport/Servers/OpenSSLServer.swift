import Foundation

/// `openssl s_server` with one certificate, which responds with a page about TLS.
package final class OpenSSLServer: Sendable {
    /// The PEM file of the authority to trust.
    package let authority: String
    private let process: ServerProcess
    private let reserved: ReservedPort

    /// Starts a server with a certificate for these names from a new authority.
    ///
    /// The options are further options of `s_server`.
    package init(
        for names: String = "DNS:localhost", options: [String] = []
    ) async throws {
        let directory = try ServerDirectory()
        let certificates = try await TestCertificates.make(in: directory, for: names)
        authority = certificates.authority
        reserved = try ReservedPort()
        process = try await Self.start(
            on: reserved, ["-cert", certificates.certificate, "-key", certificates.key] + options,
            in: directory)
    }

    /// Starts a server with a certificate of a ``TestPKI``.
    package init(
        _ server: TestPKI.Server, of pki: TestPKI, options: [String] = []
    ) async throws {
        authority = pki.authorities.path
        reserved = try ReservedPort()
        let files = TestPKI.files(of: server)
        let rest = pki.directory.text(of: files.rest).isEmpty ? [] : ["-cert_chain", files.rest]
        process = try await Self.start(
            // `-cert` reads only the first certificate of the chain.
            on: reserved, ["-cert", files.chain, "-key", files.key] + rest + options,
            in: pki.directory)
    }

    private static func start(
        on port: ReservedPort, _ options: [String], in directory: ServerDirectory
    ) async throws -> ServerProcess {
        try await ServerProcess.start(
            InstalledProgram(name: "openssl").locate(),
            ["s_server", "-accept", "127.0.0.1:\(port.number)", "-www"] + options,
            in: directory, ports: [port])
    }

    package var port: Int { Int(reserved.number) }
}
