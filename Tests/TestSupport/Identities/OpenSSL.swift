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
    /// certificate, and what `openssl ca` needs.
    ///
    /// Only `openssl ca` makes an expired certificate in every version from 3.0.
    static func configure(_ directory: ServerDirectory) throws {
        try directory.write(configuration, to: "openssl.cnf")
        try directory.write("", to: "index")
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
        [ca]
        default_ca = issuing
        [issuing]
        database = index
        new_certs_dir = .
        rand_serial = yes
        unique_subject = no
        default_md = sha256
        policy = names
        copy_extensions = copy
        [names]
        commonName = supplied

        """
}
