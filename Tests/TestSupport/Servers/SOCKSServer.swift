import Foundation

/// microsocks on a loopback port: SOCKS 5 (RFC 1928) without or with credentials (RFC 1929).
///
/// Unlike dante, it needs no interface, system users or service.
package final class SOCKSServer: Sendable {
    package let credentials: Credentials?
    private let process: ServerProcess
    private let reserved: ReservedPort

    /// Starts a proxy that requires these credentials; nil for none.
    package init(credentials: Credentials? = nil) async throws {
        self.credentials = credentials
        reserved = try ReservedPort()
        var arguments = ["-i", "127.0.0.1", "-p", String(reserved.number)]
        if let credentials {
            arguments += ["-u", credentials.user, "-P", credentials.password]
        }
        process = try await ServerProcess.start(
            InstalledProgram(name: "microsocks").locate(), arguments,
            in: ServerDirectory(), ports: [reserved])
    }

    package var port: UInt16 { reserved.number }

    /// The host and port of each connection that the proxy opened.
    ///
    /// Each is logged before the client can use the connection.
    package var targets: [String] {
        process.log.split(separator: "\n").compactMap { line in
            line.range(of: ": connected to ").map { String(line[$0.upperBound...]) }
        }
    }

    package var log: String { process.log }

    package func stop() { process.stop() }
}
