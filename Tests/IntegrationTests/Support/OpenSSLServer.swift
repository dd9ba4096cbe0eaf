import Foundation

/// `openssl s_server` with one certificate of a ``TestPKI``; it answers with a page about TLS.
final class OpenSSLServer: Sendable {
    private let process: ServerProcess
    private let reserved: ReservedPort

    init(_ server: TestPKI.Server, of pki: TestPKI, _ options: [String] = []) async throws {
        reserved = try ReservedPort()
        let files = TestPKI.files(of: server)
        let rest = pki.directory.text(of: files.rest).isEmpty ? [] : ["-cert_chain", files.rest]
        process = try await ServerProcess.start(
            InstalledProgram(name: "openssl").locate(),
            [
                "s_server", "-accept", "127.0.0.1:\(reserved.number)", "-www",
                // Of the chain's file it takes the first certificate.
                "-cert", files.chain, "-key", files.key,
            ] + rest + options,
            in: pki.directory, ports: [reserved])
    }

    var port: Int { Int(reserved.number) }
}
