package import Foundation

/// nginx on loopback ports: static files, TLS and HTTP/2, uploads, and refusals.
///
/// | path | what it does |
/// | --- | --- |
/// | `/files/name` | a file as it is, with ranges |
/// | `/gzip/name` | the same with gzip, for clients that accept it |
/// | `/slow/name` | the same at 64 KiB/s on each connection |
/// | `/private/name` | the same, with ``credentials`` required (Basic) |
/// | `/redirect/307/files/name` | a redirect to the rest of the path; 301, 302, 303, 307, 308 |
/// | `/uploads/name` | stores the body of a PUT of any size; DELETE removes it |
/// | `/private-uploads/name` | the same place, with ``credentials`` required |
/// | `/limited/name` | answers 413 to bodies over 1 KiB before reading them, and disconnects |
///
/// The server runs as long as the object lives. Keep it in a property of the suite, because a local
/// variable can be released after its last use, before the request is sent.
package final class NginxServer: Sendable {
    package let credentials = Credentials()
    private let process: ServerProcess
    private let certificates: TestCertificates
    private let plainPort: ReservedPort
    private let securePort: ReservedPort

    /// Starts nginx with these files, by name.
    package init(files: [String: Data] = [:]) async throws {
        let directory = try ServerDirectory()
        plainPort = try ReservedPort()
        securePort = try ReservedPort()
        certificates = try await TestCertificates.make(in: directory)
        for (name, data) in files {
            try directory.write(data, to: "files/\(name)")
        }
        try FileManager.default.createDirectory(
            atPath: directory.path(of: "uploads"), withIntermediateDirectories: true)
        try directory.write(
            "\(credentials.user):{PLAIN}\(credentials.password)\n", to: "passwords")
        process = try await ServerProcess.nginx(
            Self.configuration(
                in: directory, certificates, plainPort: plainPort.number,
                securePort: securePort.number),
            in: directory, ports: [plainPort, securePort])
    }

    /// The port for `http`.
    package var port: UInt16 { plainPort.number }

    /// The port for `https`, with HTTP/2 for clients that offer it.
    package var tlsPort: UInt16 { securePort.number }

    /// The PEM file of the authority to trust; the certificate names `localhost` and 127.0.0.1.
    package var authorityFile: String { certificates.authority }

    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    package func tlsURL(_ path: String) -> String { "https://localhost:\(tlsPort)/\(path)" }

    /// The file for `/uploads/name`, which contains the whole body or does not exist.
    package func uploadedFile(_ name: String) -> URL {
        URL(fileURLWithPath: process.directory.path(of: "uploads/\(name)"))
    }

    /// The SHA-256 of an upload, in hexadecimal digits.
    package func uploadChecksum(_ name: String) async throws -> String {
        try await FileChecksum.sha256(of: uploadedFile(name).path)
    }

    /// One line for each request: method, target, status and protocol.
    ///
    /// nginx writes the line after the response, so it can be missing when the client has
    /// completed. Use `requests(awaiting:)` then.
    package var requests: [String] {
        process.directory.text(of: "access.log").split(separator: "\n").map(String.init)
    }

    /// Returns the log after it has `count` requests, or after 10 s.
    package func requests(awaiting count: Int) async throws -> [String] {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(10)
        while requests.count < count, clock.now < end {
            try await clock.sleep(for: .milliseconds(2))
        }
        return requests
    }

    /// The error log of nginx.
    package var log: String { process.log }

    package func stop() { process.stop() }
}
