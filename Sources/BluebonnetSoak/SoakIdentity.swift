import Foundation

/// The certificate of the servers, which is its own authority, and its key.
struct SoakIdentity {
    let directory: URL

    var certificate: URL { directory.appendingPathComponent("certificate.pem") }
    var key: URL { directory.appendingPathComponent("key.pem") }

    /// The one that is in a directory.
    init(in directory: URL) {
        self.directory = directory
    }

    /// Makes one, in a directory that is to be made.
    static func make(in directory: URL) throws -> Self {
        let identity = Self(in: directory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["openssl", "req", "-x509", "-nodes", "-newkey", "ec"]
            + ["-pkeyopt", "ec_paramgen_curve:P-256", "-days", "30", "-subj", "/CN=soak"]
            + ["-addext", "subjectAltName=IP:127.0.0.1"]
            + ["-out", identity.certificate.path, "-keyout", identity.key.path]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw SoakFailure(message: "openssl made no certificate")
        }
        return identity
    }
}
