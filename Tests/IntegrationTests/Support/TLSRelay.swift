import Foundation

/// A server that is reached through TLS, which stunnel adds: what the server writes, and when it
/// closes, is passed on at once.
final class TLSRelay: Sendable {
    private let process: ServerProcess
    private let certificates: TestCertificates
    private let reserved: ReservedPort

    /// Starts it before a server's port, for one version of TLS, such as `TLSv1.3`.
    init(to port: UInt16, version: String) async throws {
        reserved = try ReservedPort()
        let directory = try ServerDirectory()
        certificates = try await TestCertificates.make(in: directory)
        let lines = [
            "foreground = yes", "pid =", "syslog = no", "debug = debug",
            "[relay]", "accept = 127.0.0.1:\(reserved.number)", "connect = 127.0.0.1:\(port)",
            "cert = \(certificates.certificate)", "key = \(certificates.key)",
            "sslVersion = \(version)", "TIMEOUTclose = 0",
        ]
        try directory.write(lines.joined(separator: "\n") + "\n", to: "stunnel.conf")
        process = try await ServerProcess.start(
            InstalledProgram(name: "stunnel4").locate(), ["stunnel.conf"],
            in: directory, ports: [reserved])
    }

    /// The PEM file of the authority to trust.
    var authority: URL { URL(fileURLWithPath: certificates.authority) }

    var baseURL: String { "https://localhost:\(reserved.number)" }

    /// Waits until every connection is over, for ten seconds at most; false when one is not.
    func becomesIdle() async throws -> Bool {
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

    func stop() { process.stop() }
}
