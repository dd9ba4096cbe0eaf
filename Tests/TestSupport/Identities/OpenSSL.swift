/// The command `openssl`, which runs in a server's directory with a configuration file there.
package enum OpenSSL {
    /// Runs the command with the configuration `openssl.cnf`.
    ///
    /// - Throws: ``ServerFailure`` with its log if it fails.
    package static func run(_ arguments: [String], in directory: ServerDirectory) async throws {
        let openssl = try InstalledProgram(name: "openssl").locate()
        try await run(openssl, arguments, in: directory)
    }

    /// Runs a shell script that calls the command.
    static func run(script: String, in directory: ServerDirectory) async throws {
        try await run("/bin/sh", ["-c", script], in: directory)
    }

    private static func run(
        _ program: String, _ arguments: [String], in directory: ServerDirectory
    ) async throws {
        let child = try await ChildProcess.start(
            program, arguments, in: directory, output: "openssl.log")
        guard try await child.wait(seconds: 120) == 0 else {
            throw ServerFailure("openssl failed:\n\(directory.text(of: "openssl.log"))")
        }
    }

    /// The arguments for a new key without a passphrase.
    package static let newKey = [
        "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
    ]

    /// Writes `openssl.cnf` with the extensions of an authority, a server's and a client's
    /// certificate.
    ///
    /// The text in `more` is appended.
    static func configure(_ directory: ServerDirectory, adding more: String = "") throws {
        try directory.write(configuration + more, to: "openssl.cnf")
    }

    private static let configuration = """
        [req]
        distinguished_name = name
        prompt = no
        [name]
        [authority]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        [server]
        basicConstraints = critical, CA:FALSE
        keyUsage = critical, digitalSignature
        extendedKeyUsage = serverAuth
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid
        [client]
        basicConstraints = critical, CA:FALSE
        keyUsage = critical, digitalSignature
        extendedKeyUsage = clientAuth
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid

        """
}
