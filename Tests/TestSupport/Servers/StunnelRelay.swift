package import Foundation

/// A TLS front end for a plain-text server, which passes on its bytes and its close at once.
///
/// stunnel provides the TLS.
package final class StunnelRelay: Sendable {
    private let process: ServerProcess
    private let certificates: TestCertificates
    private let reserved: ReservedPort

    /// Starts a relay to a server's port, for one version of TLS, such as `TLSv1.3`.
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

    /// Waits until no connection is left, for at most 10 s.
    ///
    /// Returns false if a connection is left.
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
