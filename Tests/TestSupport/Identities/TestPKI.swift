package import BluebonnetTransport
package import Foundation

/// Authorities and certificates for the tests of security policies, created with `openssl` in a
/// server's directory.
///
/// `NAME.pem` is a certificate and `NAME.key` its key. `NAME.chain` is the chain that a server
/// presents, and `NAME.rest` is that chain without the server's certificate.
package struct TestPKI: Sendable {
    package let directory: ServerDirectory

    /// The servers' certificates, each with its property or defect.
    package enum Server: String, CaseIterable, Sendable {
        /// Valid, and for `localhost`, as are the others unless noted.
        case good
        /// Expired, with the key of `good`.
        case expired
        /// Not valid yet, with the key of `good`.
        case future
        /// For another host, with the key of `good`.
        case wrongHost
        /// Self-signed.
        case selfSigned
        /// Only for 127.0.0.1.
        case ipAddress
        /// For `*.bluebonnet.test`.
        case wildcard
        /// The certificate `good`, presented without its intermediate.
        case missing
        /// Issued by an expired intermediate.
        case expiredIssuer
        /// Issued by an untrusted authority, and presented with `good` and its authorities.
        case attacker
        /// The same as `attacker`, but issued by a trusted authority.
        case trustedAttacker
        /// Revoked by its issuer.
        case revoked
        /// With its host only in the common name.
        case commonName
        /// For `a*.bluebonnet.test`.
        case partialWildcard
        /// For `localhost`, followed by a NUL and `.test`.
        case embeddedNUL
    }

    package static func make(in directory: ServerDirectory) async throws -> TestPKI {
        let pki = TestPKI(directory: directory)
        try OpenSSL.configure(directory)
        for name in ["root", "other", "rogue"] {
            try await pki.sign(name, by: nil, "authority")
        }
        try await pki.sign("intermediate", by: "root", "authority")
        try await pki.sign("expiredIntermediate", by: "root", "authority", until: "2021")
        try await pki.signServers()
        try await pki.revoke("revoked", by: "intermediate")
        try pki.writeChains()
        return pki
    }

    private func signServers() async throws {
        let intermediate = "intermediate"
        try await sign("good", by: intermediate)
        try await sign("expired", by: intermediate, until: "2021", key: "good")
        try await sign("future", by: intermediate, from: "2110", key: "good")
        try await sign("wrongHost", by: intermediate, for: "DNS:elsewhere.test", key: "good")
        try await sign("selfSigned", by: nil)
        try await sign("ipAddress", by: intermediate, for: "IP:127.0.0.1")
        try await sign("wildcard", by: intermediate, for: "DNS:*.bluebonnet.test")
        try await sign("expiredIssuer", by: "expiredIntermediate")
        try await sign("revoked", by: intermediate)
        try await sign("commonName", by: intermediate, for: nil)
        try await sign("partialWildcard", by: intermediate, for: "DNS:a*.bluebonnet.test")
        // In DER, because a text cannot contain a NUL.
        try await sign(
            "embeddedNUL", by: intermediate, for: "DER:3011820f6c6f63616c686f7374002e74657374")
        try await sign("attacker", by: "rogue")
        try await sign("trustedAttacker", by: "other")
    }

    private func writeChains() throws {
        let appended = ["good", "intermediate", "root"]
        for server in Server.allCases {
            let names =
                switch server {
                case .selfSigned: ["selfSigned"]
                case .missing: ["good"]
                case .expiredIssuer: ["expiredIssuer", "expiredIntermediate"]
                case .attacker: ["attacker"] + appended
                case .trustedAttacker: ["trustedAttacker"] + appended
                default: [server.rawValue, "intermediate"]
                }
            let texts = names.map { directory.text(of: "\($0).pem") }
            try directory.write(texts.joined(), to: "\(server.rawValue).chain")
            try directory.write(texts.dropFirst().joined(), to: "\(server.rawValue).rest")
        }
        try directory.write(
            directory.text(of: "root.pem") + directory.text(of: "other.pem"), to: "authorities.pem")
    }

    /// Revokes a certificate, and writes current and expired revocation lists of the authorities.
    private func revoke(_ name: String, by issuer: String) async throws {
        let tool = ["ca", "-config", "openssl.cnf", "-batch"]
        func authority(_ name: String) -> [String] {
            ["-cert", "\(name).pem", "-keyfile", "\(name).key"]
        }
        try await run(tool + authority(issuer) + ["-revoke", "\(name).pem"])
        for name in [issuer, "root", "other"] {
            try await run(
                tool + authority(name) + ["-gencrl", "-crldays", "36500", "-out", "\(name).crl"])
        }
        try await run(
            tool + authority(issuer) + ["-gencrl", "-out", "old.crl"]
                + ["-crl_lastupdate", "20200101000000Z", "-crl_nextupdate", "20210101000000Z"])
        let all = [issuer, "root", "other"].map { directory.text(of: "\($0).crl") }
        try directory.write(all.joined(), to: "lists.pem")
        try directory.write(all.dropLast(2).joined(), to: "someLists.pem")
        try directory.write(
            all.dropFirst().joined() + directory.text(of: "old.crl"), to: "oldLists.pem")
    }

    /// The URL of a file of the PKI.
    ///
    /// `lists.pem` contains the revocation lists of all authorities. `someLists.pem` lacks that of
    /// the root, and in `oldLists.pem` that of the intermediate has expired.
    package func file(_ name: String) -> URL { URL(fileURLWithPath: directory.path(of: name)) }

    /// The PEM file of the authorities to trust.
    package var authorities: URL { URL(fileURLWithPath: directory.path(of: "authorities.pem")) }

    package func certificate(_ name: String) throws -> Certificate {
        let file = URL(fileURLWithPath: directory.path(of: "\(name).pem"))
        guard let certificate = try Certificate.certificates(contentsOf: file).first else {
            throw ServerFailure("\(name).pem is empty")
        }
        return certificate
    }

    /// Returns the names of the files with which a server presents itself.
    package static func files(of server: Server) -> (chain: String, rest: String, key: String) {
        let key =
            switch server {
            case .expired, .future, .wrongHost, .missing: "good.key"
            default: "\(server.rawValue).key"
            }
        return ("\(server.rawValue).chain", "\(server.rawValue).rest", key)
    }

    // MARK: openssl

    /// Creates a certificate, with a new key unless another certificate's key is given.
    private func sign(
        _ name: String, by issuer: String?, _ kind: String = "server", from: String = "2020",
        until: String = "2120", for names: String? = "DNS:localhost", key: String? = nil
    ) async throws {
        var request = ["req", "-new", "-config", "openssl.cnf", "-out", "\(name).csr"]
        request +=
            names.map { ["-subj", "/CN=\(name)", "-addext", "subjectAltName=\($0)"] }
            ?? ["-subj", "/CN=localhost"]
        request +=
            key.map { ["-key", "\($0).key"] }
            ?? OpenSSL.newKey + ["-keyout", "\(name).key"]
        try await run(request)
        let authority =
            issuer.map { ["-cert", "\($0).pem", "-keyfile", "\($0).key"] }
            ?? ["-selfsign", "-keyfile", "\(name).key"]
        try await run(
            ["ca", "-batch", "-notext", "-config", "openssl.cnf", "-extensions", kind] + authority
                + ["-startdate", "\(from)0101000000Z", "-enddate", "\(until)0101000000Z"]
                + ["-in", "\(name).csr", "-out", "\(name).pem"])
    }

    private func run(_ arguments: [String]) async throws {
        try await OpenSSL.run(arguments, in: directory)
    }
}
