/// A certificate authority of its own and a server's certificate from it, made with `openssl`, with
/// which they share a directory.
package struct TestCertificates: Sendable {
    /// The names of most servers here.
    package static let localNames = "DNS:localhost,IP:127.0.0.1"

    /// The paths of PEM files.
    package let authority: String
    package let certificate: String
    package let key: String

    /// Those that were made in a directory.
    package init(in directory: String) {
        authority = directory + "/ca.pem"
        certificate = directory + "/server.pem"
        key = directory + "/server.key"
    }

    /// Makes them, for two days and the subject's alternative names, in the form of `openssl`.
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
