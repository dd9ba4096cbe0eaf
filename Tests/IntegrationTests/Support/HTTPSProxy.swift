import Foundation

/// An ``HTTPProxyServer`` that is reached through TLS, which stunnel adds.
///
/// stunnel is the same for every proxy behind it, where squid would be a second kind of proxy.
final class HTTPSProxy: Sendable {
    /// The proxy behind, whose `requests` are those that came through.
    let proxy: HTTPProxyServer
    private let process: ServerProcess
    private let certificates: TestCertificates
    private let reserved: ReservedPort

    /// Starts it; the options are further lines of stunnel's service.
    init(credentials: Credentials? = nil, options: [String] = []) async throws {
        proxy = try await HTTPProxyServer(credentials: credentials)
        reserved = try ReservedPort()
        let directory = try ServerDirectory()
        certificates = try await TestCertificates.make(in: directory)
        let lines =
            [
                "foreground = yes", "pid =", "syslog = no", "debug = notice",
                "[proxy]", "accept = 127.0.0.1:\(reserved.number)",
                "connect = 127.0.0.1:\(proxy.port)",
                "cert = \(certificates.certificate)", "key = \(certificates.key)",
                // Otherwise it waits ten seconds for a peer that has already gone.
                "TIMEOUTclose = 0",
            ] + options
        try directory.write(lines.joined(separator: "\n") + "\n", to: "stunnel.conf")
        process = try await ServerProcess.start(
            InstalledProgram(name: "stunnel4").locate(), ["stunnel.conf"],
            in: directory, ports: [reserved])
    }

    var port: UInt16 { reserved.number }

    /// The URL without credentials; the certificate names `localhost` and 127.0.0.1.
    var url: String { "https://localhost:\(port)" }

    /// The PEM file of the authority to trust.
    var authorityFile: String { certificates.authority }

    var requests: [String] { proxy.requests }

    /// What stunnel said.
    var log: String { process.log }

    func stop() {
        process.stop()
        proxy.stop()
    }
}
