import Foundation

/// An ``HTTPProxyServer`` behind TLS, which stunnel provides.
///
/// stunnel keeps the proxy the same, while squid would be a second kind of proxy.
package final class HTTPSProxy: Sendable {
    /// The proxy behind stunnel, whose `requests` are those that passed through.
    package let proxy: HTTPProxyServer
    private let process: ServerProcess
    private let certificates: TestCertificates
    private let reserved: ReservedPort

    /// Starts the proxy; `options` are further lines of stunnel's service.
    package init(credentials: Credentials? = nil, options: [String] = []) async throws {
        proxy = try await HTTPProxyServer(credentials: credentials)
        reserved = try ReservedPort()
        let directory = try ServerDirectory()
        certificates = try await TestCertificates.make(in: directory)
        process = try await ServerProcess.stunnel(
            from: reserved, to: proxy.port, certificates, in: directory, options: options)
    }

    package var port: UInt16 { reserved.number }

    /// The URL without credentials; the certificate names `localhost` and 127.0.0.1.
    package var url: String { "https://localhost:\(port)" }

    /// The PEM file of the authority to trust.
    package var authorityFile: String { certificates.authority }

    package var requests: [String] { proxy.requests }

    /// The log of stunnel.
    package var log: String { process.log }

    package func stop() {
        process.stop()
        proxy.stop()
    }
}
