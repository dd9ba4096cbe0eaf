package import Foundation

/// A server that is reached through TLS, which stunnel adds: what the server writes, and when it
/// closes, is passed on at once.
package final class StunnelRelay: Sendable {
    private let process: ServerProcess
    private let certificates: TestCertificates
    private let reserved: ReservedPort

    /// Starts it before a server's port, for one version of TLS, such as `TLSv1.3`.
    package init(to port: UInt16, version: String) async throws {
        reserved = try ReservedPort()
        let directory = try ServerDirectory()
        certificates = try await TestCertificates.make(in: directory)
        process = try await ServerProcess.stunnel(
            from: reserved, to: port, certificates, in: directory, logLevel: "debug",
            options: ["sslVersion = \(version)"])
    }

    /// The PEM file of the authority to trust.
    package var authority: URL { URL(fileURLWithPath: certificates.authority) }

    package var baseURL: String { "https://localhost:\(reserved.number)" }

    /// Waits until every connection is over, for ten seconds at most.
    ///
    /// Returns false if one is not.
    package func becomesIdle() async throws -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(10)
        while !isIdle, clock.now < end { try await clock.sleep(for: .milliseconds(2)) }
        return isIdle
    }

    private var isIdle: Bool {
        let lines = process.log.split(separator: "\n")
        return lines.count { $0.contains("Service [relay] accepted (FD=") }
            == lines.count { $0.contains("Service [relay] finished") }
    }

    package func stop() { process.stop() }
}
