import BluebonnetTestSupport
import BluebonnetTransport
import Foundation
import Testing

@Suite("Certificates and pins")
struct CertificateTests {
    /// Returns the directory of an authority and a server's certificate, and the latter as PEM.
    private func made() async throws -> (ServerDirectory, Data) {
        let directory = try ServerDirectory()
        _ = try await TestCertificates.make(in: directory)
        return (directory, directory.data(of: "server.pem"))
    }

    private func run(_ command: String, in directory: ServerDirectory) throws -> Data {
        try SystemCommand(shell: command, in: directory).output()
    }

    @Test("DER and PEM give the same certificate, with the properties that openssl reports")
    func facts() async throws {
        let (directory, pem) = try await made()
        let der = try run("openssl x509 -in server.pem -outform der", in: directory)
        let certificate = try Certificate(der: der)
        #expect(try Certificate.certificates(in: pem) == [certificate])
        #expect(try Certificate.certificates(in: der) == [certificate])
        #expect(certificate.data == der)
        #expect(
            certificate.subject == "CN=localhost"
                && certificate.issuer == "CN=Bluebonnet Test Authority")
        let life = certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore)
        #expect(life == 2 * 86_400)
        #expect(abs(certificate.notValidBefore.timeIntervalSinceNow) < 3600)
        let pin = try run(
            "openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der"
                + " | openssl dgst -sha256 -binary | base64", in: directory)
        let text = String(decoding: pin, as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
        #expect(certificate.publicKeyHash.description == "sha256/\(text)")
        for prefix in ["", "sha256/", "sha256//"] {
            #expect(try PublicKeyHash(prefix + text) == certificate.publicKeyHash)
        }
        #expect(
            certificate.description.contains("CN=localhost (issued by CN=Bluebonnet Test Authority")
        )
    }

    @Test(
        "a pin's Base64 can start with a slash, or with the letters of the prefix",
        arguments: [
            "/xIxJksCerH4X7cOFDUHrBwCj4MZxUEFw4pWwaZKkYE=",
            "//xxIxJksCerH4X7cOFDUHrBwCj4MZxUEFw4pWwaZKk=",
            "sha256/xIxJksCerH4X7cOFDUHrBwCj4MZxUEFw4pWA=",
        ]
    )
    func slashes(text: String) throws {
        let bytes = try #require(Data(base64Encoded: text))
        let hash = try PublicKeyHash(bytes: bytes)
        for prefix in ["", "sha256/", "sha256//"] {
            #expect(try PublicKeyHash(prefix + text) == hash)
        }
    }

    @Test("a file can have several certificates, with keys and text between them")
    func files() async throws {
        let (directory, _) = try await made()
        _ = try run(
            "(echo words; cat ca.pem server.key; echo more; cat server.pem) > all.pem",
            in: directory)
        let certificates = try Certificate.certificates(
            contentsOf: directory.file("all.pem"))
        #expect(certificates.map(\.subject) == ["CN=Bluebonnet Test Authority", "CN=localhost"])
        #expect(Set(certificates).count == 2)
    }

    @Test(
        "missing, damaged, truncated or trailing data is an error with the file's name")
    func failures() async throws {
        let (directory, pem) = try await made()
        let der = try run("openssl x509 -in server.pem -outform der", in: directory)
        let key = directory.data(of: "server.key")
        var broken = pem
        broken[60] = UInt8(ascii: "!")
        for data in [
            Data(), Data("hello".utf8), der.dropLast(), der + [0], Data(der.dropFirst()), key,
            broken, pem.prefix(pem.count / 2), pem + pem.prefix(100),
            Data("-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n".utf8),
        ] {
            #expect(throws: CertificateError.self) { try Certificate.certificates(in: data) }
            let file = directory.file("bad.pem")
            try data.write(to: file)
            let error = #expect(throws: CertificateError.self) {
                try Certificate.certificates(contentsOf: file)
            }
            #expect(error?.description.contains(file.path) == true)
        }
        let missing = directory.file("none.pem")
        let error = #expect(throws: CertificateError.self) {
            try Certificate.certificates(contentsOf: missing)
        }
        #expect(error?.description.contains("none.pem") == true)
    }

    @Test(
        "a pin is 32 bytes in Base64 and nothing else",
        arguments: [
            "", "sha256/", "hello", "sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
            "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", "sha256/sha256/",
            "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFUA",
        ])
    func malformedPin(text: String) {
        #expect(throws: CertificateError.self) { try PublicKeyHash(text) }
        #expect(throws: CertificateError.self) { try PublicKeyHash(bytes: Data(text.utf8)) }
    }

    @Test("subjects are in UTF-8, with control characters escaped")
    func subjects() async throws {
        let (directory, _) = try await made()
        let command =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -utf8"
            + " -keyout k -out odd.pem -subj \"$(printf '/CN=L\\303\\274neburg\\001\\n')\""
        _ = try run(command, in: directory)
        let odd = try Certificate.certificates(
            contentsOf: directory.file("odd.pem"))
        #expect(odd.map(\.subject) == ["CN=Lüneburg\\01"])
    }
}
