extension ServerProcess {
    /// Starts stunnel, which relays TLS on one port to plain text on another.
    ///
    /// It returns when stunnel listens. The options are further lines of its service, which is
    /// named `relay`.
    package static func stunnel(
        from port: ReservedPort, to target: UInt16, _ certificates: TestCertificates,
        in directory: ServerDirectory, logLevel: String = "notice", options: [String] = []
    ) async throws -> ServerProcess {
        let lines =
            [
                "foreground = yes", "pid =", "syslog = no", "debug = \(logLevel)",
                "[relay]", "accept = 127.0.0.1:\(port.number)", "connect = 127.0.0.1:\(target)",
                "cert = \(certificates.certificate)", "key = \(certificates.key)",
                // Otherwise, stunnel waits ten seconds for a peer that has already disconnected.
                "TIMEOUTclose = 0",
            ] + options
        try directory.write(lines.joined(separator: "\n") + "\n", to: "stunnel.conf")
        return try await start(
            InstalledProgram(name: "stunnel4").locate(), ["stunnel.conf"],
            in: directory, ports: [port])
    }
}
