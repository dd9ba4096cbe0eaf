/// A certificate authority of its own and a certificate for `localhost` and 127.0.0.1 from it, made
/// with `openssl` in a server's directory.
struct TestCertificates: Sendable {
    /// The paths of PEM files.
    let authority: String
    let certificate: String
    let key: String

    static func make(in directory: ServerDirectory) async throws -> TestCertificates {
        try directory.write(configuration, to: "openssl.cnf")
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
        let request = ["req", "-x509", "-config", "openssl.cnf"] + key
        try await run(
            request + ["-extensions", "authority", "-subj", "/CN=Bluebonnet Test Authority"]
                + ["-keyout", "ca.key", "-out", "ca.pem"], in: directory)
        try await run(
            request + ["-extensions", "server", "-subj", "/CN=localhost"]
                + ["-CA", "ca.pem", "-CAkey", "ca.key"]
                + ["-keyout", "server.key", "-out", "server.pem"], in: directory)
        return TestCertificates(
            authority: directory.path(of: "ca.pem"),
            certificate: directory.path(of: "server.pem"),
            key: directory.path(of: "server.key"))
    }

    static func run(_ arguments: [String], in directory: ServerDirectory) async throws {
        let openssl = try InstalledProgram(name: "openssl").locate()
        let child = try await ChildProcess.start(
            openssl, arguments, in: directory, output: "openssl.log")
        guard try await child.wait(seconds: 60) == 0 else {
            let log = directory.text(of: "openssl.log")
            throw ServerFailure("openssl did not make a certificate:\n\(log)")
        }
    }

    private static let configuration = """
        [req]
        distinguished_name = name
        prompt = no
        [name]
        [authority]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign
        subjectKeyIdentifier = hash
        [server]
        basicConstraints = critical, CA:FALSE
        keyUsage = critical, digitalSignature
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:localhost, IP:127.0.0.1
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid

        """
}
