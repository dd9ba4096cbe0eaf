/// A certificate authority and a server's certificate from it, created with `openssl` in a
/// directory.
package struct TestCertificates: Sendable {
    /// The names in the certificates of most test servers.
    package static let localNames = "DNS:localhost,IP:127.0.0.1"

    /// The paths of PEM files.
    package let authority: String
    package let certificate: String
    package let key: String

    /// The certificates that were created in a directory.
    package init(in directory: String) {
        authority = directory + "/ca.pem"
        certificate = directory + "/server.pem"
        key = directory + "/server.key"
    }

    /// Creates the certificates, which are valid for two days.
    ///
    /// The subject's alternative names have the form that `openssl` expects.
    package static func make(
        in directory: ServerDirectory, for names: String = localNames
    ) async throws -> TestCertificates {
        try OpenSSL.configure(directory)
        let request = ["req", "-x509", "-config", "openssl.cnf", "-days", "2"] + OpenSSL.newKey
        try await OpenSSL.run(
            request + ["-extensions", "authority", "-subj", "/CN=Bluebonnet Test Authority"]
                + ["-keyout", "ca.key", "-out", "ca.pem"], in: directory)
        try await OpenSSL.run(
            request + ["-extensions", "server", "-subj", "/CN=localhost"]
                + ["-addext", "subjectAltName=\(names)", "-CA", "ca.pem", "-CAkey", "ca.key"]
                + ["-keyout", "server.key", "-out", "server.pem"], in: directory)
        return TestCertificates(in: directory.path)
    }
}
