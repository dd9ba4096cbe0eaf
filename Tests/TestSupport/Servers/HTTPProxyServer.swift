import Foundation

/// tinyproxy on a loopback port: an HTTP forward proxy that also tunnels (CONNECT) to any port.
///
/// Unlike squid, it starts in milliseconds, runs as one process with ten lines of configuration,
/// and has a Debian package without a service (`tinyproxy-bin`). Unlike other proxies, it responds
/// with 401 rather than 407 to wrong credentials.
package final class HTTPProxyServer: Sendable {
    package let credentials: Credentials?
    private let process: ServerProcess
    private let reserved: ReservedPort

    /// Starts a proxy that requires these credentials; nil for none.
    package init(credentials: Credentials? = nil) async throws {
        self.credentials = credentials
        reserved = try ReservedPort()
        let directory = try ServerDirectory()
        // Without a ConnectPort line, tunnels to every port are allowed.
        var lines = [
            "Listen 127.0.0.1", "Port \(reserved.number)", "Timeout 60", "MaxClients 200",
            "LogLevel Connect",
        ]
        if let credentials {
            lines.append("BasicAuth \(credentials.user) \(credentials.password)")
        }
        try directory.write(lines.joined(separator: "\n") + "\n", to: "tinyproxy.conf")
        process = try await ServerProcess.start(
            InstalledProgram(name: "tinyproxy").locate(), ["-d", "-c", "tinyproxy.conf"],
            in: directory, ports: [reserved])
    }

    package var port: UInt16 { reserved.number }

    /// The URL without credentials.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// The request lines that the proxy has read, including those of refused requests.
    ///
    /// Each line is logged before the proxy responds.
    package var requests: [String] {
        process.log.split(separator: "\n").compactMap { line in
            guard line.contains("Request (file descriptor"),
                let start = line.range(of: "): ")
            else { return nil }
            return String(line[start.upperBound...])
        }
    }

    package var log: String { process.log }

    package func stop() { process.stop() }
}
