package import Foundation

/// nginx on loopback ports: static files, TLS and HTTP/2, uploads, and refusals.
///
/// | path | what it does |
/// | --- | --- |
/// | `/files/name` | a file as it is, with ranges |
/// | `/gzip/name` | the same with gzip for whoever accepts it |
/// | `/slow/name` | the same at 64 KiB/s on each connection |
/// | `/private/name` | the same for ``credentials`` (Basic) |
/// | `/redirect/307/files/name` | a redirect to the rest of the path; 301, 302, 303, 307, 308 |
/// | `/uploads/name` | stores what is PUT, of any size; DELETE removes it |
/// | `/private-uploads/name` | stores what is PUT by whoever knows ``credentials``, in the same place |
/// | `/limited/name` | answers 413 to bodies over 1 KiB, before it has read them, and hangs up |
///
/// It runs as long as the object lives. Keep that in a property of the suite: a local variable's
/// object may go after its last use, which can be before the request.
package final class NginxServer: Sendable {
    package let credentials = Credentials()
    private let process: ServerProcess
    private let certificates: TestCertificates
    private let plainPort: ReservedPort
    private let securePort: ReservedPort

    /// Starts nginx with these files to serve, by name.
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

    /// The port for `https`, with HTTP/2 for whoever offers it.
    package var tlsPort: UInt16 { securePort.number }

    /// The PEM file of the authority to trust; the certificate names `localhost` and 127.0.0.1.
    package var authorityFile: String { certificates.authority }

    package func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    package func tlsURL(_ path: String) -> String { "https://localhost:\(tlsPort)/\(path)" }

    /// Where `/uploads/name` is stored, which is the whole body or no file.
    package func uploadedFile(_ name: String) -> URL {
        URL(fileURLWithPath: process.directory.path(of: "uploads/\(name)"))
    }

    /// The SHA-256 of an upload, in hexadecimal digits.
    package func uploadChecksum(_ name: String) async throws -> String {
        try await FileChecksum.sha256(of: uploadedFile(name).path)
    }

    /// One line a request: method, target, status and protocol.
    ///
    /// nginx writes it after the response, so a client may be faster: see `requests(awaiting:)`.
    package var requests: [String] {
        process.directory.text(of: "access.log").split(separator: "\n").map(String.init)
    }

    /// Waits until the log has that many requests, or for ten seconds; returns what there is.
    package func requests(awaiting count: Int) async throws -> [String] {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(10)
        while requests.count < count, clock.now < end {
            try await clock.sleep(for: .milliseconds(2))
        }
        return requests
    }

    /// What nginx said of errors.
    package var log: String { process.log }

    package func stop() { process.stop() }
}
